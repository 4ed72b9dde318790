// Leaving the page for the merchant's or a provider's address.

import type { ScreenGo } from "../service/screen";

const refused = ["javascript:", "data:", "vbscript:", "blob:", "file:", "filesystem:", "about:", "view-source:"];

/** A custom scheme such as myapp:// opens an app; a scheme that runs or shows what is written in it is refused. */
export function mayGo(url: string, base: string): boolean {
  try {
    return !refused.includes(new URL(url, base).protocol);
  } catch {
    return false;
  }
}

// Schemes of wallets and banking apps, and what every phone opens. Any other link that is shown is a text.
const apps = (
  "https http bitcoin bitcoincash litecoin dogecoin dash ethereum tron solana ton lightning upi bizum swish vipps " +
  "mobilepay mbway pix momo mpesa alipays weixin tel sms mailto"
).split(" ");

/** mayOpen is said of a link that the payer may click on. */
export function mayOpen(url: string): boolean {
  return apps.includes(/^([a-z][a-z0-9+.-]*):/.exec(url)?.[1] ?? "");
}

/**
 * leave returns false when the address is refused. Unless the payer comes back to it, it replaces this page in the
 * history.
 */
export function leave(go: ScreenGo, comesBack = false): boolean {
  if (!mayGo(go.url, location.href)) return false;
  const target = go.target === "_top" ? window.top : go.target === "_parent" ? window.parent : window;
  if (target && target !== window) {
    try {
      target.location.replace(go.url); // another frame's history is not this page's
      return true;
    } catch {
      // The frame around forbids it: better to go on inside the frame than to be stuck.
    }
  }
  if (comesBack) location.assign(go.url);
  else location.replace(go.url);
  return true;
}
