// What the page needs once a form is begun: what seals a card, what is said of faults, what is shown after the form,
// saved cards. A script of its own.

export { cellOf, lineOf } from "../told/mend";
export { pasteCard } from "../fields/paste";
export { codeOf, isInDigits, isUsual, withCode } from "../told/address";
export { HandOff, Take } from "../methods/take";
export { Saved, SaveBox } from "../methods/saved";
export { openedWays } from "../methods/opened";
export { fits, Writing } from "../told/writing";
export { withCard, withToken } from "../seal/seal";
export { Sign } from "../look/sign";
export { Actions, shownIn } from "./actions";
export { Clock } from "./clock";
export { Kept } from "./kept";
export { hasTyped, Leaving, WaysOut } from "./leave";
export { SecondForm } from "./second";

// Written by build.mjs: the style sheet beside this file. A file of its own would be one more request.
declare const AFTER_RULES: string[];

const sheet = document.styleSheets[0]!; // of the page
for (const rule of AFTER_RULES) sheet.insertRule(rule, sheet.cssRules.length);
