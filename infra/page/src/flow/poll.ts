// How long the page waits until it asks again.

import type { Screen } from "../service/screen";

const least = 500;
const usual = 2000;
const first = [150, 250, 500, 1000]; // after Pay: most payments are decided at once
const slow = 3000;

/**
 * pollOf is quick at first, then as the service asks, then slow. The turns are counted since Pay; -1: this page has not
 * paid.
 */
export function pollOf({ poll_ms = usual }: Screen, turn: number): number {
  const asked = Math.max(poll_ms, least);
  return first[turn] ?? (turn < 2 * first.length ? asked : Math.max(asked, slow));
}
