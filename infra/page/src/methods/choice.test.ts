import assert from "node:assert/strict";
import test from "node:test";
import type { Screen, ScreenField, ScreenMethod } from "../service/screen";
import { choiceOf, nothingPicked, type Picked } from "./choice";

const field = (id: string): ScreenField => ({ id, kind: "text" });
const saved = (id: string, ...fields: ScreenField[]) => ({ id, mask: "411111******1111", expiry: "01/2038", fields });
const way = (id: string) => ({ id, label: id, icon: id, group: id, action: "submit" });
const screen: Screen = {
  kind: "form",
  language: "en",
  methods: [
    { ...way("card"), fields: [field("payer_card")], saved: [saved("a", field("payer_cvv")), saved("b")] },
    { ...way("bank"), fields: [field("iban")] },
  ],
};

test("a wallet with a button of its own is never the chosen one", () => {
  const method = (id: string, action: string) => ({ id, label: id, icon: "", group: "", action, fields: [] });
  const of = (...methods: ScreenMethod[]) =>
    choiceOf({ kind: "form", language: "en", methods }, nothingPicked)?.method.id;
  assert.equal(of(method("orbit", "orbit"), method("card", "submit")), "card");
  assert.equal(of(method("orbit", "orbit")), "orbit");
});

test("what the payer pays with, and the fields that it needs", () => {
  const rows: [picked: Picked, method: string, saved: string | undefined, fields: string[]][] = [
    [nothingPicked, "card", "a", ["payer_cvv"]],
    [{ method: "card", saved: "b" }, "card", "b", []],
    [{ method: "card", saved: "" }, "card", undefined, ["payer_card"]],
    [{ method: "card", saved: "gone" }, "card", undefined, ["payer_card"]], // never another saved card
    [{ method: "bank", saved: null }, "bank", undefined, ["iban"]],
    [{ method: "gone", saved: null }, "card", "a", ["payer_cvv"]],
  ];
  for (const [picked, ...want] of rows) {
    const choice = choiceOf(screen, picked);
    assert.deepEqual([choice?.method.id, choice?.saved?.id, choice?.fields.map((f) => f.id)], want);
  }
  assert.equal(choiceOf({ kind: "wait", language: "en" }, nothingPicked), null);
});
