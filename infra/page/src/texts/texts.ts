// The shape of a catalogue is that of English, words/en.json: a test sees to it that every language has every text. The
// build makes of each text with a plural what the page chooses from, so that no browser reads ICU MessageFormat.

import type english from "./words/en.json";

type English = typeof english;

/** A text with {count}, by the categories that Intl.PluralRules has for the language. */
export type Plural = { other: string } & Partial<Record<"zero" | "one" | "two" | "few" | "many", string>>;

/** What is there by a key that comes from the service, which may be one that the page does not know. */
type Open = "test_cards" | "groups" | "ways" | "headings" | "notes" | "shown" | "methods" | "fields";

/** The names of methods, of their options and fields, and the texts of wallets. */
export type Names = English["names"];

type Own = "tag" | "dir" | "recurring" | "units" | "writing" | "names" | Open;

type Counted = "digits" | "letters_digits" | "signs"; // what a number is written with, {count} of them

export interface Texts extends Omit<English, Own>, Record<Open, Record<string, string>> {
  tag: string; // BCP 47, for the lang attribute and for Intl
  dir: "ltr" | "rtl";
  recurring: Omit<English["recurring"], "times"> & { times: Plural }; // 2 and more
  units: Record<keyof English["units"], Plural>; // as they stand in several, in too_many and behind time_left
  writing: Record<Counted, Plural> & Omit<English["writing"], Counted>;
  names?: { [part in keyof Names]?: Record<string, string> }; // of methods, and with the rest of their fields
}

/** The texts of internal/page/screen/screen.go, and the page's own. */
export type MessageKey = keyof English["messages"];

/** The codes of internal/reason/reason.go. */
export type ReasonKey = keyof English["reasons"];

/** What a marked cell says in the place of its label, at most 20 characters where two stand in a row. */
export type CellKey = keyof English["cell"];

/** How a fault is mended: see mend.ts. */
export type MendKey = keyof English["mend"];
