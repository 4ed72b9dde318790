// Fetches a language's texts and, for a screen that has them, names of methods: each once in a visit. English is in the
// script and stands in for texts that can't be fetched.

import type { Answer, Ask } from "../api";
import type { Screen } from "../screen";
import { addTexts, needsNames } from "./index";
import { languageOf } from "./language";
import type { Texts } from "./texts";

/** Each file's hash: "de" has the texts, "de-names" the names. build.mjs puts it here, and names the files alike. */
declare const LANGUAGE_FILES: Record<string, string>;

const loadWithin = 8_000;
const loads = new Map<string, Promise<void>>();

/** loadTexts is over when the texts that a screen needs are there, or when they can't be fetched. */
export async function loadTexts(language: string, screen: Screen | null): Promise<void> {
  const files = screen && needsNames(screen) ? [language, language + "-names"] : [language];
  await Promise.all(files.map((file) => loadOnce(language, file)));
}

function loadOnce(language: string, file: string): Promise<void> {
  const known = loads.get(file);
  if (known) return known;
  const load = fetchTexts(language, file).catch(() => {});
  loads.set(file, load);
  return load;
}

async function fetchTexts(language: string, file: string): Promise<void> {
  const sum = Object.hasOwn(LANGUAGE_FILES, file) && LANGUAGE_FILES[file];
  if (!sum) return;
  const name = `${file}-${sum.slice(0, 8).replace(/\W/g, "0")}.json`;
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), loadWithin);
  try {
    const response = await fetch(name, {
      integrity: "sha256-" + sum,
      credentials: "omit",
      redirect: "error",
      signal: stop.signal,
    });
    addTexts(language, (await response.json()) as Partial<Texts>);
  } finally {
    clearTimeout(timer);
  }
}

/** inLanguage asks, and answers when the texts of the answer are there, too. */
export function inLanguage(ask: Ask, load = loadTexts, of: (screen: Screen | null) => string = languageOf): Ask {
  return async (path, body) => {
    void load(of(null), null);
    const answer: Answer = await ask(path, body);
    const screen = answer.kind === "screen" ? answer.screen : null;
    await load(of(screen), screen);
    return answer;
  };
}
