// Fetches a language's texts, each once in a visit. English is in the script and stands in for what can't be fetched.

import type { Answer, Ask } from "../api";
import type { Screen } from "../screen";
import { addTexts } from "./index";
import { languageOf } from "./language";
import type { Texts } from "./texts";

/** Files has the address and the integrity of each language's texts; build.mjs puts it here. */
declare const LANGUAGE_FILES: Record<string, [name: string, integrity: string]>;

const loadWithin = 8_000;
const loads = new Map<string, Promise<void>>();

/** loadTexts is over when the texts are there, or when they can't be fetched. */
export function loadTexts(language: string): Promise<void> {
  const known = loads.get(language);
  if (known) return known;
  const load = fetchTexts(language).catch(() => {});
  loads.set(language, load);
  return load;
}

async function fetchTexts(language: string): Promise<void> {
  const [name, integrity] = (Object.hasOwn(LANGUAGE_FILES, language) && LANGUAGE_FILES[language]) || [];
  if (!name || !integrity) return;
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), loadWithin);
  try {
    const response = await fetch(name, { integrity, credentials: "omit", redirect: "error", signal: stop.signal });
    addTexts(language, (await response.json()) as Texts);
  } finally {
    clearTimeout(timer);
  }
}

/** inLanguage asks, and answers when the texts of the answer are there, too. */
export function inLanguage(ask: Ask, load = loadTexts, of: (screen: Screen | null) => string = languageOf): Ask {
  return async (path, body) => {
    void load(of(null));
    const answer: Answer = await ask(path, body);
    await load(of(answer.kind === "screen" ? answer.screen : null));
    return answer;
  };
}
