import assert from "node:assert/strict";
import test from "node:test";
import { page_fields } from "../../../../internal/method/testdata/page_fields.golden.json";
import type { Screen, ScreenField } from "../service/screen";
import { keptIn, missingFrom, read, write } from "./kept";

function storage(): Pick<Storage, "getItem" | "setItem" | "removeItem"> & { all: Map<string, string> } {
  const all = new Map<string, string>();
  return {
    all,
    getItem: (key) => all.get(key) ?? null,
    setItem: (key, value) => void all.set(key, value),
    removeItem: (key) => void all.delete(key),
  };
}

const document: ScreenField = { id: "payer_document", kind: "text" };
const screen = (number: string, merchant = "Pens"): Screen => ({
  kind: "form",
  language: "en",
  merchant,
  order: { number, description: "Pen", amount: "10.00", currency: "EUR", decimals: 2 },
  methods: [
    {
      id: "card",
      label: "card",
      icon: "card",
      group: "card",
      action: "submit",
      fields: [...(page_fields as ScreenField[]), document],
    },
  ],
});

test("names and addresses are kept, and no card, code, document, amount or consent", () => {
  assert.deepEqual(keptIn(screen("1")).sort(), [
    "payer_address",
    "payer_address2",
    "payer_city",
    "payer_country",
    "payer_email",
    "payer_name",
    "payer_phone",
    "payer_state",
    "payer_zip",
  ]);
  const kept = storage();
  const typed = Object.fromEntries([...page_fields, document].map(({ id }) => [id, "typed " + id]));
  write(screen("1"), typed, kept);
  const text = [...kept.all.values()].join();
  for (const id of ["payer_card", "payer_cvv", "payer_expiryDate", "payee_card", "payer_document", "order_amount"]) {
    assert.ok(!text.includes(id), id);
  }
  assert.equal(read(screen("1"), kept).payer_city, "typed payer_city");
});

test("what was kept stands in the place of what the form came with, and of nothing else", () => {
  const name: ScreenField = { id: "payer_name", kind: "card_name", value: "Ada" };
  const came: Screen = { ...screen("1"), methods: [{ ...screen("1").methods![0]!, fields: [name, document] }] };
  const kept = { payer_name: "Ada Byron", payer_city: "Ulm", payer_zip: "89073" };
  const typed = { payer_name: "Ada", payer_zip: "1" };
  assert.deepEqual(missingFrom(came, typed, kept), { payer_name: "Ada Byron", payer_city: "Ulm" });
  assert.deepEqual(missingFrom(came, { payer_name: "Eve Lee" }, { payer_name: "Ada Byron" }), {});
  assert.deepEqual(missingFrom(came, { payer_name: "Ada" }, { payer_name: "Ada" }), {});
});

test("it is there for the same order alone, and never breaks a form", () => {
  const kept = storage();
  write(screen("1"), { payer_city: "Ulm", payer_zip: "" }, kept);
  assert.deepEqual(read(screen("1"), kept), { payer_city: "Ulm" });
  assert.deepEqual(read(screen("2"), kept), {});
  assert.deepEqual(read(screen("1", "Inks"), kept), {});
  write(screen("2"), {}, kept);
  assert.deepEqual(read(screen("1"), kept), { payer_city: "Ulm" }, "an empty form takes nothing away");
  for (const text of ["", "{", "null", "[]", '{"order":1}', '{"order":"[\\"Pens\\",\\"1\\"]"}']) {
    kept.all.set("typed", text);
    assert.deepEqual(read(screen("1"), kept), {}, text);
  }
  const full = { ...kept, setItem: () => { throw new Error("full"); } };
  write(screen("1"), { payer_city: "Ulm" }, full);
});
