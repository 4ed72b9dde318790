// Which methods a list shows: a few at once, the rest on demand, with a search where there are many.

import type { ScreenMethod } from "../service/screen";

const atOnce = 4;
const searchFrom = 9;

export interface Ways {
  shown: ScreenMethod[]; // of an opened list by group, each where its first method stands
  more: number; // how many are behind the button
  search: boolean;
  none: boolean; // nothing was found: the chosen one alone is shown
}

/**
 * waysOf: the chosen method is always shown, one for other regions alone only on demand. Names are what the payer sees,
 * so what can be searched for.
 */
export function waysOf(
  methods: ScreenMethod[],
  chosen: string,
  query: string | null, // null: the list is not opened
  name: (m: ScreenMethod) => string,
  regions: string[],
): Ways {
  if (query === null) {
    const near = methods.filter((m) => rank(m, regions) < 2);
    const first = (near.length > 0 ? near : methods).slice(0, atOnce);
    const shown = methods.filter((m) => first.includes(m) || m.id === chosen);
    return { shown, more: methods.length - shown.length, search: false, none: false };
  }
  const words = plain(query).split(" ").filter(Boolean);
  const found = (m: ScreenMethod) => words.every((word) => plain(name(m)).includes(word));
  const groups = methods.map(({ group }) => group);
  const place = ({ group }: ScreenMethod) => groups.indexOf(group);
  const shown = methods.filter((m) => m.id === chosen || found(m)).sort((a, b) => place(a) - place(b));
  return { shown, more: 0, search: methods.length >= searchFrom, none: !methods.some(found) };
}

/**
 * byRegion keeps the merchant's order, but what is for the payer's regions comes first, and what is for others last.
 */
export function byRegion(methods: ScreenMethod[], regions: string[]): ScreenMethod[] {
  return [...methods].sort((a, b) => rank(a, regions) - rank(b, regions));
}

/** regionsOf are the regions that a browser's languages name: US of en-US. */
export function regionsOf(languages: readonly string[]): string[] {
  return languages.flatMap((language) => /-([A-Z]{2})\b/.exec(language)?.[1] ?? []);
}

function rank({ countries }: ScreenMethod, regions: string[]): number {
  if (!countries || regions.length === 0) return 1;
  return countries.some((country) => regions.includes(country)) ? 0 : 2;
}

// plain makes what is typed without accents find what is written with them.
function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/g, " ").trim();
}
