import assert from "node:assert/strict";
import test from "node:test";
import type { ScreenField, ScreenMethod } from "../service/screen";
import { choiceOf, nothingPicked } from "./choice";
import { offered, topDomain } from "./offered";

const method = (id: string, rest: Partial<ScreenMethod>): ScreenMethod => ({
  id, label: id, icon: id, group: "wallet", action: "wallet", fields: [], ...rest,
});
const email: ScreenField = { id: "payer_email", kind: "email", required: true };
const card = method("card", { action: "submit", group: "card" });
const wallet = (kind: string, test: boolean, domains = ["checkout.example"]) =>
  method(kind, {
    wallet: {
      kind,
      country: "DE",
      label: "Shop",
      networks: ["visa"],
      ...(test && { test }),
      applepay: { capabilities: [], application_data: "", domains },
    },
  });
const framed = (frame: string) =>
  method("googlepay", {
    wallet: {
      kind: "googlepay",
      country: "DE",
      label: "Shop",
      networks: ["VISA"],
      googlepay: { frame, environment: "TEST", auth_methods: [] },
    },
  });

interface Around {
  top?: string[]; // origins of the pages around
  version?: number; // of the wallet in the browser
  pays?: boolean;
}

function page({ top = [], version, pays = true }: Around): Window {
  const location = { hostname: "checkout.example", ancestorOrigins: top };
  const self = {};
  const ApplePaySession = { supportsVersion: (n: number) => n <= (version ?? 0), canMakePayments: () => pays };
  return {
    self,
    top: top.length > 0 ? {} : self,
    location,
    navigator: { languages: ["pt-BR"] },
    ...(version && { ApplePaySession }),
  } as unknown as Window;
}

test("a wallet is offered where the browser has it, can pay, and the page at the top may open it", () => {
  const rows: [ScreenMethod, Around, boolean][] = [
    [card, {}, true],
    [wallet("applepay", true), {}, true],
    [wallet("googlepay", true), {}, true],
    [wallet("applepay", false), {}, false],
    [wallet("applepay", false), { version: 3 }, true],
    [wallet("applepay", false), { version: 2 }, false],
    [wallet("applepay", false), { version: 14, pays: false }, false],
    [wallet("applepay", false, ["shop.example"]), { version: 14 }, false],
    [
      wallet("applepay", false, ["shop.example"]),
      { version: 14, top: ["https://inner.example", "https://shop.example"] },
      true,
    ],
    [wallet("applepay", false), { version: 14, top: ["https://shop.example"] }, false],
    [wallet("googlepay", false), {}, false],
    [framed(""), {}, false], // a service without the second origin
    [framed("https://wallet.example"), {}, true],
    [wallet("orbitpay", false), { version: 14 }, false],
  ];
  for (const [of, around, want] of rows) {
    assert.equal(offered([of], page(around)).length === 1, want, JSON.stringify([of.id, around]));
  }
  const broken = page({ version: 14 }) as unknown as { ApplePaySession: { canMakePayments(): boolean } };
  broken.ApplePaySession.canMakePayments = () => {
    throw new Error("not in this frame");
  };
  assert.deepEqual(offered([wallet("applepay", false), card], broken as unknown as Window), [card]);
  const pix = method("pix", { action: "submit", countries: ["BR"] });
  assert.deepEqual(offered([card, pix], page({})), [pix, card]); // which is the payer's own
});

test("the page at the top is the last one around", () => {
  assert.equal(topDomain(page({})), "checkout.example");
  assert.equal(topDomain(page({ top: ["https://a.example:8443", "https://shop.example"] })), "shop.example");
  const untold = { ...page({ top: ["https://a.example"] }), location: { hostname: "checkout.example" } };
  assert.equal(topDomain(untold as unknown as Window), ""); // where the browser does not tell
});

test("a wallet with fields is chosen when it is pressed, and asks for them first", () => {
  const asks = method("applepay", { fields: [email] });
  const of = (methods: ScreenMethod[], picked: string | null) => {
    const choice = choiceOf({ kind: "form", language: "en", methods }, { ...nothingPicked, method: picked });
    return [choice?.method.id, choice?.asks ?? false, choice?.fields.length];
  };
  assert.deepEqual(of([asks, card], null), ["card", false, 0]);
  assert.deepEqual(of([asks, card], "applepay"), ["applepay", true, 1]);
  assert.deepEqual(of([asks], null), ["applepay", true, 1]); // there is nothing else
  assert.deepEqual(of([asks, method("googlepay", {})], null), ["applepay", false, 1]); // its button is not pressed yet
  assert.deepEqual(of([method("googlepay", {}), card], "googlepay"), ["card", false, 0]);
  const told = { ...email, told: true };
  assert.deepEqual(of([method("googlepay", { fields: [told] }), card], "googlepay"), ["card", false, 0]);
  assert.deepEqual(of([method("googlepay", { fields: [told, { ...email, id: "payer_name" }] })], null), [
    "googlepay",
    true,
    1,
  ]);
  const all = choiceOf(
    { kind: "form", language: "en", methods: [method("googlepay", { fields: [told] })] },
    { method: "googlepay", saved: null, all: true },
  );
  assert.deepEqual(all?.fields, [told]); // what was told won't do
});
