// What comes in parts: the parts are asked for one after the other, each with the cursor of the one before.

import type { Answer, Failure } from "./api";
import { add } from "./text";
import type { Totals } from "./types";

/** every asks until there is no cursor, and adds up. What has come is told after each part; a failure ends it. */
export async function every<T, S>(
  start: S,
  ask: (cursor: string) => Promise<Answer<T>>,
  joined: (sum: S, part: T) => S,
  told: (sum: S, cursor: string) => void,
  {
    cursorOf,
    from = "",
    stopped,
  }: { cursorOf: (part: T, next: string) => string; from?: string; stopped?: () => boolean },
): Promise<Failure | null> {
  let sum = start;
  let cursor = from;
  do {
    const answer = await ask(cursor);
    if (answer.failure) return answer.failure;
    const next = cursorOf(answer.value, answer.next);
    if (next && next === cursor) throw new Error("the cursor does not move");
    sum = joined(sum, answer.value);
    cursor = next;
    told(sum, cursor);
  } while (cursor && !stopped?.());
  return null;
}

export const noTotals: Totals = { groups: [], sums: [], declines: [], lines: 0 };

/** addTotals adds one part of the totals to those before it. */
export function addTotals(a: Totals, b: Totals): Totals {
  const both = <N extends "groups" | "sums" | "declines">(name: N) =>
    [...(a[name] ?? []), ...(b[name] ?? [])] as NonNullable<Totals[N]>;
  return {
    groups: merged(both("groups"), ["day", "currency", "method", "mid", "type"]),
    sums: merged(both("sums"), ["currency"]),
    declines: merged(both("declines"), ["reason_code", "text"]).sort((x, y) => y.count - x.count),
    lines: a.lines + b.lines,
  };
}

// merged adds up those that have some members in common: all their other members are numbers and amounts.
function merged<T extends object>(all: readonly T[], same: readonly (keyof T)[]): T[] {
  const sums = new Map<string, T>();
  for (const one of all) {
    const key = JSON.stringify(same.map((name) => one[name]));
    const before = sums.get(key);
    sums.set(key, before ? sumOf(before, one, same) : one);
  }
  return [...sums.values()];
}

function sumOf<T extends object>(a: T, b: T, same: readonly (keyof T)[]): T {
  const sum = { ...b, ...a };
  for (const name of Object.keys(sum) as (keyof T)[]) {
    if (same.includes(name)) continue;
    const [x, y] = [a[name], b[name]];
    sum[name] = (typeof x === "number" ? x + Number(y) : add(String(x ?? ""), String(y ?? ""))) as T[keyof T];
  }
  return sum;
}

/** joinedCSV puts parts of an export together, with one line of names. */
export function joinedCSV(sum: string, part: string): string {
  const head = sum.slice(0, sum.indexOf("\n") + 1);
  return sum + (head && part.startsWith(head) ? part.slice(head.length) : part);
}
