// The texts that the page has, by the codes of checkout_language. The build leaves of English only what a page says before
// any texts have come; load.ts adds the others.

import type { Screen } from "../service/screen";
import en from "./en";
import type { MessageKey, Texts } from "./texts";

export type { CellKey, FieldTexts, MendKey, MessageKey, Texts } from "./texts";
export { formatDay, formatTime, formatUnits, locales, plural } from "./locales";
export { chooseLanguage, languageOf } from "./language";
export * from "./lookup";

const known = new Map<string, Partial<Texts>>();
let messages: object = en.messages;

/** addTexts adds what a file has of a language. Of headings and messages each of two files has some. */
export function addTexts(language: string, part: Partial<Texts>): void {
  const texts = { ...known.get(language) };
  const headings = { ...texts.headings, ...part.headings };
  messages = { ...messages, ...part.messages };
  known.set(language, { ...texts, ...part, headings, messages: { ...texts.messages, ...part.messages } as Texts["messages"] });
}

/** textsOf is the catalogue of a language, English if it is not there. */
export function textsOf(language: string): Texts {
  const there = [known.get(language), known.get("en")].find((texts) => texts?.tag);
  return (there ?? en) as Texts;
}

/** needsNames reports whether a screen has a method or field whose name is in the language's second file. */
export function needsNames({ fields = [], methods = [], payment }: Screen): boolean {
  const all = methods.flatMap((m) => [...m.fields, ...(m.saved ?? []).flatMap((s) => s.fields)]).concat(fields);
  return (
    methods.some((m) => m.wallet || !Object.hasOwn(en.methods, m.label)) ||
    (!!payment && !Object.hasOwn(en.methods, payment.method)) ||
    all.some((f) => f.options || !Object.hasOwn(en.fields, f.label ?? f.id))
  );
}

export function messageText(texts: Texts, key: string): string {
  return hasMessage(key) ? texts.messages[key] : texts.messages.technical_problem;
}

/** hasMessage reports whether the catalogues have a message: all of them have the same. */
export function hasMessage(key: string): key is MessageKey {
  return Object.hasOwn(messages, key);
}
