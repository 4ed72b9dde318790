// Countries by their ISO 3166-1 alpha-2 codes, which orders.json has, and the states of those countries that have a
// list. The build leaves the lists empty: places.ts fetches them.

import states from "../../../../internal/method/states.json";
import orders from "./orders.json";

const lists: Record<string, string[][]> = states;
const names = new Map<string, string[][]>(); // by the tag of the language

export function addStates(rows: Record<string, string[][]>): void {
  Object.assign(lists, rows);
}

export function addNames(tag: string, rows: Record<string, string>): void {
  names.set(tag, Object.entries(rows));
}

/** addressOrders are the orders of an address's parts, with their countries: A line, C city, S state, Z postal code. */
export const addressOrders = Object.entries(orders).map(([order, words]): [string, string[]] => [
  order,
  words.split(" ").flatMap(([first, ...seconds]) => seconds.map((second) => first! + second)), // ADE is AD and AE
]);

const countries = addressOrders.flatMap(([, all]) => all);

export default countries;

/** statesOf lists [code, name] of a country's states, none while they are fetched; null where there are none. */
export function statesOf(country: string): string[][] | null {
  return (Object.hasOwn(lists, country) && lists[country]) || null;
}

/** isState: while the list is fetched, any can be one. */
export function isState(country: string, code: string): boolean {
  const all = statesOf(country) ?? [];
  return all.length === 0 || all.some(([own]) => own === code);
}

/** countryNames lists [code, name] of all countries in the order of the language. */
export function countryNames(language: string): string[][] {
  const own = names.get(language);
  if (own) return own;
  const known = new Intl.DisplayNames([language, "en"], { type: "region" });
  const order = new Intl.Collator([language, "en"]);
  const all = countries
    .map((code) => [code, known.of(code) ?? code])
    .sort(([, a = ""], [, b = ""]) => order.compare(a, b));
  names.set(language, all);
  return all;
}
