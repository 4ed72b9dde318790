import assert from "node:assert/strict";
import test from "node:test";
import { fieldTexts, fill } from "../texts";
import { catalogues } from "../texts/catalogues";
import type { ScreenField } from "../service/screen";
import type { Fault } from "./check";
import countries from "./countries";
import { cellOf, mendOf } from "./mend";
import { postalLabel } from "./postal";

const today = new Date(2026, 10, 21);
const fieldOf = (kind: string) => ({ id: "payer_" + kind, kind }) as ScreenField;
const en = catalogues.en!;
const mend = (kind: string, value: string, number = "") =>
  mendOf({ field: fieldOf(kind), fault: "invalid", value, number }, en, today);

test("a fault says how it is mended, differently for empty, incomplete and wrong", () => {
  const all = ["", "4111 1111", "4111 1111 1111 1112"].map((value) => mend("card_number", value));
  assert.equal(new Set(all).size, 3);
  assert.equal(mend("expiry", ""), "Enter month and year, for example 08/29.");
  assert.equal(mend("expiry", "01"), "Enter month and year, for example 08/29.");
  assert.equal(mend("expiry", "01/20"), en.mend.expiry_past);
  assert.equal(mend("security_code", "12", "4111"), "Enter the 3 digits on the back.");
  assert.equal(mend("security_code", "12", "3782"), "Enter the 4 digits on the front.");
});

test("where the fault says all, nothing follows", () => {
  assert.equal(mend("text", ""), "");
  assert.equal(mend("email", ""), "");
  assert.notEqual(mend("email", "ada@"), "");
});

test("a value that is too long is said to be so, with both lengths", () => {
  const field = { ...fieldOf("text"), max: 32 };
  const marked = { field, fault: "long" as const, value: " Am alten Güterbahnhof 123,  Hinterhaus", number: "" };
  assert.equal(cellOf(marked, "Address line", false, en), "Address line: 37/32");
  assert.equal(cellOf(marked, "City", true, en), "City: 37/32");
  assert.equal(mendOf(marked, en, today), "At most 32 characters; you have 37.");
});

test("a marked cell says what is wrong where its label stands", () => {
  const rows: [kind: string, fault: Fault, value: string, number: string, text: string][] = [
    ["card_number", "required", "", "", en.cell.required],
    ["card_number", "invalid", "4111", "", en.cell.number_short],
    ["card_number", "invalid", "4111 1111 1111 1112", "", en.cell.number_digit],
    ["expiry", "required", "", "", en.cell.expiry_required],
    ["expiry", "invalid", "13/30", "", en.cell.expiry_month],
    ["expiry", "invalid", "0120", "", en.cell.expiry_past.replace("{value}", "01/20")],
    ["security_code", "required", "", "", en.cell.code.replace("{count}", "3")],
    ["security_code", "invalid", "123", "3782", en.cell.code.replace("{count}", "4")],
    ["card_name", "invalid", "Ada", "", en.cell.invalid],
    ["email", "invalid", "ada@", "", en.cell.invalid],
    ["text", "required", "", "", en.cell.required],
  ];
  for (const [kind, fault, value, number, text] of rows) {
    assert.equal(
      cellOf({ field: fieldOf(kind), fault, value, number }, "Label", false, en),
      text.replace("{label}", "Label"),
    );
  }
});

test("half a row has the label alone where more would not fit", () => {
  const of = (label: string, half: boolean) =>
    cellOf({ field: fieldOf("text"), fault: "required", value: "", number: "" }, label, half, en);
  assert.equal(of("Postcode", true), "Postcode: required");
  assert.equal(of("Postal code (PLZ)", true), "Postal code (PLZ)");
  assert.equal(of("Postal code (PLZ)", false), "Postal code (PLZ): required");
});

// What can stand in half a row: its label and each of its faults.
const halves: [key: string, kind: string, fault: Fault, value: string][] = [
  ["payer_expiryDate", "expiry", "required", ""],
  ["payer_expiryDate", "expiry", "invalid", "13/30"],
  ["payer_expiryDate", "expiry", "invalid", "01/20"],
  ["payer_cvv", "security_code", "required", ""],
  ["payer_city", "text", "required", ""],
  ["payer_city", "text", "invalid", ""],
  ["payer_zip", "text", "required", ""],
  ["payer_zip", "text", "invalid", ""],
];

test("what stands in half a row has at most 20 characters in every language", () => {
  for (const [language, texts] of Object.entries(catalogues)) {
    for (const [key, kind, fault, value] of halves) {
      const { label } = fieldTexts(texts, key, "");
      const labels = key === "payer_zip" ? countries.map((country) => postalLabel(label, country, texts.tag)) : [label];
      for (const own of new Set(labels)) {
        const text = cellOf({ field: fieldOf(kind), fault, value, number: "" }, own, true, texts);
        assert.ok(text.replace(/\p{Cf}/gu, "").length <= 20, `${language}: ${text}`);
      }
    }
  }
});

const wholes: [key: string, kind: string, values: string[]][] = [
  ["payer_card", "card_number", ["", "4111", "4111 1111 1111 1112"]],
  ["payer_expiryDate", "expiry", ["", "1", "13/30", "01/20"]],
  ["payer_cvv", "security_code", ["", "1"]],
  ["payer_name", "card_name", ["", "Ada"]],
  ["payer_email", "email", ["", "ada@"]],
  ["payer_phone", "phone", ["", "none"]],
  ["payer_country", "country", [""]],
  ["payer_state", "state", [""]],
  ["payer_city", "text", [""]],
  ["payer_address", "text", [""]],
  ["payer_zip", "text", [""]],
  ["order_amount", "amount", ["", "0"]],
  ["payer_document", "text", ["", "1"]],
];

// Three words in a row, and four characters of writing that has no spaces, as a reader takes them in.
function phrases(text: string, tag: string): string[] {
  const words = [...new Intl.Segmenter(tag, { granularity: "word" }).segment(text.toLocaleLowerCase(tag))]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment);
  const [parts, many] = tag.startsWith("zh") ? [[...words.join("").replace(/\d/g, "")], 4] : [words, 3];
  return parts.slice(many - 1).map((_, at) => parts.slice(at, at + many).join(" "));
}

for (const [language, texts] of Object.entries(catalogues)) {
  test("the line below a box repeats no three words, neither of its cell nor within: " + language, () => {
    for (const [key, kind, values] of wholes) {
      for (const value of values) {
        const fault: Fault = value ? "invalid" : "required";
        const marked = { field: fieldOf(kind), fault, value, number: "" };
        const said = fill(fieldTexts(texts, key, "")[fault], { example: "12.50" });
        const mended = mendOf(marked, texts, today);
        const cell = cellOf(marked, "", false, texts); // a label may come again
        for (const phrase of phrases(cell, texts.tag))
          assert.ok(!phrases(said + " " + mended, texts.tag).includes(phrase), `${cell}, ${said} ${mended}`);
        for (const phrase of phrases(said, texts.tag))
          assert.ok(!phrases(mended, texts.tag).includes(phrase), `${said} ${mended}`);
      }
    }
  });
}
