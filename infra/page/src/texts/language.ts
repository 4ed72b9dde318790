// Which of the page's languages a screen is shown in, by the codes of checkout_language.

import type { Screen } from "../screen";

const codes = ["fr", "en", "es", "de", "kk", "ru", "ar", "zh", "az"];

// Languages whose code is not the first part of a browser's tag.
const others: [tag: RegExp, code: string][] = [
  [/^zh-(hant|tw|hk|mo)\b/i, "zho"],
  [/^uk\b/i, "ua"],
  [/^(nb|nn|no)\b/i, "no"],
];

/** languageOf is the session's language; without one the browser's first that the page has, then the merchant's. */
export function languageOf(screen: Screen | null, preferred: readonly string[] = navigator.languages): string {
  if (screen && !screen.browser_language) return screen.language;
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
