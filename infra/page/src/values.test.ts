import assert from "node:assert/strict";
import test from "node:test";
import type { Choice } from "./choice";
import type { Screen, ScreenField, ScreenMethod } from "./screen";
import { faultsFrom, faultsIn, hasCard, request, sealedIn, valueOf, without, presentIn } from "./values";

const ofBrowser = { navigator: { language: "de-DE", javaEnabled: () => false }, screen: { width: 390.4, height: 844, colorDepth: 24 } };
for (const [name, value] of Object.entries(ofBrowser)) Object.defineProperty(globalThis, name, { value, configurable: true });
const browser = {
  language: "de-DE",
  screen_width: 390,
  screen_height: 844,
  color_depth: 24,
  time_zone_offset: new Date().getTimezoneOffset(),
  java_enabled: false,
  javascript_enabled: true,
};

const method: ScreenMethod = {
  id: "card",
  label: "card",
  icon: "card",
  group: "card",
  action: "submit",
  fields: [
    { id: "payer_cvv", kind: "security_code", check: "security_code", format: "digits", required: true, sealed: true },
    { id: "payer_email", kind: "email", check: "email", required: true, value: "a@b.co" },
    { id: "payer_country", kind: "country", check: "country", required: true, value: "US" },
    { id: "payer_state", kind: "state", check: "state", required: true },
    { id: "payer_phone", kind: "phone", check: "phone", format: "phone" },
  ],
};
const screen: Screen = { kind: "form", language: "en", methods: [method] };
const { fields } = method;
const choice = (fields: ScreenField[], saved?: string): Choice => ({
  method,
  saved: saved === undefined ? undefined : { id: saved, mask: "411111******1111", expiry: "01/2038", fields },
  fields,
});

// A point on P-256, any will do: it is the curve's own generator.
const key = "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU";
const seal = { key_id: "k1", key, info: "i" };

test("a state is asked for only where there are states", () => {
  const country = { id: "payer_country", kind: "country" };
  const fields = [country, { id: "payer_state", kind: "state" }];
  const ids = (code: string) => presentIn(fields, { payer_country: code }).map((f) => f.id).join();
  assert.deepEqual(["", "US", "DE"].map(ids), ["payer_country,payer_state", "payer_country,payer_state", "payer_country"]);
  assert.deepEqual(presentIn([{ id: "payer_state", kind: "state", country: "FR" }], {}), []);
});

test("faults of a whole form; empty fields that are not required are none", () => {
  assert.deepEqual(faultsIn(fields, {}, 2), { payer_cvv: "required", payer_state: "required" });
  assert.deepEqual(faultsIn(fields, { payer_cvv: "123", payer_state: "NY" }, 2), {});
  assert.deepEqual(faultsIn(fields, { payer_cvv: "123", payer_country: "DE", payer_email: "x" }, 2), { payer_email: "invalid" });
});

test("a state of another country's list is no value", () => {
  const state = fields[3];
  assert.ok(state);
  assert.equal(valueOf(state, fields, { payer_state: "NY" }), "NY");
  assert.equal(valueOf(state, fields, { payer_state: "NY", payer_country: "JP" }), "");
});

test("a request leaves out what is empty and never sends a sealed field openly", async () => {
  assert.deepEqual(await request("id1", screen, choice(fields.slice(1)), { payer_state: "NY", payer_phone: " ", payer_cvv: "123" }), {
    attempt: "id1",
    method: "card",
    fields: { payer_email: "a@b.co", payer_country: "US", payer_state: "NY" },
  });
  await assert.rejects(request("id1", screen, choice(fields), { payer_cvv: "123" }), /no key/);
});

test("a saved card is named with what 3-D Secure asks of the browser, and nothing is sealed unless a sealed field was filled in", async () => {
  const typed = { payer_card: "4111 1111 1111 1111", payer_email: "x@y.co" };
  const named = { attempt: "id1", method: "card", fields: {}, saved: "c1", browser };
  assert.deepEqual(await request("id1", { ...screen, seal }, choice([], "c1"), { ...typed, payer_cvv: "123" }), named);
  const code = [{ id: "payer_cvv", kind: "security_code", format: "digits", sealed: true }];
  assert.deepEqual(await request("id1", { ...screen, seal }, choice(code, "c1"), typed), named);
  const { sealed, ...open } = await request("id1", { ...screen, seal }, choice(code, "c1"), { ...typed, payer_cvv: "123" });
  assert.deepEqual(open, named);
  assert.equal(sealed?.key_id, "k1");
  const another = await request("id1", { ...screen, seal }, choice(code), { payer_cvv: "123" });
  assert.ok(!("saved" in another) && another.sealed);
  assert.deepEqual(another.browser, browser);
});

test("amount and consent", async () => {
  const transfer = [
    { id: "order_amount", kind: "amount", check: "amount", required: true },
    { id: "recurring_consent", kind: "consent", required: true },
  ];
  assert.deepEqual(faultsIn(transfer, { recurring_consent: "" }, 2), { order_amount: "required", recurring_consent: "required" });
  assert.deepEqual(faultsIn(transfer, { order_amount: "10.5", recurring_consent: "true" }, 0), { order_amount: "invalid" });
  const sent = await request("id1", screen, choice(transfer), { order_amount: "10,5", recurring_consent: "true" });
  assert.deepEqual(sent.fields, { order_amount: "10.5", recurring_consent: "true" });
});

test("what is forgotten of a card", () => {
  const typed = { payer_card: "4", payer_expiryDate: "01/38", payer_cvv: "1", payee_card: "5", payer_name: "A B", order_amount: "1" };
  const sealed = (id: string): ScreenField => ({ id, kind: "text", sealed: true });
  const form: Screen = {
    ...screen,
    methods: [{ ...method, fields: [sealed("payer_card"), sealed("payer_expiryDate"), sealed("payee_card"), ...fields] }],
  };
  assert.deepEqual(without(typed, sealedIn(form)), { payer_name: "A B", order_amount: "1" });
  assert.deepEqual(sealedIn({ ...form, methods: [{ ...method, fields: [], saved: [{ id: "1", mask: "", expiry: "", fields }] }] }), ["payer_cvv"]);
  assert.deepEqual(sealedIn(null), []);
});

test("a card is kept where its number is", () => {
  const number: ScreenField = { id: "payer_card", kind: "card_number", sealed: true };
  const card: Screen = { ...screen, methods: [{ ...method, fields: [...fields, number] }] };
  assert.equal(hasCard(card, { payer_card: "4111", payer_cvv: "123" }), true);
  assert.equal(hasCard(card, { payer_card: "", payer_cvv: "123", payer_email: "a@b.co" }), false);
  assert.equal(hasCard(screen, { payer_card: "4111", payer_cvv: "123" }), false);
  assert.equal(hasCard(null, { payer_card: "4111" }), false);
});

test("faults that the service found", () => {
  const faults = ["payer_email: This value is not valid.", "payer_phone: This value should not be blank.", "hash: x", "payer_cvv"];
  assert.deepEqual(faultsFrom(faults, fields), { payer_email: "invalid", payer_phone: "required" });
});
