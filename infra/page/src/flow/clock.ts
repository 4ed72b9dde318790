// How long the payer has.

import type { Screen } from "../service/screen";

/** hasEnd is said of a form that expires, and of what can be paid elsewhere until some time. */
export function hasEnd(screen: Screen | null): boolean {
  if (screen?.kind === "wait") return (screen.expires_in_ms ?? 0) > 0;
  return screen?.kind === "form" && (screen.lifetime_ms ?? 0) > 0;
}

/** showsClock: a form has its clock in the last quarter of its life, what is paid elsewhere all the time. */
export function showsClock(screen: Screen | null, left: number): boolean {
  return hasEnd(screen) && (screen?.kind === "wait" || left <= (screen?.lifetime_ms ?? 0) / 4);
}
