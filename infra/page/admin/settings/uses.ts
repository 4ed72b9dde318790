// What is said of the use of a key or secret.

import { count, timeText } from "../text";
import type { Certificate, Counted, SecretView, Uses } from "../types";

/**
 * usedText says when the secret of a place was last used. The day alone is known, so a use on its first day may be of
 * the one before.
 */
export function usedText(place: string, { since }: SecretView, { used }: Uses): string {
  const day = used[place.replace(/(\.credentials)\..*$/, "$1")];
  if (!day) return "no order has used it";
  if (day < since.slice(0, 10)) return `not used since, last before that on ${day}`;
  return `last used on ${day}`;
}

/** overlapText says how often the old and the new one were used while both are good. It is empty if that is not so. */
export function overlapText(place: string, { old_until: until }: SecretView, { overlaps }: Uses, now: number): string {
  if (!until || Date.parse(until) <= now) return "";
  const both = overlaps.find((one) => one.secret === place && Date.parse(one.until) === Date.parse(until));
  const none: Counted = { count: 0 };
  const least = both?.more ? "at least " : "";
  return `Old: ${least}${counted(both?.old ?? none)}; new: ${least}${counted(both?.new ?? none)}.`;
}

const counted = (uses: Counted) =>
  count(uses.count, "time") + (uses.last ? `, last ${timeText(uses.last).slice(0, 16)}` : "");

/**
 * isCounted says whether uses of the old and the new one at a place are counted. Those of a callback secret are not:
 * both sign.
 */
export const isCounted = (place: string) => place !== "callback_secret";

/** daysLeft is how many whole days a certificate has left, less than 0 once it has ended. */
export const daysLeft = ({ until }: Certificate, now: number) => Math.floor((Date.parse(until) - now) / 86400_000);

/**
 * endsSoon says whether a certificate has to be replaced: at the same time as the alarm and the warnings say so. The
 * one before the present one is kept for tokens under way alone.
 */
export const endsSoon = (place: string, certificate: Certificate, now: number) =>
  daysLeft(certificate, now) < 30 && !place.endsWith("processing[1].key");
