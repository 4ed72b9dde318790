// Card data is sealed to the service's public key (RFC 9180, base mode), so that only the function that talks to
// the provider can open it. With a card or a wallet comes what 3-D Secure asks of the browser.

import { AEAD_AES_256_GCM, CipherSuite, KDF_HKDF_SHA256, KEM_DHKEM_P256_HKDF_SHA256 } from "hpke";
import { digitsOf, parseExpiry } from "../fields/card";
import { plain } from "../fields/check";
import type { Card, PayRequest, ScreenField, ScreenSeal, Sealed, Token } from "../service/screen";
import { measures } from "./browser";

/** withCard is the request with its sealed fields. A saved card may have none. */
export function withCard(
  open: PayRequest,
  fields: ScreenField[],
  values: Record<string, string>,
  to?: ScreenSeal,
): Promise<PayRequest> {
  return complete(open, fields.length > 0 ? cardOf(fields, values) : null, to);
}

/** withToken is the request with a wallet's token. */
export function withToken(open: PayRequest, token: string, to?: ScreenSeal): Promise<PayRequest> {
  return complete(open, { token }, to);
}

async function complete(open: PayRequest, card: Card | Token | null, to?: ScreenSeal): Promise<PayRequest> {
  if (card && !to) throw new Error("no key to seal to");
  return { ...open, ...(card && to && { sealed: await seal(card, to) }), browser: measures(globalThis) };
}

/** cardOf gathers the sealed fields: those of a card in their places, any other among the values. */
export function cardOf(fields: ScreenField[], values: Record<string, string>): Card {
  const card: Card = { number: "", expiry_month: 0, expiry_year: 0, security_code: "" };
  for (const field of fields) {
    const value = values[field.id] ?? field.value ?? "";
    switch (field.kind) {
      case "card_number":
        if (field.id === "payee_card") card.payee_number = digitsOf(value);
        else card.number = digitsOf(value);
        break;
      case "expiry": {
        const expiry = parseExpiry(value);
        card.expiry_month = expiry?.month ?? 0;
        card.expiry_year = expiry?.year ?? 0;
        break;
      }
      case "security_code":
        card.security_code = digitsOf(value);
        break;
      default:
        card.values = { ...card.values, [field.id]: plain(field, value) };
    }
  }
  return card;
}

export async function seal(card: Card | Token, to: ScreenSeal): Promise<Sealed> {
  const suite = new CipherSuite(KEM_DHKEM_P256_HKDF_SHA256, KDF_HKDF_SHA256, AEAD_AES_256_GCM);
  const owner = await suite.DeserializePublicKey(fromBase64url(to.key));
  const info = new TextEncoder().encode(to.info);
  const text = new TextEncoder().encode(JSON.stringify(card));
  const { encapsulatedSecret, ciphertext } = await suite.Seal(owner, text, { info, aad: info });
  return { key_id: to.key_id, enc: toBase64url(encapsulatedSecret), ciphertext: toBase64url(ciphertext) };
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(binary, (c) => c.charCodeAt(0));
}

function toBase64url(bytes: Uint8Array): string {
  const binary = String.fromCharCode(...bytes);
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}
