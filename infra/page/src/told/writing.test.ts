import assert from "node:assert/strict";
import test from "node:test";
import type { ScreenField, ScreenWriting } from "../service/screen";
import { catalogues } from "../texts/catalogues";
import { fits, writingText } from "./writing";

const field = (writing: ScreenWriting, more: Partial<ScreenField> = {}): ScreenField => ({
  id: "bankDetails.cbu",
  kind: "text",
  writing,
  ...more,
});
const cbu = field(
  { signs: "digits", lengths: [[22, 22]], example: "2850590940090418135201" },
  { format: "digits", mask: "######## ##############" },
);
const either = field({ signs: "digits", lengths: [[7, 8], [11, 11]], example: "20123456" });
const alias = field({ signs: "signs", lengths: [[6, 20]], example: "mi.cuenta.sueldo" });
const upi = field({ example: "name@bank" });
const pin = field({ signs: "digits", lengths: [[1, 25]] });

test("a field says how its number is written", () => {
  const of = (one: ScreenField, language = "en") => writingText(one, "", "", catalogues[language]!);
  assert.equal(of(cbu), "22 digits, such as 28505909 40090418135201");
  assert.equal(of(either), "7–8 or 11 digits, such as 20123456");
  assert.equal(of(alias), "6–20 characters, such as mi.cuenta.sueldo");
  assert.equal(of(upi), "Example: name@bank");
  assert.equal(of(pin), "1–25 digits");
  assert.equal(of(field({ signs: "digits", lengths: [[1, 1]] })), "1 digit");
  assert.equal(of(cbu, "ru"), "22 цифры, например 28505909 40090418135201"); // few
  assert.equal(of(either, "ru"), "7–8 или 11 цифр, например 20123456"); // many, as 11 has
  assert.equal(of(pin, "kk"), "1–25 цифр");
});

test("what is too short or too long is counted without what stands between", () => {
  const of = (one: ScreenField, value: string, language = "en") => writingText(one, "", value, catalogues[language]!);
  const text = "22 digits, such as 28505909 40090418135201";
  assert.equal(of(cbu, "28505909 4009041813520"), text + "; you have 21");
  assert.equal(of(cbu, "28505909 40090418135202"), text); // a digit is wrong, not their number
  assert.equal(of(cbu, " "), text);
  assert.match(of(either, "20.123.456-9"), /; you have 9$/);
  assert.match(of(alias, " a.b-c "), /; you have 5$/); // where dots count
  assert.equal(of(upi, "x"), "Example: name@bank");
  assert.match(of(cbu, "1", "zh"), /；您输入了1位$/);
});

test("a value fits by the number of its signs alone", () => {
  assert.ok(fits(cbu, "2850590940090418135201", ""));
  assert.ok(!fits(cbu, "285059094009041813520", ""));
  assert.deepEqual(["123456", "1234567", "123-456-78", "123456789", "20-05536168-2"].map((v) => fits(either, v, "")), [
    false,
    true,
    true,
    false,
    true,
  ]);
  assert.ok(fits(upi, "", ""));
  assert.ok(fits({ id: "x", kind: "text" }, "", ""));
});

test("another field may decide how a number is written", () => {
  const writings = {
    DNI: { signs: "digits", lengths: [[8, 8]], example: "10117410" },
    EMAIL: { example: "name@example.com" },
  };
  const identity: ScreenField = { id: "identity", kind: "text", options_by: "idType", writings };
  const of = (by: string, value = "") => writingText(identity, by, value, catalogues.en!);
  assert.equal(of("DNI"), "8 digits, such as 10117410");
  assert.equal(of("DNI", "1011741"), "8 digits, such as 10117410; you have 7");
  assert.equal(of("EMAIL", "x"), "Example: name@example.com");
  assert.deepEqual([of(""), of("toString")], ["", ""]);
  assert.deepEqual([fits(identity, "1", "DNI"), fits(identity, "1", "PAS")], [false, true]);
});
