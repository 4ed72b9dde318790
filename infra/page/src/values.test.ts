import assert from "node:assert/strict";
import test from "node:test";
import type { Screen, ScreenMethod } from "./screen";
import { faultsFrom, faultsIn, request, valueOf } from "./values";

const method: ScreenMethod = {
  id: "card",
  fields: [
    { id: "payer_cvv", kind: "security_code", required: true, sealed: true },
    { id: "payer_email", kind: "email", required: true, value: "a@b.co" },
    { id: "payer_country", kind: "country", required: true, value: "US" },
    { id: "payer_state", kind: "state", required: true },
    { id: "payer_phone", kind: "phone" },
  ],
};
const screen: Screen = { kind: "form", language: "en", methods: [method] };

test("faults of a whole form; empty fields that are not required are none", () => {
  assert.deepEqual(faultsIn(method, {}), { payer_cvv: "required", payer_state: "required" });
  assert.deepEqual(faultsIn(method, { payer_cvv: "123", payer_state: "NY" }), {});
  assert.deepEqual(faultsIn(method, { payer_cvv: "123", payer_country: "DE", payer_email: "x" }), { payer_email: "invalid" });
});

test("a state of another country's list is no value", () => {
  const state = method.fields[3];
  assert.ok(state);
  assert.equal(valueOf(state, method, { payer_state: "NY" }), "NY");
  assert.equal(valueOf(state, method, { payer_state: "NY", payer_country: "JP" }), "");
});

test("a request leaves out what is empty and never sends a sealed field openly", async () => {
  const open = { ...method, fields: method.fields.slice(1) };
  assert.deepEqual(await request("id1", screen, open, { payer_state: "NY", payer_phone: " ", payer_cvv: "123" }), {
    attempt: "id1",
    method: "card",
    fields: { payer_email: "a@b.co", payer_country: "US", payer_state: "NY" },
  });
  await assert.rejects(request("id1", screen, method, { payer_cvv: "123" }), /no key/);
});

test("faults that the service found", () => {
  const faults = ["payer_email: This value is not valid.", "payer_phone: This value should not be blank.", "hash: x", "payer_cvv"];
  assert.deepEqual(faultsFrom(faults, method.fields), { payer_email: "invalid", payer_phone: "required" });
});
