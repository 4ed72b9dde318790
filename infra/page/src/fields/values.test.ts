import assert from "node:assert/strict";
import test from "node:test";
import type { Screen, ScreenField, ScreenMethod } from "../service/screen";
import { faultsFrom, faultsIn, hasCard, inRegion, sealedIn, valueOf, without, presentIn } from "./values";

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

test("a state is asked for only where there are states", () => {
  const country = { id: "payer_country", kind: "country" };
  const fields = [country, { id: "payer_state", kind: "state" }];
  const ids = (code: string) => presentIn(fields, { payer_country: code }).map((f) => f.id).join();
  assert.deepEqual(["", "US", "DE"].map(ids), ["payer_country", "payer_country,payer_state", "payer_country"]);
  assert.deepEqual(presentIn([{ id: "payer_state", kind: "state", country: "FR" }], {}), []);
});

test("a second line is asked for once it has a value, be it empty", () => {
  const line = { id: "payer_address2", kind: "text", autocomplete: "address-line2" };
  const all = [{}, { payer_address2: "" }, { payer_address2: "Rear house" }];
  assert.deepEqual(all.map((values) => presentIn([line], values).length), [0, 1, 1]);
});

test("faults of a whole form; empty fields that are not required are none", () => {
  assert.deepEqual(faultsIn(fields, {}, 2), { payer_cvv: "required", payer_state: "required" });
  assert.deepEqual(faultsIn(fields, { payer_cvv: "123", payer_state: "NY" }, 2), {});
  assert.deepEqual(faultsIn(fields, { payer_cvv: "123", payer_country: "DE", payer_email: "x" }, 2), {
    payer_email: "invalid",
  });
});

test("a form starts with the country of the browser's region, where it offers it", () => {
  const country: ScreenField = { id: "payer_country", kind: "country" };
  const from = (field: ScreenField, ...languages: string[]) => {
    const fields = inRegion([{ ...method, fields: [field] }], languages)[0]?.fields ?? [];
    return fields.map((f) => valueOf(f, fields, {})).join();
  };
  assert.equal(from(country, "de", "de-AT", "en-US"), "AT");
  assert.equal(from(country, "zh-Hant-TW"), "TW");
  for (const tag of ["de", "es-419", "en-XX", "en-EU"]) assert.equal(from(country, tag), "", tag);
  assert.equal(from(country), "");
  assert.equal(from({ ...country, value: "FR" }, "de-AT"), "FR");
  assert.equal(from({ ...country, options: [{ value: "DE" }] }, "de-AT"), "");
  assert.equal(from({ ...country, options: [{ value: "AT" }] }, "de-AT"), "AT");
  const wallet = { ...method, action: "wallet", fields: [country] };
  assert.equal(inRegion([wallet], ["de-AT"])[0]?.fields[0]?.value, undefined);
  const saved = [{ id: "1", mask: "", expiry: "", fields: [country] }];
  assert.equal(inRegion([{ ...method, saved }], ["de-AT"])[0]?.saved?.[0]?.fields[0]?.value, "AT");
});

test("the card of a form says how many digits its code has, as a saved one does", () => {
  const code: ScreenField = { id: "payer_cvv", kind: "security_code", check: "security_code", required: true };
  const number: ScreenField = { id: "payer_card", kind: "card_number" };
  assert.deepEqual(faultsIn([number, code], { payer_card: "3782", payer_cvv: "123" }, 2), { payer_cvv: "invalid" });
  assert.deepEqual(faultsIn([code], { payer_cvv: "123" }, 2, "378282******0005"), { payer_cvv: "invalid" });
  assert.deepEqual(faultsIn([code], { payer_cvv: "123" }, 2, "411111******1111"), {});
  const payee: ScreenField = { ...number, id: "payee_card" };
  assert.deepEqual(faultsIn([payee, code], { payee_card: "3782", payer_cvv: "123" }, 2, "411111******1111"), {});
});

test("a state of another country's list is no value", () => {
  const state = fields[3];
  assert.ok(state);
  assert.equal(valueOf(state, fields, { payer_state: "NY" }), "NY");
  assert.equal(valueOf(state, fields, { payer_state: "NY", payer_country: "JP" }), "");
});

test("amount and consent", () => {
  const transfer = [
    { id: "order_amount", kind: "amount", check: "amount", required: true },
    { id: "recurring_consent", kind: "consent", required: true },
  ];
  assert.deepEqual(faultsIn(transfer, { recurring_consent: "" }, 2), {
    order_amount: "required",
    recurring_consent: "required",
  });
  assert.deepEqual(faultsIn(transfer, { order_amount: "10.5", recurring_consent: "true" }, 0), {
    order_amount: "invalid",
  });
});

test("what is forgotten of a card", () => {
  const typed = {
    payer_card: "4",
    payer_expiryDate: "01/38",
    payer_cvv: "1",
    payee_card: "5",
    payer_name: "A B",
    order_amount: "1",
  };
  const sealed = (id: string): ScreenField => ({ id, kind: "text", sealed: true });
  const form: Screen = {
    ...screen,
    methods: [
      { ...method, fields: [sealed("payer_card"), sealed("payer_expiryDate"), sealed("payee_card"), ...fields] },
    ],
  };
  assert.deepEqual(without(typed, sealedIn(form)), { payer_name: "A B", order_amount: "1" });
  assert.deepEqual(
    sealedIn({ ...form, methods: [{ ...method, fields: [], saved: [{ id: "1", mask: "", expiry: "", fields }] }] }),
    ["payer_cvv"],
  );
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
  const faults = [
    "payer_email: This value is not valid.",
    "payer_phone: This value should not be blank.",
    "hash: x",
    "payer_cvv",
  ];
  assert.deepEqual(faultsFrom(faults, fields), { payer_email: "invalid", payer_phone: "required" });
});
