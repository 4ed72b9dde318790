// The catalogues by the codes of Screen.language. A new language is a file and a row here.

import en from "./en";
import type { FieldTexts, MessageKey, Texts } from "./texts";

export type { FieldTexts, MessageKey, Texts } from "./texts";

export const catalogues: Record<string, Texts> = { en };

export function textsOf(language: string): Texts {
  return (Object.hasOwn(catalogues, language) && catalogues[language]) || en;
}

export function fill(text: string, words: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => words[name] ?? whole);
}

export function messageText(texts: Texts, key: string): string {
  return Object.hasOwn(texts.messages, key) ? texts.messages[key as MessageKey] : texts.messages.technical_problem;
}

/** fieldTexts takes the label of a state from the country, and that of an unknown field from its id. */
export function fieldTexts(texts: Texts, id: string, country: string): FieldTexts {
  const rows: Record<string, FieldTexts> = texts.fields;
  for (const key of [id + "_" + country, id]) {
    const row = Object.hasOwn(rows, key) ? rows[key] : undefined;
    if (row) return row;
  }
  const label = spoken(id);
  return {
    label: fill(texts.field.label, { label }),
    required: fill(texts.field.required, { label }),
    invalid: fill(texts.field.invalid, { label }),
  };
}

export function methodText(texts: Texts, id: string): string {
  return (Object.hasOwn(texts.methods, id) && texts.methods[id]) || spoken(id);
}

export function shownText(texts: Texts, id: string): string {
  return (Object.hasOwn(texts.shown, id) && texts.shown[id]) || spoken(id);
}

// payer_document_number becomes "Document number".
function spoken(id: string): string {
  const words = id.replace(/^payer_/, "").replace(/([a-z])([A-Z])/g, "$1 $2").replace(/_+/g, " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
