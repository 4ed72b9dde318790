// The texts that the page has, by the codes of checkout_language: English without the names of methods, and what load.ts
// has fetched.

import en from "./en";
import type { Screen, ScreenReason } from "../screen";
import type { FieldTexts, MessageKey, Names, ReasonKey, Texts } from "./texts";

export type { FieldTexts, MendKey, MessageKey, Texts } from "./texts";
export { formatDay, formatUnits, locales, plural } from "./locales";
export { languageOf } from "./language";

const known = new Map<string, Partial<Texts>>([["en", en]]);

/** addTexts adds what a file has of a language. */
export function addTexts(language: string, part: Partial<Texts>): void {
  known.set(language, { ...known.get(language), ...part });
}

/** textsOf is the catalogue of a language, English if it is not there. */
export function textsOf(language: string): Texts {
  const texts = known.get(language);
  return (texts?.tag ? texts : known.get("en")) as Texts;
}

/** needsNames reports whether a screen has a method or field whose name is in the language's second file. */
export function needsNames({ fields = [], methods = [] }: Screen): boolean {
  const all = methods.flatMap((m) => [...m.fields, ...(m.saved ?? []).flatMap((s) => s.fields)]).concat(fields);
  return (
    methods.some((m) => !Object.hasOwn(en.methods, m.label)) ||
    all.some((f) => f.options || !Object.hasOwn(en.fields, f.label ?? f.id))
  );
}

export function fill(text: string, words: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => words[name] ?? whole);
}

export function messageText(texts: Texts, key: string): string {
  return hasMessage(key) ? texts.messages[key] : texts.messages.technical_problem;
}

/** hasMessage reports whether the catalogues have a message: all of them have the same. */
export function hasMessage(key: string): key is MessageKey {
  return Object.hasOwn(en.messages, key);
}

/** reasonText is the catalogue's text of a reason; an unknown one is a plain decline. */
export function reasonText(texts: Texts, { code, currency, arrived, due }: ScreenReason): string {
  const text = Object.hasOwn(texts.reasons, code) ? texts.reasons[code as ReasonKey] : texts.reasons.declined;
  return fill(text, { arrived: arrived + " " + currency, due: due + " " + currency });
}

/** fieldTexts takes the label of a state from the country, and that of a field without a name from its id. */
export function fieldTexts(texts: Texts, id: string, country: string): FieldTexts {
  for (const key of [id + "_" + country, id]) {
    const row = Object.hasOwn(texts.fields, key) ? texts.fields[key] : undefined;
    if (row) return row;
  }
  return labelled(texts, nameOf(texts, "fields", id) || spoken(id));
}

/** labelled are the texts of a field that the catalogue does not have. */
export function labelled(texts: Texts, label: string): FieldTexts {
  return {
    label: fill(texts.field.label, { label }),
    required: fill(texts.field.required, { label }),
    invalid: fill(texts.field.invalid, { label }),
  };
}

export function methodText(texts: Texts, id: string): string {
  return textOf(texts.methods, id) || nameOf(texts, "methods", id) || spoken(id);
}

/** optionText is the label of an option of a field; without one the option speaks for itself. */
export function optionText(texts: Texts, field: string, value: string): string {
  return nameOf(texts, "options", field + "." + value) || value;
}

export function shownText(texts: Texts, id: string): string {
  return textOf(texts.shown, id) || spoken(id);
}

/** textOf is the text of a key in a part of a catalogue, "" where there is none. */
export function textOf(part: Record<string, string>, key: string): string {
  return (Object.hasOwn(part, key) && part[key]) || "";
}

function nameOf({ names }: Texts, part: keyof Names, key: string): string {
  return names ? textOf(names[part], key) : "";
}

// payer_document_number and document-number become "Document number".
function spoken(id: string): string {
  const words = id.replace(/^payer_/, "").replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[_-]+/g, " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
