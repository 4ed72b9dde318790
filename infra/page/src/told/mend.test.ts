import assert from "node:assert/strict";
import test from "node:test";
import { fieldText } from "../texts";
import { catalogues } from "../texts/catalogues";
import type { ScreenField } from "../service/screen";
import type { Fault } from "../fields/check";
import countries from "../fields/countries";
import { cellOf, lineOf, type Marked } from "./mend";
import { postalLabel } from "../fields/postal";

const today = new Date(2026, 10, 21);
const fieldOf = (kind: string) => ({ id: "payer_" + kind, kind }) as ScreenField;
const en = catalogues.en!;
const markedOf = (kind: string, value: string, more: Partial<Marked> = {}): Marked => ({
  field: fieldOf(kind),
  label: "Label",
  fault: value ? "invalid" : "required",
  value,
  number: "",
  country: "",
  by: "",
  half: false,
  today,
  ...more,
});
const line = (kind: string, value: string, number = "") => lineOf(markedOf(kind, value, { number }), en, 2);

test("a fault says how it is mended, differently for empty, incomplete and wrong", () => {
  const all = ["", "4111 1111", "4111 1111 1111 1112"].map((value) => line("card_number", value));
  assert.equal(new Set(all).size, 3);
  assert.equal(line("expiry", ""), "Enter month and year, for example 08/29.");
  assert.equal(line("expiry", "01"), "Enter month and year, for example 08/29.");
  assert.equal(line("expiry", "01/20"), en.mend.expiry_past);
  assert.equal(line("expiry", "11/51"), en.mend.expiry_past); // which is good
  assert.equal(line("expiry", "12/51"), en.mend.expiry_far);
  assert.equal(line("amount", "0"), "Enter an amount, for example 12.50.");
  assert.equal(line("select", ""), en.mend.list);
  assert.equal(line("security_code", "12", "4111"), "Enter the 3 digits on the back.");
  assert.equal(line("security_code", "12", "3782"), "Enter the 4 digits on the front.");
});

test("of a number that has all of its digits one seems wrong", () => {
  const field = { ...fieldOf("text"), writing: { lengths: [[4, 4]], signs: "digits" } } as ScreenField;
  assert.equal(cellOf(markedOf("text", "1234", { field }), en), "Label: a digit seems wrong");
  assert.equal(cellOf(markedOf("text", "123", { field }), en), "Label: not valid");
  assert.equal(cellOf(markedOf("text", "1234"), en), "Label: not valid");
  assert.equal(line("phone", "5"), "Enter the whole number, for example +1 415 555 2671.");
});

test("where the cell says all, there is no line below the box", () => {
  assert.equal(line("text", ""), "");
  assert.equal(line("email", ""), "");
  assert.notEqual(line("email", "ada@"), "");
});

test("what a cell has no room for stands below the box, and all of it where there is no cell", () => {
  const zip = markedOf("text", "", { label: "Postal code (PLZ)", half: true });
  assert.equal(lineOf(zip, en, 2), "Postal code (PLZ): required");
  assert.equal(lineOf({ ...zip, half: false }, en, 2), "");
  assert.equal(line("checkbox", ""), "Label: required");
  assert.equal(line("consent", ""), en.mend.consent);
});

test("a value that is too long is said to be so, with both lengths", () => {
  const field = { ...fieldOf("text"), max: 32 };
  const value = " Am alten Güterbahnhof 123,  Hinterhaus";
  const marked = markedOf("text", value, { field, fault: "long", label: "Address line" });
  assert.equal(cellOf(marked, en), "Address line: 37/32");
  assert.equal(cellOf({ ...marked, label: "City", half: true }, en), "City: 37/32");
  assert.equal(lineOf(marked, en, 2), "At most 32 characters; you have 37.");
});

test("a name in one word may be right", () => {
  const marked = markedOf("card_name", "Cher", { fault: "unusual" });
  assert.equal(cellOf(marked, en), "Label: check it");
  assert.equal(lineOf(marked, en, 2), "Usually like Ada Lovelace. If yours is right, leave it as it is.");
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
    ["expiry", "invalid", "0168", "", en.cell.expiry_far],
    ["card_name", "invalid", "Ada", "", en.cell.invalid],
    ["email", "invalid", "ada@", "", en.cell.email],
    ["email", "required", "", "", en.cell.required],
    ["text", "required", "", "", en.cell.required],
  ];
  for (const [kind, fault, value, number, text] of rows) {
    assert.equal(cellOf(markedOf(kind, value, { fault, number }), en), text.replace("{label}", "Label"));
  }
});

test("half a row has the label alone where more would not fit", () => {
  const of = (label: string, half: boolean) => cellOf(markedOf("text", "", { label, half }), en);
  assert.equal(of("Postcode", true), "Postcode: required");
  assert.equal(of("Postal code (PLZ)", true), "Postal code (PLZ)");
  assert.equal(of("Postal code (PLZ)", false), "Postal code (PLZ): required");
});

// What can stand in half a row: its label and each of its faults.
const halves: [key: string, kind: string, fault: Fault, value: string][] = [
  ["payer_expiryDate", "expiry", "required", ""],
  ["payer_expiryDate", "expiry", "invalid", "13/30"],
  ["payer_expiryDate", "expiry", "invalid", "01/20"],
  ["payer_expiryDate", "expiry", "invalid", "01/68"],
  ["payer_cvv", "security_code", "required", ""],
  ["payer_city", "text", "required", ""],
  ["payer_city", "text", "invalid", ""],
  ["payer_zip", "text", "required", ""],
  ["payer_zip", "text", "invalid", ""],
];

test("what stands in half a row has at most 20 characters in every language", () => {
  for (const [language, texts] of Object.entries(catalogues)) {
    for (const [key, kind, fault, value] of halves) {
      const label = fieldText(texts, key, "");
      const labels = key === "payer_zip" ? countries.map((country) => postalLabel(label, country, texts.tag)) : [label];
      for (const own of new Set(labels)) {
        const text = cellOf(markedOf(kind, value, { fault, label: own, half: true }), texts);
        assert.ok(text.replace(/\p{Cf}/gu, "").length <= 20, `${language}: ${text}`);
      }
    }
  }
});

const wholes: [key: string, kind: string, values: string[]][] = [
  ["payer_card", "card_number", ["", "4111", "4111 1111 1111 1112"]],
  ["payer_expiryDate", "expiry", ["", "1", "13/30", "01/20", "01/68"]],
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
  ["recurring_consent", "consent", [""]],
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
  test("the line below a box repeats no three words of its cell: " + language, () => {
    for (const [key, kind, values] of wholes) {
      for (const value of values) {
        const marked = markedOf(kind, value, { label: "" }); // a label may come again
        const cell = cellOf(marked, texts);
        const below = lineOf(marked, texts, 2);
        const again = phrases(cell, texts.tag).filter((phrase) => phrases(below, texts.tag).includes(phrase));
        assert.deepEqual(again, [], `${key}: ${cell} / ${below}`);
      }
    }
  });
}
