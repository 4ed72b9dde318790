import assert from "node:assert/strict";
import test from "node:test";
import { groupsOf } from "../fields/group";
import type { ScreenField, ScreenMethod } from "../service/screen";
import { openedWays } from "./opened";
import { byRegion, regionsOf, waysOf } from "./ways";

const methods = (count: number) =>
  Array.from({ length: count }, (_, i): ScreenMethod => ({
    id: "m" + i,
    label: "m" + i,
    icon: "bank",
    group: "bank",
    action: "submit",
    fields: [],
  }));
const name = (m: ScreenMethod) => (m.id === "m7" ? "Álpha Bánk" : "Method " + m.id);
const ids = (shown: ScreenMethod[]) => shown.map((m) => m.id).join(" ");

test("four methods are shown at once, and the chosen one wherever it stands", () => {
  assert.equal(waysOf(methods(4), "m0", []).more, 0);
  const many = waysOf(methods(40), "m9", ["DE"]);
  assert.deepEqual([ids(many.shown), many.more], ["m0 m1 m2 m3 m9", 35]);
});

test("from nine on the opened list has a search, which needs no accents", () => {
  assert.equal(openedWays(methods(8), "m0", "", name).search, false);
  assert.equal(openedWays(methods(9), "m0", "", name).search, true);
  assert.equal(openedWays(methods(40), "m0", "", name).shown.length, 40);
  assert.equal(ids(openedWays(methods(40), "m0", "bank alpha", name).shown), "m0 m7");
  const none = openedWays(methods(40), "m0", "nowhere", name);
  assert.deepEqual([ids(none.shown), none.none, openedWays(methods(40), "m0", "m0", name).none], ["m0", true, false]);
});

test("an opened list stands in groups, each where its first method was, a closed one as the merchant orders it", () => {
  const groups = ["card", "bank", "mobile", "bank", "cash", "card"];
  const all = methods(6).map((m, i) => ({ ...m, group: groups[i]! }));
  assert.equal(ids(openedWays(all, "m0", "", name).shown), "m0 m5 m1 m3 m2 m4");
  assert.equal(ids(waysOf(all, "m5", []).shown), "m0 m1 m2 m3 m5");
});

test("what is for the payer's region comes first, and what is for others alone stands behind the button", () => {
  const countries: Record<string, string[]> = { m1: ["BR"], m3: ["BJ", "TG"], m5: ["BR"] };
  const all = methods(7).map((m) => {
    const limited = countries[m.id];
    return limited ? { ...m, countries: limited } : m;
  });
  const rows: [regions: string[], order: string, shown: string, more: number][] = [
    [[], "m0 m1 m2 m3 m4 m5 m6", "m0 m1 m2 m3", 3],
    [["TG"], "m3 m0 m2 m4 m6 m1 m5", "m3 m0 m2 m4", 3],
    [["DE", "BR"], "m1 m5 m0 m2 m4 m6 m3", "m1 m5 m0 m2", 3],
    [["DE"], "m0 m2 m4 m6 m1 m3 m5", "m0 m2 m4 m6", 3],
  ];
  for (const [regions, order, shown, more] of rows) {
    const sorted = byRegion(all, regions);
    assert.equal(ids(sorted), order);
    const ways = waysOf(sorted, sorted[0]!.id, regions);
    assert.deepEqual([ids(ways.shown), ways.more], [shown, more]);
  }
  const few = byRegion(all.slice(0, 4), ["DE"]); // the second and the last are for others
  assert.deepEqual(ids(waysOf(few, "m0", ["DE"]).shown), "m0 m2");
  assert.deepEqual(ids(waysOf(few, "m3", ["DE"]).shown), "m0 m2 m3");
  assert.equal(ids(openedWays(few, "m0", "", name).shown), "m0 m2 m1 m3");
  const foreign = all.filter((m) => m.countries);
  assert.equal(waysOf(foreign, "m1", ["DE"]).more, 0); // better these than none
});

test("the regions of a browser are those that its languages name", () => {
  assert.deepEqual(regionsOf(["de", "pt-BR", "zh-Hant-TW", "es-419", "en-US"]), ["BR", "TW", "US"]);
});

test("contact stands before the card, the address after it, the order within each stays", () => {
  const fields: [string, string, string][] = [
    ["payer_card", "card_number", "cc-number"],
    ["payer_name", "card_name", "cc-name"],
    ["payer_email", "email", "email"],
    ["payer_country", "country", "country"],
    ["payer_city", "text", "address-level2"],
    ["payer_phone", "phone", "tel"],
    ["tax_number", "text", ""],
    ["payee_card", "card_number", ""],
    ["recurring_consent", "consent", ""],
    ["order_amount", "amount", ""],
  ];
  const groups = groupsOf(fields.map(([id, kind, autocomplete]): ScreenField => ({ id, kind, autocomplete })));
  assert.deepEqual(
    groups.map((g) => g.name + ": " + g.fields.map((f) => f.id).join(" ")),
    [
      "amount: order_amount",
      "contact: payer_email payer_phone",
      "card: payer_card payer_name",
      "details: tax_number",
      "address: payer_country payer_city",
      "recipient: payee_card",
      "agreement: recurring_consent",
    ],
  );
});

test("the merchant's order goes before the page's own, and a card's box stays together", () => {
  const all: [string, string, string][] = [
    ["payer_card", "card_number", "cc-number"],
    ["payer_cvv", "security_code", "cc-csc"],
    ["payer_email", "email", "email"],
    ["payer_phone", "phone", "tel"],
    ["payer_city", "text", "address-level2"],
    ["payer_zip", "text", "postal-code"],
    ["order_amount", "amount", ""],
  ];
  const groups = (...ids: string[]) => {
    const sorted = [...ids.flatMap((id) => all.filter((f) => f[0] === id)), ...all.filter((f) => !ids.includes(f[0]))];
    const fields = sorted.map(([id, kind, autocomplete]): ScreenField => ({
      id,
      kind,
      autocomplete,
      ordered: ids.includes(id),
    }));
    return groupsOf(fields).map((g) => g.name + ": " + g.fields.map((f) => f.id.replace("payer_", "")).join(" "));
  };
  assert.deepEqual(groups("payer_zip", "payer_city"), [
    "amount: order_amount",
    "address: zip city",
    "contact: email phone",
    "card: card cvv",
  ]);
  assert.deepEqual(groups("payer_card", "payer_phone"), [
    "amount: order_amount",
    "card: card cvv",
    "contact: phone email",
    "address: zip city",
  ]);
  assert.deepEqual(groups("payer_phone", "payer_card", "payer_email"), [
    "amount: order_amount",
    "contact: phone",
    "card: card cvv",
    "contact: email",
    "address: zip city",
  ]);
});
