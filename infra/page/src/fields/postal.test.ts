import assert from "node:assert/strict";
import test from "node:test";
import { orderOf, postalLabel } from "./postal";

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

test("an address is in its country's order", () => {
  const rows: Record<string, string> = {
    ACSZ: "US CA AU",
    ACZS: "GB IN BR UA",
    AZCS: "DE FR ES NO MX",
    ZSCA: "JP",
    ZCAS: "CN KZ",
    CAZS: "KR HU",
  };
  for (const [order, countries] of Object.entries(rows)) {
    for (const country of countries.split(" ")) assert.equal(orderOf(country), order, country);
  }
  assert.equal(orderOf(""), "AZCS");
});
