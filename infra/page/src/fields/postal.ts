// A postal code by country: what it is called where it is written, and whether it stands behind the city.

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

const cityBefore = "AU BR CA CO EG GB GU ID IE IN JO KR LB LV NG NZ PE PK PR RU SA SG TH UA US VE VN ZA";

/** halfCell is how many characters fit in half a row. */
export const halfCell = 20;

/** cityFirst tells whether a country writes the city before the postal code. */
export function cityFirst(country: string): boolean {
  return country !== "" && cityBefore.includes(country);
}

/** postalLabel is the language's own word, with the country's own name of it where there is room. */
export function postalLabel(word: string, country: string, tag: string): string {
  const name = rules.find(([, countries]) => country && countries.split(" ").includes(country))?.[0];
  if (!name || own[name] === tag) return word;
  if (tag === "en" && english.includes(name)) return name;
  const both = `${word} (${name})`;
  return both.length > halfCell ? word : both;
}
