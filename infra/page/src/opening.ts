// The script that opens wallets, loaded where one is offered: Safari opens its sheet only while it handles the click.

import { useEffect, useState } from "preact/hooks";
import { loadDrawn } from "./drawn";

type Code = typeof import("./wallet");

declare global {
  var checkoutWallet: Code | undefined; // set by the script
}

// Written by build.mjs.
declare const WALLET_FILE: string;

const again = 3000; // until a script that could not be loaded is asked for again

/** useWalletCode returns the code once it is there. */
export function useWalletCode(needed: boolean): Code | undefined {
  const [code, setCode] = useState<Code | undefined>(globalThis.checkoutWallet);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (!needed || code) return;
    let timer = 0;
    loadDrawn(WALLET_FILE, () => globalThis.checkoutWallet).then(
      (loaded) => setCode(loaded),
      () => void (timer = window.setTimeout(() => setTries(tries + 1), again)),
    );
    return () => clearTimeout(timer);
  }, [needed, tries]);
  return code;
}
