// The methods of an opened list: in groups, with a search where there are many. A part of the script that comes once a
// form is begun.

import type { ScreenMethod } from "../service/screen";
import type { Ways } from "./ways";

const searchFrom = 9;

/**
 * openedWays are by group, each where its first method stands. Names are what the payer sees, so what can be searched
 * for. The chosen method is always shown.
 */
export function openedWays(
  methods: ScreenMethod[],
  chosen: string,
  query: string,
  name: (m: ScreenMethod) => string,
): Ways {
  const words = plain(query).split(" ").filter(Boolean);
  const found = (m: ScreenMethod) => words.every((word) => plain(name(m)).includes(word));
  const groups = methods.map(({ group }) => group);
  const place = ({ group }: ScreenMethod) => groups.indexOf(group);
  const shown = methods.filter((m) => m.id === chosen || found(m)).sort((a, b) => place(a) - place(b));
  return { shown, more: 0, search: methods.length >= searchFrom, none: !methods.some(found) };
}

// plain makes what is typed without accents find what is written with them.
function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/g, " ").trim();
}
