import assert from "node:assert/strict";
import test from "node:test";
import type { Choice } from "../methods/choice";
import type { Screen, ScreenField, ScreenMethod } from "../service/screen";
import { request } from "./request";

const ofBrowser = {
  navigator: { language: "de-DE", javaEnabled: () => false },
  screen: { width: 390.4, height: 844, colorDepth: 24 },
};
for (const [name, value] of Object.entries(ofBrowser))
  Object.defineProperty(globalThis, name, { value, configurable: true });
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
    { id: "payer_cvv", kind: "security_code", format: "digits", sealed: true },
    { id: "payer_email", kind: "email", value: "a@b.co" },
    { id: "payer_country", kind: "country", value: "US" },
    { id: "payer_state", kind: "state" },
    { id: "payer_phone", kind: "phone", format: "phone" },
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

test("a request leaves out what is empty and never sends a sealed field openly", async () => {
  assert.deepEqual(
    await request("id1", screen, choice(fields.slice(1)), { payer_state: "NY", payer_phone: " ", payer_cvv: "123" }),
    {
      attempt: "id1",
      method: "card",
      fields: { payer_email: "a@b.co", payer_country: "US", payer_state: "NY" },
    },
  );
  await assert.rejects(request("id1", screen, choice(fields), { payer_cvv: "123" }), /no key/);
});

test("a card is saved where the payer may and wants it saved, and no saved one", async () => {
  const save = async (ticked: string, may: boolean, saved?: string) => {
    const of = choice([], saved);
    return (
      await request("id1", screen, { ...of, method: { ...method, ...(may && { save: true }) } }, { save_card: ticked })
    ).save;
  };
  const sent = [
    await save("true", true),
    await save("", true),
    await save("true", false),
    await save("true", true, "1"),
  ];
  assert.deepEqual(sent, [true, undefined, undefined, undefined]);
});

test("an amount is sent as the service writes it", async () => {
  const transfer = [
    { id: "order_amount", kind: "amount", check: "amount" },
    { id: "recurring_consent", kind: "consent" },
  ];
  const sent = await request("id1", screen, choice(transfer), { order_amount: "10,5", recurring_consent: "true" });
  assert.deepEqual(sent.fields, { order_amount: "10.5", recurring_consent: "true" });
});

test("a saved card is named with what 3-D Secure asks; only sealed fields that were filled in are sealed", async () => {
  const typed = { payer_card: "4111 1111 1111 1111", payer_email: "x@y.co" };
  const named = { attempt: "id1", method: "card", fields: {}, saved: "c1", browser };
  assert.deepEqual(await request("id1", { ...screen, seal }, choice([], "c1"), { ...typed, payer_cvv: "123" }), named);
  const code = [{ id: "payer_cvv", kind: "security_code", format: "digits", sealed: true }];
  assert.deepEqual(await request("id1", { ...screen, seal }, choice(code, "c1"), typed), named);
  const { sealed, ...open } = await request("id1", { ...screen, seal }, choice(code, "c1"), {
    ...typed,
    payer_cvv: "123",
  });
  assert.deepEqual(open, named);
  assert.equal(sealed?.key_id, "k1");
  const another = await request("id1", { ...screen, seal }, choice(code), { payer_cvv: "123" });
  assert.ok(!("saved" in another) && another.sealed);
  assert.deepEqual(another.browser, browser);
});
