import assert from "node:assert/strict";
import test from "node:test";
import { check } from "../fields/check";
import { addresses, type AddressRow } from "../fields/places";
import type { ScreenField } from "../service/screen";
import { catalogues } from "../texts/catalogues";
import rows from "./addresses.json";
import { codeOf, isInDigits, isUsual, withCode } from "./address";
import { lineOf } from "./mend";

const zip: ScreenField = { id: "payer_zip", kind: "text", autocomplete: "postal-code" };
const phone: ScreenField = { id: "payer_phone", kind: "phone", autocomplete: "tel" };

test("without the rows everything is usual", () => {
  assert.ok(isUsual(zip, "x", "DE"));
  assert.equal(isInDigits(zip, "DE"), false);
  assert.equal(codeOf(phone, "DE"), undefined);
  assert.equal(withCode(phone, "0151 234567", "DE"), "0151 234567");
});

test("a postal code is as its country writes it, with or without spaces, hyphens and the country", () => {
  Object.assign(addresses, rows);
  const usual: Record<string, string[]> = {
    DE: ["10115", "DE-10115"],
    US: ["95014", "95014-1234", "950141234", "95014 1234"],
    GB: ["sw1a 1aa", "SW1A1AA"],
    PL: ["00-950", "00950"],
    CZ: ["110 00", "11000"],
    LV: ["LV-1073", "1073"],
    BR: ["40301-110", "40301110"],
    NL: ["1234 ab"],
    AE: ["none at all"],
    "": ["x"],
  };
  const unusual: Record<string, string[]> = {
    DE: ["1011", "101155", "SW1A 1AA"],
    US: ["9501", "95014-12"],
    GB: ["10115", "SW1A"],
    NL: ["1234"],
  };
  for (const [country, codes] of Object.entries(usual))
    for (const code of codes) assert.ok(isUsual(zip, code, country), country + " " + code);
  for (const [country, codes] of Object.entries(unusual))
    for (const code of codes) assert.ok(!isUsual(zip, code, country), country + " " + code);
});

test("each country's own example is usual", () => {
  for (const [country, { postal }] of Object.entries(rows as Record<string, AddressRow>))
    if (postal) assert.ok(isUsual(zip, postal.example, country), country);
});

test("digits alone have a number pad", () => {
  for (const country of ["DE", "US", "PL", "JP", "IN", "MC"]) assert.ok(isInDigits(zip, country), country);
  for (const country of ["GB", "NL", "CA", "LV", "AR", "AE", ""]) assert.ok(!isInDigits(zip, country), country);
  assert.ok(!isInDigits(phone, "DE"));
});

test("a number that is typed as within its country gets the calling code", () => {
  const numbers: [country: string, typed: string, sent: string][] = [
    ["DE", "0151 2345678", "+49 151 2345678"],
    ["DE", "(030) 123456", "+49 30 123456"],
    ["DE", "151 2345678", "+49 151 2345678"],
    ["DE", "+43 1 23456", "+43 1 23456"],
    ["DE", "0043 1 23456", "+43 1 23456"],
    ["DE", "4915123456789", "4915123456789"], // perhaps with its code: nobody knows
    ["DE", "05", "05"],
    ["GB", "44 20 7946 0958", "+44 20 7946 0958"],
    ["KE", "254712345678", "+254712345678"],
    ["KE", "0712 345678", "+254 712 345678"],
    ["US", "(555) 123-4567", "+1 555 123-4567"],
    ["US", "1 555 123 4567", "+1 555 123 4567"],
    ["RU", "8 912 345-67-89", "+7 912 345-67-89"],
    ["RU", "800 123-45-67", "+7 800 123-45-67"],
    ["RU", "79123456789", "+79123456789"],
    ["NO", "47 12 34 56", "+47 47 12 34 56"],
    ["NO", "4747123456", "+4747123456"],
    ["IT", "06 1234567", "+39 06 1234567"],
    ["HU", "06 30 123 4567", "+36 30 123 4567"],
    ["ES", "612 34 56 78", "+34 612 34 56 78"],
    ["US", "call me", "call me"],
    ["", "0151 2345678", "0151 2345678"],
  ];
  for (const [country, typed, sent] of numbers) assert.equal(withCode(phone, typed, country), sent, country + typed);
  assert.equal(withCode(zip, "10115", "DE"), "10115");
  assert.equal(codeOf(phone, "KE"), "+254");
});

test("what is unusual is said with an example, and is no fault of a country that is not known", () => {
  const world = globalThis as { checkoutAfter?: unknown };
  world.checkoutAfter = { isUsual, fits: () => true };
  const faultIn = (country: string) =>
    check(zip, "1011", { country, by: "", decimals: 2, number: "", today: new Date() });
  assert.equal(faultIn("DE"), "unusual");
  assert.equal(faultIn(""), null);
  delete world.checkoutAfter;
  const marked = { field: zip, label: "Postal code", value: "1011", number: "", country: "DE", by: "", half: true };
  const line = lineOf({ ...marked, fault: "unusual", today: new Date() }, catalogues.en!, 2);
  assert.equal(line, "Usually like 26133. If yours is right, leave it as it is.");
});
