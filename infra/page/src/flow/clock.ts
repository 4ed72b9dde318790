// How long the payer has.

import type { Screen } from "../service/screen";

/** hasEnd is said of a form that expires, and of what can be paid elsewhere until some time. */
export function hasEnd(screen: Screen | null): boolean {
  if (screen?.kind === "wait") return (screen.expires_in_ms ?? 0) > 0;
  return screen?.kind === "form" && (screen.lifetime_ms ?? 0) > 0;
}

/** showsClock: a form has its clock in the last quarter of its life, what is paid elsewhere on its last day. Before that
 * nobody counts the seconds, and a row has the date. */
export function showsClock(screen: Screen | null, left: number): boolean {
  return hasEnd(screen) && (screen?.kind === "wait" ? left < 864e5 : left <= (screen?.lifetime_ms ?? 0) / 4);
}
