// What the page says, by language.

import { evaluate } from "./scripts.mjs";

/** languages is the content of each file of texts. Names of countries come from Node's ICU where browsers lack them. */
export async function languages() {
  const { catalogues, names, partsOf, countryNames } = await evaluate(`
    export { catalogues, names, partsOf } from "./src/texts/catalogues";
    export { countryNames } from "./src/fields/countries";`);
  const texts = Object.entries(catalogues).flatMap(([language, all]) => {
    const parts = partsOf(all, names[language]);
    return [[language, parts.first], [language + "-rest", parts.rest]];
  });
  const countries = ["kk", "az"].map((tag) => ["places-" + tag, Object.fromEntries(countryNames(tag))]);
  return { english: early(catalogues.en), texts, countries };
}

// early are the texts of a page that could not fetch any.
function early({ tag, dir, title_plain, ask_now, headings, messages }) {
  const some = ["connection_lost", "technical_problem"];
  const keep = (part) => Object.fromEntries(some.map((key) => [key, part[key]]));
  return { tag, dir, title_plain, ask_now, headings: keep(headings), messages: keep(messages) };
}
