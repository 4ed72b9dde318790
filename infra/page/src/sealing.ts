// The code that seals is a script of its own, which the page loads while the payer fills in a form with sealed fields.

import type { Card, ScreenSeal, Sealed } from "./screen";

type Code = typeof import("./seal");

declare global {
  var checkoutSeal: Code | undefined; // set by the script
}

// The script's name and integrity, written by build.mjs; tests in Node have the module instead.
declare const SEAL_FILE: string;

let loading: Promise<Code> | undefined;

/** loadSealing loads the code. After a failure the next call tries again. */
export function loadSealing(): Promise<Code> {
  if (typeof SEAL_FILE === "undefined") return import("./seal");
  loading ??= new Promise<Code>((loaded, failed) => {
    const script = document.createElement("script");
    [script.src, script.integrity] = SEAL_FILE.split(" ") as [string, string];
    script.crossOrigin = "anonymous";
    script.onload = () => (globalThis.checkoutSeal ? loaded(globalThis.checkoutSeal) : failed(new Error("no code to seal")));
    script.onerror = () => failed(new Error("the code that seals could not be loaded"));
    document.head.append(script);
  }).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** seal seals card data to the service's public key. */
export async function seal(card: Card, to: ScreenSeal): Promise<Sealed> {
  return (await loadSealing()).seal(card, to);
}
