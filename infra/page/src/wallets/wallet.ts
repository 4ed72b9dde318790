// What opens the wallets of vendors.

import { addStyle } from "../service/stylesheet";

export { openApplePay } from "./applepay";
export { GooglePay } from "./googlepay";

// Written by build.mjs.
declare const WALLET_STYLE: string;

addStyle(WALLET_STYLE);
