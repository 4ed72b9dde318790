// Which wallets this browser can open. The code that opens them is a script of its own, which is loaded where a wallet
// is offered.

import type { ScreenMethod, ScreenWallet } from "../service/screen";
import { byRegion, regionsOf } from "./ways";

/** offered leaves out the wallets that can't be opened here, and begins with what is for the payer's region. */
export function offered(methods: ScreenMethod[], page: Window): ScreenMethod[] {
  const usable = methods.filter(({ wallet }) => !wallet || wallet.test || canOpen(wallet, page));
  return byRegion(usable, regionsOf(page.navigator.languages));
}

// A browser may refuse to tell, as in a frame that is not allowed to pay.
function canOpen(wallet: ScreenWallet, page: Window): boolean {
  try {
    if (wallet.kind === "applepay") return canOpenApplePay(wallet, page);
    return wallet.kind === "googlepay" && !!wallet.googlepay?.frame; // which finds out more, once it is there
  } catch {
    // as if there were no wallet
  }
  return false;
}

function canOpenApplePay({ applepay }: ScreenWallet, page: Window): boolean {
  const { ApplePaySession } = page as {
    ApplePaySession?: { supportsVersion(n: number): boolean; canMakePayments(): boolean };
  };
  if (!applepay?.domains.includes(topDomain(page))) return false;
  return !!ApplePaySession && ApplePaySession.supportsVersion(3) && ApplePaySession.canMakePayments();
}

/** topDomain is the host of the page at the top, for which the wallet's merchant session has to be. */
export function topDomain(page: Window): string {
  if (page.top === page.self) return page.location.hostname;
  const around = page.location.ancestorOrigins as DOMStringList | undefined;
  const top = around?.[around.length - 1];
  return top ? new URL(top).hostname : "";
}
