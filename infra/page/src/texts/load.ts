// Takes a language's texts from the page that came with them, or fetches them, and, for a screen that has them, names of
// methods: each once in a visit. English stands in for texts that can't be fetched.

import type { Answer, Ask } from "../service/api";
import { fetchFile } from "../service/file";
import type { Screen } from "../service/screen";
import { addTexts, needsNames } from "./index";
import { languageOf } from "./language";
import type { Texts } from "./texts";

/** Each file's hash: "de" has the texts, "de-names" the names. build.mjs puts it here, and names the files alike. */
declare const LANGUAGE_FILES: Record<string, string>;

const loads = new Map<string, Promise<boolean>>();

/** loadTexts tells whether the texts that a screen needs are there, or English instead of them. */
export async function loadTexts(language: string, screen: Screen | null): Promise<boolean> {
  const files = screen && needsNames(screen) ? [language, language + "-names"] : [language];
  const [there] = await Promise.all(files.map((file) => loadOnce(language, file)));
  return there || (language !== "en" && loadTexts("en", screen));
}

function loadOnce(language: string, file: string): Promise<boolean> {
  const known = loads.get(file);
  if (known) return known;
  const load = fetchTexts(language, file).catch(() => {
    if (file === "en") loads.delete(file); // without which nothing can be shown
    return false;
  });
  loads.set(file, load);
  return load;
}

async function fetchTexts(language: string, file: string): Promise<boolean> {
  if (!Object.hasOwn(LANGUAGE_FILES, file)) return false;
  addTexts(language, inPage(file) ?? (await fetchFile<Partial<Texts>>(file, LANGUAGE_FILES[file]!)));
  return true;
}

// inPage are the texts that the page has within it, null for a page without them.
function inPage(file: string): Partial<Texts> | null {
  try {
    return JSON.parse(document.getElementById("texts-" + file)!.textContent!) as Partial<Texts>;
  } catch {
    return null;
  }
}

/** inLanguage asks, and answers when the texts of the answer are there, too. Without any texts nothing can be shown. */
export function inLanguage(ask: Ask, load = loadTexts, of: (screen: Screen | null) => string = languageOf): Ask {
  return async (path, body) => {
    const asked = ask(path, body);
    void load(of(null), null);
    const answer: Answer = await asked;
    const screen = answer.kind === "screen" ? answer.screen : null;
    return (await load(of(screen), screen)) ? answer : { kind: "nothing" };
  };
}
