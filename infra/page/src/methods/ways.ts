// Which methods a closed list shows: a few at once, the rest on demand.

import type { ScreenMethod } from "../service/screen";

const atOnce = 4;

export interface Ways {
  shown: ScreenMethod[];
  more: number; // how many are behind the button
  search?: boolean;
  none?: boolean; // nothing was found: the chosen one alone is shown
}

/** waysOf: the chosen method is always shown, one for other regions alone only on demand. */
export function waysOf(methods: ScreenMethod[], chosen: string, regions: string[]): Ways {
  const near = methods.filter((m) => rank(m, regions) < 2);
  const first = (near.length > 0 ? near : methods).slice(0, atOnce);
  const shown = methods.filter((m) => first.includes(m) || m.id === chosen);
  return { shown, more: methods.length - shown.length };
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
