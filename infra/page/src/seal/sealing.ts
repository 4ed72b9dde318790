// The code that seals is in the script that is loaded when the payer begins to fill in a form.

import type { PayRequest } from "../service/screen";
import { loadScript } from "../service/script";

type Code = Pick<typeof import("./seal"), "withCard" | "withToken">;

// Written by build.mjs; tests in Node have the module instead.
declare const AFTER_FILE: string;

const tries = 3;
const pause = 1000;

function loadSealing(): Promise<Code> {
  if (typeof AFTER_FILE === "undefined") return import("./seal");
  return loadScript(AFTER_FILE, () => globalThis.checkoutAfter);
}

/** withSealing makes a request by the code. Pay is not given up for one request that failed. */
export async function withSealing(make: (code: Code) => Promise<PayRequest>): Promise<PayRequest> {
  for (let left = tries; ; left--) {
    try {
      return await make(await loadSealing());
    } catch (error) {
      if (left === 1 || globalThis.checkoutAfter) throw error;
    }
    await new Promise((done) => setTimeout(done, pause));
  }
}
