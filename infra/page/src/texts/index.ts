// The texts that the page has, by the codes of checkout_language. The build leaves of English only what a page says
// before any texts have come; load.ts adds the others.

import en from "./words/en.json";
import type { MessageKey, Texts } from "./texts";

export type { CellKey, MendKey, MessageKey, Texts } from "./texts";
export { formatDay, formatTime, formatUnits, formOf, locales, plural } from "./locales";
export { chooseLanguage, languageOf } from "./language";
export * from "./lookup";

const known = new Map<string, Partial<Texts>>();
let messages: object = en.messages;

/** addTexts adds what a file has of a language to the same object, whose drawn texts are then there. */
export function addTexts(language: string, part: Partial<Texts>): void {
  const texts = known.get(language) ?? {};
  const headings = { ...texts.headings, ...part.headings };
  const names = { ...texts.names, ...part.names, wallet: { ...texts.names?.wallet, ...part.names?.wallet } };
  messages = { ...messages, ...part.messages };
  known.set(
    language,
    Object.assign(texts, part, { headings, names, messages: { ...texts.messages, ...part.messages } }),
  );
}

/**
 * textsOf is the catalogue of a language, English if it is not there, and until that has come the one that was there
 * first.
 */
export function textsOf(language: string): Texts {
  const there = [known.get(language), known.get("en"), ...known.values()].find((texts) => texts?.tag);
  return (there ?? en) as unknown as Texts;
}

export function messageText(texts: Texts, key: string): string {
  return hasMessage(key) ? texts.messages[key] : texts.messages.technical_problem;
}

/** hasMessage reports whether the catalogues have a message: all of them have the same. */
export function hasMessage(key: string): key is MessageKey {
  return Object.hasOwn(messages, key);
}
