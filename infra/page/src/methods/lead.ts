// The one thing to do of what is shown to a payer who waits: its button is the filled one.

import { mayOpen } from "../flow/leave";
import type { Screen, ScreenShown } from "../service/screen";

/** scans is said of what is drawn for another device to scan. */
export function scans({ type }: ScreenShown): boolean {
  return ["qr", "barcode", "image"].includes(type);
}

/** inHand is said of a device that can't scan its own screen. */
export function inHand(): boolean {
  return matchMedia("(pointer: coarse), (max-width: 32rem)").matches;
}

/**
 * leadOf is the id of the row that is opened or copied first: a link, or in the hand what a QR code has in it. It is ""
 * where the payer scans, fills in a second form, or has several values to copy.
 */
export function leadOf({ show = [], fields }: Screen, hand = inHand()): string {
  if (fields) return "";
  const link = show.find(({ type, value }) => type === "link" && mayOpen(value));
  if (link && (hand || !show.some(scans))) return link.id;
  return (hand && show.find(({ type }) => type === "qr")?.id) || "";
}
