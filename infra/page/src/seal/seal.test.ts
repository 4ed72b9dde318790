import assert from "node:assert/strict";
import test from "node:test";
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from "@hpke/core";
import { cardOf, seal } from "./seal";

const fields = [
  { id: "payer_card", kind: "card_number", sealed: true },
  { id: "payer_expiryDate", kind: "expiry", sealed: true },
  { id: "payer_cvv", kind: "security_code", sealed: true },
];
const values = { payer_card: "4111 1111 1111 1111", payer_expiryDate: "01/38", payer_cvv: "123" };

test("sealed card data is opened by the key's owner, with info as associated data", async () => {
  const suite = new CipherSuite({ kem: new DhkemP256HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() });
  const pair = await suite.kem.generateKeyPair();
  const key = Buffer.from(await suite.kem.serializePublicKey(pair.publicKey)).toString("base64url");
  const sealed = await seal(cardOf(fields, values), { key_id: "k1", key, info: "session münze" });

  assert.equal(sealed.key_id, "k1");
  assert.match(sealed.enc + sealed.ciphertext, /^[\w-]+$/);
  const info = new TextEncoder().encode("session münze");
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, "base64url"));
  const opener = await suite.createRecipientContext({ recipientKey: pair.privateKey, enc: bytes(sealed.enc), info });
  const text = new TextDecoder().decode(await opener.open(bytes(sealed.ciphertext), info));
  assert.equal(text, '{"number":"4111111111111111","expiry_month":1,"expiry_year":2038,"security_code":"123"}');
});

test("the recipient's card goes along, and what was not asked for is empty", () => {
  const payee = { id: "payee_card", kind: "card_number", sealed: true };
  const other = { payee_card: "5555 5555 5555 4444" };
  const none = { number: "", expiry_month: 0, expiry_year: 0, security_code: "" };
  assert.deepEqual(cardOf([...fields, payee], { ...values, ...other }), {
    number: "4111111111111111",
    expiry_month: 1,
    expiry_year: 2038,
    security_code: "123",
    payee_number: "5555555555554444",
  });
  assert.deepEqual(cardOf([payee], other), { ...none, payee_number: "5555555555554444" });
  assert.equal(
    JSON.stringify(cardOf(fields.slice(2), values)),
    '{"number":"","expiry_month":0,"expiry_year":0,"security_code":"123"}',
  );
});

test("any field that says so is sealed", () => {
  const pin = { id: "pin", kind: "code", format: "digits", sealed: true };
  assert.deepEqual(cardOf([pin], { pin: " 12 34 " }), {
    number: "",
    expiry_month: 0,
    expiry_year: 0,
    security_code: "",
    values: { pin: "1234" },
  });
});
