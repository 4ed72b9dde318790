// Card data is sealed to the service's public key (RFC 9180, base mode), so that only the function that talks to
// the provider can open it. With a card or a wallet comes what 3-D Secure asks of the browser.

import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from "@hpke/core";
import { measures } from "./browser";
import type { Card, PayRequest, ScreenSeal, Sealed, Token } from "./screen";

/** withCard is the part of a request that belongs to a card or token; null is a saved card of which nothing is sealed. */
export async function withCard(card: Card | Token | null, to: ScreenSeal): Promise<Pick<PayRequest, "sealed" | "browser">> {
  return { ...(card && { sealed: await seal(card, to) }), browser: measures(globalThis) };
}

export async function seal(card: Card | Token, to: ScreenSeal): Promise<Sealed> {
  const suite = new CipherSuite({
    kem: new DhkemP256HkdfSha256(),
    kdf: new HkdfSha256(),
    aead: new Aes256Gcm(),
  });
  const recipientPublicKey = await suite.kem.deserializePublicKey(fromBase64url(to.key));
  const info = new TextEncoder().encode(to.info);
  const sender = await suite.createSenderContext({ recipientPublicKey, info });
  const ciphertext = await sender.seal(new TextEncoder().encode(JSON.stringify(card)), info);
  return { key_id: to.key_id, enc: toBase64url(sender.enc), ciphertext: toBase64url(ciphertext) };
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(binary, (c) => c.charCodeAt(0));
}

function toBase64url(bytes: ArrayBufferLike): string {
  const binary = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}
