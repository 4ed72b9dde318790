// The script that opens wallets, loaded where one is offered: Safari opens its sheet only while it handles the click.

import { useDrawn } from "./drawn";

type Code = typeof import("./wallet");

declare global {
  var checkoutWallet: Code | undefined; // set by the script
}

// Written by build.mjs.
declare const WALLET_FILE: string;

/** useWalletCode returns the code once it is there. */
export function useWalletCode(needed: boolean): Code | undefined {
  return useDrawn(needed, WALLET_FILE, () => globalThis.checkoutWallet)[0];
}
