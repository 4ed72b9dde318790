// Leaving the page for the merchant's or a provider's address.

import type { ScreenGo } from "./screen";

const refused = ["javascript:", "data:", "vbscript:", "blob:", "file:", "filesystem:", "about:", "view-source:"];

/** A custom scheme such as myapp:// opens an app; a scheme that runs or shows what is written in it is refused. */
export function mayGo(url: string, base: string): boolean {
  try {
    return !refused.includes(new URL(url, base).protocol);
  } catch {
    return false;
  }
}

/** leave returns false when the address is refused. It replaces this page in the history, so that Back does not lead into it again. */
export function leave(go: ScreenGo): boolean {
  if (!mayGo(go.url, location.href)) return false;
  const target = go.target === "_top" ? window.top : go.target === "_parent" ? window.parent : window;
  if (target && target !== window) {
    try {
      target.location.replace(go.url);
      return true;
    } catch {
      // The frame around forbids it: better to go on inside the frame than to be stuck.
    }
  }
  location.replace(go.url);
  return true;
}
