import assert from "node:assert/strict";
import test from "node:test";
import type { ScreenGooglePaySheet, ScreenWallet } from "../service/screen";
import { readyOf, requestOf } from "./googlepay";

const base = { frame: "https://wallet.example", environment: "TEST", auth_methods: ["CRYPTOGRAM_3DS"] };
const wallet = (googlepay: Partial<ScreenGooglePaySheet>): ScreenWallet => ({
  kind: "googlepay", country: "DE", label: "Pen Shop", networks: ["VISA"], googlepay: { ...base, ...googlepay },
});
const order = { amount: "18.50", currency: "EUR" };
const part = (request: object) => request as Record<string, any>;
const card = (request: object) => part(request).allowedPaymentMethods[0];

test("a token for the provider names its gateway, and what the gateway wants beside it", () => {
  const gateway_parameters = { "stripe:version": "2020-08-27", "stripe:publishableKey": "pk_1" };
  const request = requestOf(wallet({ gateway: "stripe", gateway_parameters }), order);
  assert.deepEqual(card(request).tokenizationSpecification, {
    type: "PAYMENT_GATEWAY",
    parameters: { gateway: "stripe", ...gateway_parameters }, // no id where the gateway has none
  });
  assert.equal(card(requestOf(wallet({ gateway: "acme", gateway_merchant_id: "m1" }), order))
    .tokenizationSpecification.parameters.gatewayMerchantId, "m1");
});

test("a token for the service has its public key, and no gateway", () => {
  assert.deepEqual(card(requestOf(wallet({ public_key: "BASE64" }), order)).tokenizationSpecification, {
    type: "DIRECT",
    parameters: { protocolVersion: "ECv2", publicKey: "BASE64" },
  });
});

test("the sheet shows the amount as it is charged, and the shop", () => {
  const request = part(
    requestOf(wallet({ merchant_id: "BCR2DN", merchant_name: "The Pens" }), { amount: "1000", currency: "JPY" }),
  );
  assert.deepEqual(request.transactionInfo, {
    totalPriceStatus: "FINAL",
    totalPrice: "1000",
    currencyCode: "JPY",
    countryCode: "DE",
  });
  assert.deepEqual(request.merchantInfo, { merchantId: "BCR2DN", merchantName: "The Pens" });
  assert.deepEqual(part(requestOf(wallet({}), order)).merchantInfo, { merchantName: "Pen Shop" });
  assert.deepEqual([request.apiVersion, request.apiVersionMinor], [2, 0]);
});

test("the wallet asks for what the settings say", () => {
  const parameters = (settings: Partial<ScreenGooglePaySheet>) => card(requestOf(wallet(settings), order)).parameters;
  assert.deepEqual(parameters({}), { allowedAuthMethods: ["CRYPTOGRAM_3DS"], allowedCardNetworks: ["VISA"] });
  assert.deepEqual(parameters({ billing_address: true }).billingAddressParameters, { format: "FULL" });
  assert.deepEqual(parameters({ phone: true }).billingAddressParameters, { format: "MIN", phoneNumberRequired: true });
  assert.equal(part(requestOf(wallet({ email: true }), order)).emailRequired, true);
  assert.equal("emailRequired" in requestOf(wallet({}), order), false);
});

test("whether the wallet can pay is asked without the key or the gateway", () => {
  assert.deepEqual(Object.keys(card(readyOf(wallet({ gateway: "acme", phone: true })))), ["type", "parameters"]);
});
