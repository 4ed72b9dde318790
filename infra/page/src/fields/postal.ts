// What a postal code is called where it is written: a rule by country.

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

/** postalLabel is the language's own word, with the country's own name of it. */
export function postalLabel(word: string, country: string, tag: string): string {
  const name = rules.find(([, countries]) => country && countries.split(" ").includes(country))?.[0];
  if (!name || own[name] === tag) return word;
  return tag === "en" && english.includes(name) ? name : `${word} (${name})`;
}
