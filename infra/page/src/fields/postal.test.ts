import assert from "node:assert/strict";
import test from "node:test";
import { cityFirst, postalLabel } from "./postal";

test("a postal code is called as in its country", () => {
  const rows: [word: string, country: string, tag: string, label: string][] = [
    ["Postal code", "", "en", "Postal code"],
    ["Postal code", "US", "en", "ZIP code"],
    ["Postal code", "GB", "en", "Postcode"],
    ["Postal code", "FR", "en", "Postal code"],
    ["Postal code", "DE", "en", "Postal code (PLZ)"],
    ["Postleitzahl", "DE", "de", "Postleitzahl"],
    ["Postleitzahl", "US", "de", "Postleitzahl"], // both are too long for half a row
    ["Code postal", "IT", "fr", "Code postal (CAP)"],
  ];
  for (const [word, country, tag, label] of rows) assert.equal(postalLabel(word, country, tag), label, country + tag);
});

test("a postal code stands where its country writes it", () => {
  for (const country of ["US", "GB", "CA", "AU", "IN", "BR", "UA"]) assert.ok(cityFirst(country), country);
  for (const country of ["DE", "FR", "ES", "NO", "JP", "MX", ""]) assert.ok(!cityFirst(country), country);
});
