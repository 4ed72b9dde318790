// The code that seals is a script of its own. It is loaded when the payer begins to fill in a form with sealed fields.

import type { PayRequest } from "../service/screen";
import { loadScript } from "../service/script";

type Code = typeof import("./seal");

declare global {
  var checkoutSeal: Code | undefined; // set by the script
}

// Written by build.mjs; tests in Node have the module instead.
declare const SEAL_FILE: string;

const tries = 3;
const pause = 1000;

/** loadSealing loads the code. */
export function loadSealing(): Promise<Code> {
  if (typeof SEAL_FILE === "undefined") return import("./seal");
  return loadScript(SEAL_FILE, () => globalThis.checkoutSeal);
}

/** withSealing makes a request by the code. Pay is not given up for one request that failed. */
export async function withSealing(make: (code: Code) => Promise<PayRequest>): Promise<PayRequest> {
  for (let left = tries; ; left--) {
    try {
      return await make(await loadSealing());
    } catch (error) {
      if (left === 1 || globalThis.checkoutSeal) throw error;
    }
    await new Promise((done) => setTimeout(done, pause));
  }
}
