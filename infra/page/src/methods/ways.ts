// Which methods a list shows: a few at once, the rest on demand, with a search where there are many.

import type { ScreenMethod } from "../service/screen";

const atOnce = 5;
const searchFrom = 12;

export interface Ways {
  shown: ScreenMethod[];
  more: number; // how many are behind the button
  search: boolean;
  none: boolean; // nothing was found: the chosen one alone is shown
}

/** waysOf: the chosen method is always shown. Names are what the payer sees, so what can be searched for. */
export function waysOf(
  methods: ScreenMethod[],
  chosen: string,
  open: boolean,
  query: string,
  name: (m: ScreenMethod) => string,
): Ways {
  const search = open && methods.length >= searchFrom;
  if (!open) {
    const shown = methods.filter((m, i) => i < atOnce || m.id === chosen);
    return { shown, more: methods.length - shown.length, search, none: false };
  }
  const words = plain(query).split(" ").filter(Boolean);
  const found = (m: ScreenMethod) => words.every((word) => plain(name(m)).includes(word));
  return { shown: methods.filter((m) => m.id === chosen || found(m)), more: 0, search, none: !methods.some(found) };
}

// plain makes what is typed without accents find what is written with them.
function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/g, " ").trim();
}
