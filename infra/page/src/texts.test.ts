import assert from "node:assert/strict";
import test from "node:test";
import { catalogues, fieldTexts, messageText, methodText, reasonText, shownText, textsOf } from "./texts";

// Every path of a catalogue with its text.
function flat(value: unknown, path = ""): [string, string][] {
  if (typeof value === "string") return [[path, value]];
  return Object.entries(value as object).flatMap(([key, part]) => flat(part, path + "." + key));
}

// The places of a text that are filled.
function places(text: string): string[] {
  return (text.match(/\{\w+\}/g) ?? []).sort();
}

test("every language has every text with the same places to fill, and no text is empty", () => {
  const english = new Map(flat(catalogues.en).map(([path, text]) => [path, places(text)]));
  const wanted = [...english.keys()].sort();
  for (const [language, texts] of Object.entries(catalogues)) {
    const rows = flat(texts);
    assert.deepEqual(rows.map(([path]) => path).sort(), wanted, language);
    for (const [path, text] of rows) {
      assert.notEqual(text.trim(), "", language + path);
      assert.deepEqual(places(text), english.get(path), language + path);
    }
  }
});

test("every key that the service may send has a text", () => {
  const keys = ["declined", "too_many_declines", "paid", "cancelled", "expired", "processing", "more_needed", "pay_elsewhere", "partly_paid", "checking_payment", "paid_too_little", "paid_too_late", "continue_elsewhere", "unknown_session", "technical_problem"];
  for (const texts of Object.values(catalogues)) {
    for (const key of keys) assert.ok(Object.hasOwn(texts.messages, key), key);
  }
  for (const texts of Object.values(catalogues)) {
    for (const id of ["crypto_address", "crypto_coin", "crypto_network", "crypto_amount", "amount_received", "amount_missing"]) assert.ok(Object.hasOwn(texts.shown, id), id);
    for (const unit of ["day", "month"]) assert.ok(Object.hasOwn(texts.recurring.single, unit), unit);
  }
  assert.equal(messageText(textsOf("en"), "constructor"), textsOf("en").messages.technical_problem);
  assert.equal(textsOf("tlh"), textsOf("en"));
});

test("a reason is told by its code, with the amounts that it names", () => {
  const en = textsOf("en");
  assert.equal(reasonText(en, { code: "card_invalid" }), "Invalid card");
  assert.equal(reasonText(en, { code: "paid_too_little", arrived: "0.5", due: "1.0", currency: "BTC" }), "Less was paid than was due: 0.5 BTC of 1.0 BTC arrived.");
  for (const code of ["a_new_one", "constructor"]) assert.equal(reasonText(en, { code }), en.reasons.declined);
});

test("the texts that the specification prints", () => {
  const en = textsOf("en");
  const rows: [string, string, string, string][] = [
    ["payer_card", "", "Invalid card", "Invalid card"],
    ["payer_cvv", "", "Invalid security code", "Invalid security code"],
    ["payer_country", "", "Country is required.", "Please enter a valid Country"],
    ["payer_state", "US", "State is required.", "Please enter a valid State"],
    ["payer_state", "CA", "Province is required.", "Please enter a valid Province"],
    ["payer_state", "JP", "Prefecture is required.", "Please enter a valid Prefecture"],
    ["payer_city", "", "City is required.", "Please enter a valid City"],
    ["payer_address", "", "Address line is required.", "Please enter a valid Address line"],
    ["payer_zip", "", "Zip code is required.", "Please enter a valid Zip code"],
    ["payer_phone", "", "Phone number is required.", "Please enter a valid Phone number"],
    ["payer_document_number", "", "Document number is required.", "Please enter a valid Document number"],
  ];
  for (const [id, country, required, invalid] of rows) {
    const texts = fieldTexts(en, id, country);
    assert.deepEqual([texts.required, texts.invalid], [required, invalid]);
  }
  assert.equal(fieldTexts(en, "payer_expiryDate", "").invalid, "The expiration date of card is expired and not valid.");
  assert.ok(fieldTexts(en, "payer_name", "").invalid.startsWith("The name on card field"));
  assert.notEqual(fieldTexts(en, "payee_card", "").label, fieldTexts(en, "payer_card", "").label);
  assert.equal(shownText(en, "crypto_memo"), "Crypto memo");
  assert.equal(methodText(en, "card"), "Card");
  assert.equal(methodText(en, "new_method"), "New method");
});
