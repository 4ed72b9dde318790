// The scripts that open wallets. Those of vendors are loaded where one is offered: Safari opens its sheet only while it
// handles the click. The test wallet is loaded when it is pressed.

import { useDrawn } from "../service/drawn";
import type { Screen } from "../service/screen";

type Wallet = typeof import("./wallet");
type TestWallet = typeof import("./testwallet");

declare global {
  var checkoutWallet: Wallet | undefined; // set by the scripts
  var checkoutTestWallet: TestWallet | undefined;
}

// Written by build.mjs.
declare const WALLET_FILE: string;
declare const TEST_WALLET_FILE: string;

/** useWallet returns what opens the wallets of vendors, once it is there. */
export function useWallet({ methods = [] }: Screen): Wallet | undefined {
  const needed = methods.some(({ wallet }) => wallet && !wallet.test);
  return useDrawn(needed, WALLET_FILE, () => globalThis.checkoutWallet)[0];
}

/** useTestWallet returns the test wallet once it is needed and there. */
export function useTestWallet(needed: boolean): TestWallet | undefined {
  return useDrawn(needed, TEST_WALLET_FILE, () => globalThis.checkoutTestWallet)[0];
}
