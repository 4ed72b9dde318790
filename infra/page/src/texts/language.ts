// Which of the page's languages a screen is shown in, by the codes of checkout_language.

import type { Screen } from "../service/screen";

/** languageNames are the page's languages by their own names. */
export const languageNames: [code: string, own: string][] = [
  ["en", "English"],
  ["de", "Deutsch"],
  ["es", "Español"],
  ["fr", "Français"],
  ["no", "Norsk"],
  ["az", "Azərbaycan dili"],
  ["kk", "Қазақ тілі"],
  ["ru", "Русский"],
  ["ua", "Українська"],
  ["ar", "العربية"],
  ["zh", "简体中文"],
  ["zho", "繁體中文"],
];

// What a browser's tags of each language begin with, in lower case; the first that fits counts. A test writes them from
// internal/local/cloud/template/language.go, and the same into LanguagePage of template.yaml.
const tags: Record<string, RegExp> = {
  zho: /^zh-(hant|tw|hk|mo)\b/,
  ua: /^uk\b/,
  no: /^(nb|nn|no)\b/,
  fr: /^fr\b/,
  en: /^en\b/,
  es: /^es\b/,
  de: /^de\b/,
  kk: /^kk\b/,
  ru: /^ru\b/,
  ar: /^ar\b/,
  zh: /^zh\b/,
  az: /^az\b/,
};

const key = () => "language:" + location.search; // in sessionStorage: the choice survives the way to a bank and back
let chosen: string | null | undefined;

/** chooseLanguage is the payer's own choice, which goes before all others. */
export function chooseLanguage(language: string): void {
  chosen = language;
  try {
    sessionStorage.setItem(key(), language);
  } catch {
    // Then the choice lasts until the page is left.
  }
}

function choice(): string | null {
  if (chosen !== undefined) return chosen;
  try {
    chosen = sessionStorage.getItem(key());
  } catch {
    chosen = null;
  }
  return chosen;
}

/**
 * languageOf is the language that the payer chose; else the session's, which its address names so that the texts need
 * not wait for the screen; without one the browser's first that the page has, then the merchant's.
 */
export function languageOf(
  screen: Screen | null,
  preferred: readonly string[] = navigator.languages,
  address: string = location.search,
): string {
  const own = choice();
  if (own) return own;
  if (screen && !screen.browser_language) return screen.language;
  const named = new URLSearchParams(address).get("language");
  if (languageNames.some(([code]) => code === named)) return named!;
  for (const tag of preferred) {
    const code = codeOf(tag);
    if (code) return code;
  }
  return screen?.language ?? "en";
}

/** codeOf is the page's language that a browser's tag means, undefined if the page does not have it. */
export function codeOf(tag: string): string | undefined {
  return Object.keys(tags).find((code) => tags[code]!.test(tag.toLowerCase()));
}
