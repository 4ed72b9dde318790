import assert from "node:assert/strict";
import test from "node:test";
import type { ScreenField } from "../service/screen";
import { groupsOf, inHalf } from "./group";

const parts: [id: string, kind: string, autocomplete: string][] = [
  ["payer_card", "card_number", "cc-number"],
  ["payer_expiryDate", "expiry", "cc-exp"],
  ["payer_cvv", "security_code", "cc-csc"],
  ["payer_country", "country", "country"],
  ["payer_state", "state", "address-level1"],
  ["payer_city", "text", "address-level2"],
  ["payer_address", "text", "address-line1"],
  ["payer_zip", "text", "postal-code"],
  ["branch", "text", ""],
];
const fields = (...ids: string[]) =>
  parts
    .filter(([id]) => ids.length === 0 || ids.includes(id))
    .map(([id, kind, autocomplete]): ScreenField => ({ id, kind, autocomplete }));

test("an address is asked for as its country writes it", () => {
  const address = (country: string) =>
    groupsOf(fields(), country)
      .find((g) => g.name === "address")
      ?.fields.map((f) => f.id)
      .join(" ");
  assert.equal(address("DE"), "payer_country payer_address payer_zip payer_city payer_state");
  assert.equal(address("US"), "payer_country payer_address payer_city payer_state payer_zip");
  assert.equal(address("JP"), "payer_country payer_zip payer_state payer_city payer_address");
  assert.equal(address("HU"), "payer_country payer_city payer_address payer_zip payer_state");
});

test("two that belong together share a row, one alone has a whole one", () => {
  const halvesIn = (country: string, ...ids: string[]) => {
    const shown = groupsOf(fields(...ids), country).flatMap((g) => g.fields.filter((f) => inHalf(f, g.fields)));
    return shown.map((f) => f.id).join(" ");
  };
  const halves = (...ids: string[]) => halvesIn("DE", ...ids);
  assert.equal(halves(), "payer_expiryDate payer_cvv payer_zip payer_city");
  assert.equal(halvesIn("US", "payer_state", "payer_city", "payer_zip"), "");
  assert.equal(halvesIn("HU", "payer_address", "payer_city", "payer_zip"), "");
  assert.equal(halves("payer_cvv", "payer_zip", "branch"), "");
  assert.equal(halves("payer_card", "payer_cvv"), "");
});
