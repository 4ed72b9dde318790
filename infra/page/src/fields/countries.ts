// Countries by their ISO 3166-1 alpha-2 codes, and the states of those countries that have a list. The build leaves the
// lists empty: places.ts fetches them.

import states from "../../../../internal/method/states.json";

const lists: Record<string, string[][]> = states;
const names = new Map<string, string[][]>(); // by the tag of the language

export function addStates(rows: Record<string, string[][]>): void {
  Object.assign(lists, rows);
}

export function addNames(tag: string, rows: Record<string, string>): void {
  names.set(tag, Object.entries(rows));
}

const countries = (
  "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY " +
  "BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK " +
  "FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR " +
  "IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK " +
  "ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM " +
  "PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF " +
  "TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW"
).split(" ");

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
