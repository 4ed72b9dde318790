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

const codes = ["fr", "en", "es", "de", "kk", "ru", "ar", "zh", "az"];

// Languages whose code is not the first part of a browser's tag.
const others: [tag: RegExp, code: string][] = [
  [/^zh-(hant|tw|hk|mo)\b/i, "zho"],
  [/^uk\b/i, "ua"],
  [/^(nb|nn|no)\b/i, "no"],
];

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
 * languageOf is the language that the payer chose; else the session's, which its address names so that the texts need not
 * wait for the screen; without one the browser's first that the page has, then the merchant's.
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

function codeOf(tag: string): string | undefined {
  const other = others.find(([pattern]) => pattern.test(tag));
  return other ? other[1] : codes.find((code) => code === tag.toLowerCase().split("-")[0]);
}
