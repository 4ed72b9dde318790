// The texts that the page has, by the codes of checkout_language: English, and what load.ts has fetched.

import en from "./en";
import type { ScreenReason } from "../screen";
import type { FieldTexts, MessageKey, ReasonKey, Texts } from "./texts";

export type { FieldTexts, MendKey, MessageKey, Texts } from "./texts";
export { formatDay, formatUnits, locales, plural } from "./locales";
export { languageOf } from "./language";

const known = new Map<string, Texts>([["en", en]]);

export function addTexts(language: string, texts: Texts): void {
  known.set(language, whole(texts));
}

/** whole is a catalogue with English for the names of methods and their fields that it does not have. */
export function whole(texts: Texts): Texts {
  return {
    ...texts,
    shown: { ...en.shown, ...texts.shown },
    methods: { ...en.methods, ...texts.methods },
    options: { ...en.options, ...texts.options },
    fields: { ...en.fields, ...texts.fields },
  };
}

export function textsOf(language: string): Texts {
  return known.get(language) ?? en;
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

/** fieldTexts takes the label of a state from the country, and that of an unknown field from its id. */
export function fieldTexts(texts: Texts, id: string, country: string): FieldTexts {
  for (const key of [id + "_" + country, id]) {
    const row = Object.hasOwn(texts.fields, key) ? texts.fields[key] : undefined;
    if (row) return row;
  }
  return labelled(texts, spoken(id));
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
  return (Object.hasOwn(texts.methods, id) && texts.methods[id]) || spoken(id);
}

/** optionText is the label of an option of a field; without one the option speaks for itself. */
export function optionText(texts: Texts, field: string, value: string): string {
  const key = field + "." + value;
  return (Object.hasOwn(texts.options, key) && texts.options[key]) || value;
}

export function shownText(texts: Texts, id: string): string {
  return (Object.hasOwn(texts.shown, id) && texts.shown[id]) || spoken(id);
}

/** textOf is the text of a key in a part of a catalogue, "" where there is none. */
export function textOf(part: Record<string, string>, key: string): string {
  return (Object.hasOwn(part, key) && part[key]) || "";
}

// payer_document_number and document-number become "Document number".
function spoken(id: string): string {
  const words = id.replace(/^payer_/, "").replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[_-]+/g, " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
