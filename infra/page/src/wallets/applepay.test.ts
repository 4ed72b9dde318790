import assert from "node:assert/strict";
import test from "node:test";
import type { State } from "../flow/state";
import type { Screen, ScreenWallet } from "../service/screen";
import { decided, requestOf } from "./applepay";

const wallet: ScreenWallet = {
  kind: "applepay", country: "DE", label: "Pen Shop", networks: ["visa", "mada", "girocard", "bankAxept"],
  applepay: { capabilities: ["supports3DS"], application_data: "c2Vzc2lvbg==", domains: [] },
};
const order = { amount: "10.50", currency: "EUR" };

test("a request has the networks that the browser knows, in the version that they need", () => {
  const of = (newest: number, networks = wallet.networks, plan?: { description: string; manage_url: string }) => {
    const applepay = { ...wallet.applepay!, ...(plan && { recurring: plan }) };
    const { version, request } = requestOf({ ...wallet, networks, applepay }, order, (n) => n <= newest);
    const { supportedNetworks, recurringPaymentRequest } = request as {
      supportedNetworks: string[];
      recurringPaymentRequest?: object;
    };
    return [version, supportedNetworks.join(), !!recurringPaymentRequest];
  };
  assert.deepEqual(of(14), [11, "visa,mada,girocard", false]);
  assert.deepEqual(of(15), [15, "visa,mada,girocard,bankAxept", false]);
  assert.deepEqual(of(4), [3, "visa", false]);
  assert.deepEqual(of(15, ["visa"]), [3, "visa", false]);
  const plan = { description: "Coffee", manage_url: "https://shop.example/terms" };
  assert.deepEqual(of(14, ["visa"], plan), [14, "visa", true]);
  assert.deepEqual(of(13, ["visa"], plan), [3, "visa", false]);
  assert.deepEqual(requestOf({ ...wallet, networks: ["visa"] }, order, () => true).request, {
    countryCode: "DE",
    currencyCode: "EUR",
    supportedNetworks: ["visa"],
    merchantCapabilities: ["supports3DS"],
    applicationData: "c2Vzc2lvbg==",
    total: { label: "Pen Shop", amount: "10.50", type: "final" },
  });
});

test("the sheet is told what became of the payment, once that is known", () => {
  const state = (busy: State["busy"], screen: Partial<Screen>, notice: State["notice"] = null): State => ({
    screen: { kind: "form", language: "en", ...screen },
    received: 0,
    busy,
    notice,
    faults: [],
    staying: false,
    cleared: 0,
    declined: 0,
    still: false,
    paid: false,
    opened: "",
    told: false,
    retryIn: 0,
  });
  const rows: [State, boolean | null][] = [
    [state("sending", {}), null],
    [state("lost", { kind: "wait" }), null],
    [state("no", { kind: "wait", message: { text: "processing" } }), null],
    [state("no", { kind: "wait", show: [] }), true],
    [state("no", { kind: "form", message: { text: "declined" } }), false],
    [state("no", { kind: "form" }, "not_sent"), false],
    [state("no", { kind: "go", message: { text: "paid" } }), true],
    [state("no", { kind: "go", message: { text: "continue_elsewhere" } }), true], // 3-D Secure
    [state("no", { kind: "go", message: { text: "too_many_declines" } }), false],
    [state("no", { kind: "message", message: { text: "paid" } }), true],
    [state("no", { kind: "message", message: { text: "expired" } }), false],
  ];
  for (const [of, want] of rows) assert.equal(decided(of), want, JSON.stringify([of.busy, of.screen, of.notice]));
});
