import assert from "node:assert/strict";
import test from "node:test";
import type { ScreenField } from "../service/screen";
import values from "../../../../internal/method/testdata/checks.golden.json";
import { check, checks, masked, plain, validAmount, validName, type Fault } from "./check";
import countries, { countryNames, statesOf } from "./countries";

const around = (country = "", by = "") => ({ country, by, decimals: 2, number: "", today: new Date(2026, 5, 15) });
const formats: Record<string, string> = { card_number: "digits", security_code: "digits", phone: "phone" };
const field = (check: string, more: Partial<ScreenField> = {}): ScreenField => ({
  id: "payer_x",
  kind: check,
  check,
  ...(formats[check] && { format: formats[check] }),
  required: true,
  ...more,
});

test("a name on a card has two words of letters", () => {
  for (const good of [
    "John Doe",
    "José María Núñez",
    "Anne-Marie O'Neill",
    "Ли Ван",
    "D' Angelo",
    "Zoe\u0308 X",
    "Ada B. Example",
    "DR. ADA EXAMPLE",
    "Ada L.",
  ]) {
    assert.ok(validName(good, 32), good);
  }
  for (const bad of ["John", "", "John 2", "John Doe!", "- Doe", "John -", "A".repeat(16) + " " + "B".repeat(16)]) {
    assert.ok(!validName(bad, 32), bad);
  }
  assert.ok(validName("A".repeat(16) + " " + "B".repeat(15), 32));
});

test("faults", () => {
  const rows: [ScreenField, string, string, Fault | null][] = [
    [field("card_name"), "  John   Doe ", "", null],
    [field("card_name"), "Anne O’Neill", "", null],
    [field("card_name"), "John", "", "invalid"],
    [field("card_name", { value: "John", unusual: true }), "John", "", "unusual"],
    [field("card_name", { value: "John", unusual: true }), "Johnny", "", "invalid"],
    [field("card_name", { value: "John", unusual: true }), "John Doe", "", null],
    [field("card_name", { value: "user" }), "user", "", "invalid"],
    [field("card_name"), " ", "", "required"],
    [field("email"), "a@b.co", "", null],
    [field("email"), "a@b", "", "invalid"],
    [field("email"), "a b@c.de", "", "invalid"],
    [field("text", { max: 3 }), "abcd", "", "long"],
    [field("text"), "a".repeat(256), "", "long"],
    [field("email", { max: 6 }), "a@b.com", "", "long"],
    [field("card_name", { max: 8 }), "Ada Lovelace", "", "long"],
    [field("text", { max: 3 }), "añc", "", null],
    [field("text", { min: 2 }), "a", "", "invalid"],
    [field("text", { required: false, min: 2 }), "", "", null],
    [field("something_new"), "", "", "required"],
    [field("country"), "DE", "", null],
    [field("country"), "XX", "", "invalid"],
    [field("country"), "", "", "required"],
    [field("state"), "CA", "US", null],
    [field("state"), "ZZ", "US", "invalid"],
    [field("state"), "", "US", "required"],
    [field("state"), "", "DE", null],
    [field("state"), "Bayern", "DE", null],
    [field("state"), "13", "JP", null],
    [field("phone"), "+49 (30) 123-45", "", null],
    [field("phone"), "call me", "", "invalid"],
    [field("phone"), "+()", "", "invalid"],
    [field("amount"), "12,5", "", null],
    [field("amount"), "12.505", "", "invalid"],
    [field("amount"), " ", "", "required"],
    [field("amount", { max: 4 }), "12.50", "", "long"],
    [field("agreed"), "true", "", null],
    [field("agreed"), "", "", "required"],
    [field("agreed"), "on", "", "invalid"],
    [field("agreed", { required: false }), "", "", null],
  ];
  for (const [f, value, country, fault] of rows)
    assert.equal(check(f, value, around(country)), fault, f.check + " " + value);
});

interface Values {
  good: string[];
  bad: string[];
  written?: Record<string, string>; // with what the service makes of them
}

test("the page refuses no value that the service takes, and takes none that break a rule that it has", () => {
  const rows = Object.entries(values as Record<string, Values>);
  const shared = rows.filter(([name]) => name in checks).map(([name]) => name);
  for (const name of ["card_number", "security_code", "card_name", "email", "country", "phone", "agreed"]) {
    assert.ok(shared.includes(name), name);
  }
  assert.ok(rows.length > shared.length);
  for (const [name, { good, bad, written = {} }] of rows) {
    for (const value of [...good, ...Object.keys(written)]) {
      assert.equal(check(field(name), value, around()), null, name + " " + value);
    }
    const fault = shared.includes(name) ? "invalid" : null;
    for (const value of bad) assert.equal(check(field(name), value, around()), fault, name + " " + value);
  }
});

test("a field may have a pattern, a format and options that depend on another field", () => {
  const branch = field("text", { pattern: "[0-9]{4}", format: "digits" });
  assert.equal(check(branch, "12 34", around()), null);
  assert.equal(check(branch, "12345", around()), "invalid");
  assert.equal(plain(field("text", { format: "upper" }), "gb29 nwbk"), "GB29 NWBK");
  const bank = field("text", { options_by: "payer_country", options: [{ value: "a", by: ["BR"] }, { value: "b" }] });
  assert.equal(check(bank, "a", around("", "BR")), null);
  assert.equal(check(bank, "a", around("", "CL")), "invalid");
  assert.equal(check(bank, "b", around("", "CL")), null);
  assert.equal(check(field("a_rule_of_tomorrow"), "x", around()), null);
});

test("values are sent plain", () => {
  assert.equal(plain(field("card_number"), "4111 1111-1111"), "411111111111");
  assert.equal(plain(field("card_name"), " Anne  O’Neill "), "Anne O'Neill");
  assert.equal(plain(field("phone"), "+49 30.123–45"), "+4930123-45");
  assert.equal(plain(field("text"), "  New   York "), "New York");
});

test("a mask groups a value as it is typed, and what is sent has no separators", () => {
  const iban = field("text", {
    mask: "#### #### #### #### #### ##",
    max: 34,
    format: "upper",
    pattern: "[A-Z0-9]{15,34}",
  });
  const cpf = field("text", { mask: "###.###.###-##", max: 11, format: "digits" });
  const rows: [ScreenField, string, string, string][] = [
    [iban, "de89370400440532013000", "DE89 3704 0044 0532 0130 00", "DE89370400440532013000"],
    [iban, "DE89 3704-", "DE89 3704 -", "DE893704-"],
    // Longer than its mask.
    [iban, "GB29NWBK60161331926819ABCD", "GB29 NWBK 6016 1331 9268 19ABCD", "GB29NWBK60161331926819ABCD"],
    [cpf, "52998224725", "529.982.247-25", "52998224725"],
    [cpf, "529.982.247-25 99", "529.982.247-2599", "5299822472599"], // as much as was typed, so that it can be marked
    [cpf, "5299", "529.9", "5299"],
    [cpf, "529.", "529", "529"],
    [cpf, "x", "", ""],
  ];
  for (const [f, typed, shown, sent] of rows) {
    assert.equal(masked(f, typed), shown, typed);
    assert.equal(masked(f, shown), shown, shown);
    assert.equal(plain(f, typed), sent, typed);
  }
  assert.equal(check(iban, "DE89 3704 0044 0532 0130 00", around()), null);
  assert.equal(check(iban, "DE89 3704", around()), "invalid");
});

test("an amount is sent with a point and without idle zeros, whatever the payer's keyboard has", () => {
  const rows = [
    ["12.50", "12.50"],
    ["12,50", "12.50"],
    ["١٢٫٥٠", "12.50"],
    ["۱۲،۵", "12،5"], // a list's comma is none
    ["１２．５", "12.5"],
    ["1 000\u00a0000,5", "1000000.5"],
    ["007", "7"],
    ["0,05", "0.05"],
    [",5", "0.5"],
    ["5.", "5"],
    ["1,234.56", "1.234.56"], // and so no amount
    ["-5", "-5"],
    ["1e3", "1e3"],
    [".", "."],
    ["", ""],
  ];
  for (const [typed, sent] of rows) assert.equal(plain(field("amount"), typed ?? ""), sent, typed);
});

test("an amount is above zero and has no more decimals than its currency", () => {
  const rows: [string, number, boolean][] = [
    ["1", 0, true],
    ["1.0", 0, false],
    ["10.5", 2, true],
    ["10.55", 2, true],
    ["10.555", 2, false],
    ["0.00000001", 8, true],
    ["0.000000001", 8, false],
    ["0", 2, false],
    ["0.00", 2, false],
    ["-1", 2, false],
    ["+1", 2, false],
    ["1.", 2, false],
    [".5", 2, false],
    ["1.234.56", 2, false],
    ["1e3", 2, false],
    ["", 2, false],
  ];
  for (const [amount, decimals, good] of rows) assert.equal(validAmount(amount, decimals), good, amount);
});

test("countries and states are complete", () => {
  assert.equal(new Set(countries).size, 249);
  assert.ok(countries.every((code) => /^[A-Z]{2}$/.test(code)));
  const names = countryNames("en");
  assert.equal(names.length, 249);
  for (const [code, name] of names) assert.notEqual(name, code);
  const sizes = ["US", "CA", "AU", "JP", "IN"].map((country) => statesOf(country)?.length);
  assert.deepEqual(sizes, [57, 13, 8, 47, 36]);
  assert.equal(statesOf("DE"), null);
  assert.equal(statesOf("constructor"), null);
});
