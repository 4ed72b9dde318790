// What the page knows of its session.

import type { MessageKey } from "../texts";
import type { Screen } from "../service/screen";

export interface State {
  screen: Screen | null;
  received: number; // when the screen came, by the browser's clock
  busy: "no" | "sending" | "lost"; // lost: no request may be made but asking where things are
  notice: MessageKey | null; // the page's own message, before the screen's
  faults: string[]; // "path: text", the service's answer to the last pay request
  staying: boolean; // on a go screen: the payer says when to leave
  opened: "" | "open" | "blocked"; // from a frame: the window in which the payer goes on
  told: boolean; // the payer says that the payment was made elsewhere
  cleared: number; // grows when all card data has to go
  declined: number; // grows when the security code has to go: the rest of a declined card stays for another try
  still: boolean; // just after Pay: the form keeps its place, dimmed
  paid: boolean; // the payer is told so before the page leaves
  retryIn: number; // seconds that the service asked to wait, at the time of its answer; 0: none, or they are over
}

/** keptKey is the key under which the tab keeps what was typed for an order. */
export const keptKey = "typed";

/** first is the state before anything has come. */
export const first: State = {
  screen: null,
  received: 0,
  busy: "no",
  notice: null,
  faults: [],
  staying: false,
  opened: "",
  told: false,
  cleared: 0,
  declined: 0,
  still: false,
  paid: false,
  retryIn: 0,
};
