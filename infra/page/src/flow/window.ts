// Providers let no other site show their pages in a frame. Where this page stands in one, it opens itself in a window,
// which goes on to the provider; the frame waits, and goes on to the shop.

import type { Screen } from "../service/screen";
import type { World } from "./world";

/** forWindow stands behind the address of the page that is opened so. */
export const forWindow = "#window";

/** noteOf is the key of the note in such a window's own storage, which its tab keeps while it is at the provider's. */
export function noteOf(session: string): string {
  return "window:" + session;
}

/** leadsAway is said of a screen that leads to a provider, where the payer has a step to take. */
export function leadsAway({ kind, message }: Screen): boolean {
  return kind === "go" && message?.text === "continue_elsewhere";
}

/** inWindow is what a window shows in place of a form, or of the shop, which it leads to only if its payer wants that.
 * With the payment's step its work is done. */
export function inWindow(screen: Screen, { framed, storage, page, close }: World, note: string): Screen {
  if (framed || screen.kind === "wait" || leadsAway(screen) || !storage.getItem(note)) return screen;
  close();
  if (screen.kind === "message") return screen;
  if (!screen.go) storage.removeItem(note); // whose frame is gone may pay here
  return {
    ...screen,
    kind: "message",
    message: { text: "window_done" },
    go: screen.go ?? { url: page, target: "_self" },
  };
}
