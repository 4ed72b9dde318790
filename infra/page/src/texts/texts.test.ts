import assert from "node:assert/strict";
import test from "node:test";
import { page_fields as fields } from "../../../../internal/method/testdata/page_fields.golden.json";
import methods from "../../../methods.json";
import { addTexts, fieldText, messageText, methodText, optionText, reasonText, shownText, textsOf } from ".";
import { catalogues as withoutNames, names as allNames, read } from "./catalogues";
import { needsRest } from "./load";
import { plural } from "./locales";
import type { Plural } from "./texts";

const en = withoutNames.en!;
const catalogues = Object.fromEntries(
  Object.entries(withoutNames).map(([language, texts]) => [language, { ...texts, names: allNames[language]! }]),
);

// Every path of a catalogue with its text.
function flat(value: unknown, path = ""): [string, string][] {
  if (typeof value === "string") return [[path, value]];
  return Object.entries(value as object).flatMap(([key, part]) => flat(part, path + "." + key));
}

// The places of a text that are filled.
function places(text: string): string {
  return (text.match(/\{\w+\}/g) ?? []).sort().join(" ");
}

const plurals = /\.(units\.\w+|recurring\.times|writing\.(digits|letters_digits|signs))\.\w+$/;
const translations = Object.entries(catalogues).filter(([language]) => language !== "en");

test("every language has every text with the same places to fill, and no text is empty", () => {
  const english = new Map(flat(catalogues.en));
  const faults: string[] = [];
  for (const [language, texts] of translations) {
    const rows = new Map(flat(texts));
    for (const path of english.keys()) {
      if (!rows.has(path) && !plurals.test(path)) faults.push(`${language} lacks ${path}`);
    }
    for (const [path, text] of rows) {
      const wanted = english.get(path);
      if (text.trim() === "") faults.push(`${language}${path} is empty`);
      if (plurals.test(path)) continue;
      if (wanted === undefined) faults.push(`${language}${path} is no text of English`);
      else if (places(text) !== places(wanted))
        faults.push(`${language}${path} fills "${places(text)}", not "${places(wanted)}"`);
    }
  }
  assert.deepEqual(faults, []);
});

// What a language writes as English does. Names and single places are the same in all.
const alike = [
  "es.names.fields.bank_cuil",
  "es.names.fields.bank_curp",
  "es.names.fields.bank_rfc",
  "es.names.fields.bankDetails.cbu",
  "es.names.fields.cci",
  "fr.fields.payer_state_CA",
  "fr.paid_at",
  "fr.units.minute.one",
  "fr.units.minute.other",
  "fr.ways.mobile",
  "de.optional",
  "de.shown.bank_name",
  "de.ways.bank",
  "az.shown.bank_name",
  "az.ways.bank",
  "no.shown.bank_name",
  "no.ways.bank",
  "no.send",
  "no.send_plain",
];
const names = /^\.(tag|dir|methods\.(applepay|googlepay)|names\.methods\.upi_collect|cell\.long)$/;

test("no text is that of English, or of the other Chinese", () => {
  const english = new Map(flat(catalogues.en));
  const faults: string[] = [];
  const used = new Set<string>();
  for (const [language, texts] of translations) {
    for (const [path, text] of flat(texts)) {
      if (names.test(path) || english.get(path) !== text) continue;
      if (alike.includes(language + path)) used.add(language + path);
      else faults.push(`${language}${path} is "${text}"`);
    }
  }
  assert.deepEqual(faults, []);
  assert.deepEqual(
    alike.filter((path) => !used.has(path)),
    [],
    "needless rows",
  );
  const scripts: Record<string, RegExp> = {
    kk: /[әғқңөұүһі]/i,
    ru: /[ы]/,
    ua: /[іїє]/,
    ar: /[\u0600-\u06ff]/,
    zh: /[这请]/,
    zho: /[這請]/,
  };
  for (const [language, letters] of Object.entries(scripts))
    assert.match(JSON.stringify(catalogues[language]), letters, language);
  assert.doesNotMatch(JSON.stringify(catalogues.zh), /[這請單額號]/);
  assert.doesNotMatch(JSON.stringify(catalogues.zho), /[这请单额号]/);
  assert.doesNotMatch(JSON.stringify(catalogues.ua), /[ыэёъ]/i);
  assert.doesNotMatch(JSON.stringify(catalogues.ru), /[іїєґ]/i);
});

test("a text with a count has every category of its language, and no other", () => {
  const counts = [...Array(201).keys(), 1_000_000, 1.5];
  for (const [language, { tag, units, recurring, writing }] of Object.entries(catalogues)) {
    const rules = new Intl.PluralRules(tag);
    const categories = [...rules.resolvedOptions().pluralCategories].sort();
    const counted = [writing.digits, writing.letters_digits, writing.signs];
    for (const forms of [...Object.values(units), recurring.times, ...counted] as Plural[]) {
      assert.deepEqual(Object.keys(forms).sort(), categories, language);
      const said = new Set(counts.map((count) => rules.select(count)));
      assert.deepEqual([...said].sort(), categories, language + ": a category that no count asks for");
      for (const count of counts) {
        const text = plural(forms, count, tag);
        const form = forms[rules.select(count)]!;
        assert.ok(text.length > 0 && !/[{}]/.test(text), text);
        assert.equal(
          text.replace(/[\d\s\u00a0\u202f.,]+/, "#"),
          form.replace("{count}", "1").replace(/[\d\s\u00a0\u202f.,]+/, "#"),
          `${language} ${count}`,
        );
      }
    }
  }
});

test("a text is read as ICU MessageFormat, and one that the page could not fill is a fault of the build", () => {
  assert.equal(read("it can't be {what}, l''{shop}", "en.a"), "it can't be {what}, l'{shop}");
  assert.deepEqual(read("{count, plural, one {# day of {all}} other {# days}}", "en.a"), {
    one: "{count} day of {all}",
    other: "{count} days",
  });
  for (const text of [
    "{a",
    "{n, number}",
    "in {count, plural, other {# days}}",
    "{count, plural, one {# day}}",
    "{who, select, other {x}}",
  ]) {
    assert.throws(() => read(text, "en.some.place"), /^Error: en\.some\.place: /, text);
  }
});

interface Row {
  path: string;
  ask?: boolean;
  values?: string[];
}

test("every method that the page offers, every field that it asks for and every word to choose has a name", () => {
  const { methods: named, options, fields: labels } = allNames.en!;
  for (const { id, rows } of methods) {
    assert.ok(Object.hasOwn(named, id) || Object.hasOwn(en.methods, id), `words/en.json has no names.methods.${id}`);
    for (const { path, values } of (rows as Row[]).filter((row) => row.ask)) {
      assert.ok(Object.hasOwn(labels, path), `words/en.json has no names.fields.${path}`);
      for (const value of values ?? []) {
        const known = /^(CPF|CNPJ|DNI|RUC)$/.test(value) || Object.hasOwn(options, path + "." + value);
        assert.ok(known, `words/en.json has no names.options.${path}.${value}`);
      }
    }
  }
});

test("names of fields come for a form that has them, and stand in their language", () => {
  const card = {
    id: "card",
    label: "card",
    icon: "card",
    group: "card",
    action: "submit",
    fields: [{ id: "payer_state", kind: "state" }],
  };
  const screen = { kind: "form", language: "de", methods: [card] };
  const asks = { ...card, fields: [{ id: "a", label: "phone", kind: "phone" }] };
  assert.deepEqual(
    [needsRest({ ...screen, methods: [asks, card] }), needsRest({ ...screen, methods: [card, asks] })],
    [true, false],
  );

  addTexts("en", withoutNames.en!);
  addTexts("de", { names: allNames.de! });
  assert.equal(textsOf("de"), textsOf("en")); // names without texts are not shown among English
  addTexts("de", withoutNames.de!);
  const de = textsOf("de");
  assert.equal(methodText(de, "deferred_a"), "Später bezahlen");
  addTexts("fr", withoutNames.fr!);
  assert.equal(methodText(textsOf("fr"), "deferred_a"), "Deferred a"); // which are not there yet
  assert.equal(optionText(de, "idType", "PAS"), "Reisepass");
  assert.equal(optionText(de, "idType", "DNI"), "DNI");
  assert.equal(fieldText(de, "pin", ""), "PIN der Guthabenkarte");
});

test("every field of the page has a label, and no other field has a name like it", () => {
  const later = "payer_address2"; // which is asked for once the first line is too long
  const own = /^(order|payee|payer|recurring)_/;
  for (const id of Object.keys(allNames.en!.fields)) assert.ok(id === later || !own.test(id), id);
  for (const id of Object.keys(en.fields)) assert.match(id, own);
  for (const { id } of fields) {
    assert.ok(id === later || Object.hasOwn(en.fields, id), `words/en.json has no fields.${id}`);
  }
});

test("what the page shows to pay with and how often it charges has texts, and an unknown key none", () => {
  for (const texts of Object.values(catalogues)) {
    for (const id of [
      "crypto_address",
      "crypto_coin",
      "crypto_network",
      "crypto_amount",
      "amount_received",
      "amount_missing",
    ])
      assert.ok(Object.hasOwn(texts.shown, id), id);
    for (const unit of ["day", "month"]) assert.ok(Object.hasOwn(texts.recurring.single, unit), unit);
  }
  assert.equal(messageText(textsOf("en"), "constructor"), textsOf("en").messages.technical_problem);
  assert.equal(textsOf("tlh"), textsOf("en"));
});

test("a reason is told by its code, with the amounts that it names", () => {
  const en = textsOf("en");
  assert.equal(reasonText(en, { code: "card_invalid" }), "Invalid card. Please check the number, or use another card.");
  assert.equal(
    reasonText(en, { code: "paid_too_little", arrived: "0.5", due: "1.0", currency: "BTC" }),
    "Less was paid than was due: 0.5\u00a0BTC of 1.0\u00a0BTC arrived.",
  );
  assert.equal(
    reasonText(en, { code: "paid_too_late", arrived: "1000.50", currency: "USD" }),
    "$1,000.50 arrived after the deadline.",
  );
  assert.equal(
    reasonText(textsOf("de"), { code: "paid_too_late", arrived: "1000.50", currency: "USDT" }),
    "1.000,50\u00a0USDT kamen erst nach Ablauf der Frist an.",
  );
  for (const code of ["a_new_one", "constructor"]) assert.equal(reasonText(en, { code }), en.reasons.declined);
});

test("a field without a name of its own is spoken of by its id, and a state as its country calls it", () => {
  const en = textsOf("en");
  const rows: [string, string, string][] = [
    ["payer_card", "", "Card number"],
    ["payer_state", "", "State/Region"],
    ["payer_state", "US", "State"],
    ["payer_state", "CA", "Province"],
    ["payer_state", "JP", "Prefecture"],
    ["payer_document_number", "", "Document number"],
    ["constructor", "", "Constructor"],
  ];
  for (const [id, country, label] of rows) assert.equal(fieldText(en, id, country), label);
  assert.notEqual(fieldText(en, "payee_card", ""), fieldText(en, "payer_card", ""));
  assert.equal(shownText(en, "crypto_memo"), "Crypto memo");
  assert.equal(methodText(en, "card"), "Card");
  for (const id of ["new_method", "new-method"]) assert.equal(methodText(en, id), "New method");
});

// What the service says of a field is for merchants, in the specification's words.
test("the page never says what the specification has the service say of a field", () => {
  const never = /Please enter a valid|is expired and not valid|field must hold|Invalid card$|\bis required\.$/;
  const said = Object.values(catalogues).flatMap((texts) => flat(texts).filter(([, text]) => never.test(text)));
  assert.deepEqual(said, []);
});
