// An address by country: in which order it is written, and what the postal code is called.

import { addressOrders } from "./countries";

const rules: [name: string, countries: string][] = [
  ["ZIP code", "US PR PH GU VI AS MP"],
  ["Postcode", "GB AU NZ MY GG JE IM GI"],
  ["PIN code", "IN"],
  ["Eircode", "IE"],
  ["CEP", "BR"],
  ["PLZ", "DE AT CH LI"],
  ["CAP", "IT SM VA"],
];

const english = ["ZIP code", "Postcode", "PIN code", "Eircode"];
const own: Record<string, string> = { PLZ: "de" }; // the language's own word says the same

/** halfCell is how many characters fit in half a row. */
export const halfCell = 20;

/** orderOf is the order of an address's parts in a country. */
export function orderOf(country: string): string {
  return addressOrders.find(([, countries]) => countries.includes(country))?.[0] ?? "AZCS";
}

/** postalLabel is the language's own word, with the country's own name of it where there is room. */
export function postalLabel(word: string, country: string, tag: string): string {
  const name = rules.find(([, countries]) => country && countries.split(" ").includes(country))?.[0];
  if (!name || own[name] === tag) return word;
  if (tag === "en" && english.includes(name)) return name;
  const both = `${word} (${name})`;
  return both.length > halfCell ? word : both;
}
