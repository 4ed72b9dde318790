// Takes the first part of a language's texts from the page that came with it, or fetches it, and fetches the rest and names of
// methods when a screen needs them: each once in a visit. English stands in for texts that can't be fetched.

import type { Answer, Ask } from "../service/api";
import { fetchFile } from "../service/file";
import type { Screen } from "../service/screen";
import { addTexts, needsNames } from "./index";
import { languageOf } from "./language";
import { needsRest } from "./parts";
import type { Texts } from "./texts";

/** The hash of the file that has the hashes of all files: "de" are a language's first texts, "de-rest", "de-names". */
declare const LANGUAGES_SUM: string;

/** What a page has within it: its language's first texts, and the hashes of the other two files. */
interface InPage {
  texts: Partial<Texts>;
  files: Record<string, string>;
}

const loads = new Map<string, Promise<boolean>>();
let sums: Promise<Record<string, string>> | undefined;

/** loadTexts tells whether the texts that a screen needs are there, or English instead of them. */
export async function loadTexts(language: string, screen: Screen | null): Promise<boolean> {
  const [there, rest] = await Promise.all([
    load(language, language),
    !screen || !needsRest(screen) || loadRest(language),
    screen && needsNames(screen) && load(language, language + "-names"),
  ]);
  return there ? rest : language !== "en" && loadTexts("en", screen);
}

/** loadRest tells whether what is said after a form is there. */
export function loadRest(language: string): Promise<boolean> {
  return load(language, language + "-rest");
}

function load(language: string, file: string): Promise<boolean> {
  const known = loads.get(file);
  if (known) return known;
  const loading = fetchTexts(language, file).catch(() => {
    if (file === "en" || file.endsWith("-rest")) loads.delete(file); // without which nothing can be shown
    return false;
  });
  loads.set(file, loading);
  return loading;
}

async function fetchTexts(language: string, file: string): Promise<boolean> {
  const within = inPage(language);
  if (within && file === language) addTexts(language, within.texts);
  else {
    const sum = within?.files[file] ?? (await (sums ??= allSums()))[file];
    if (!sum) return false;
    addTexts(language, await fetchFile<Partial<Texts>>(file, sum));
  }
  return true;
}

function allSums(): Promise<Record<string, string>> {
  const loading = fetchFile<Record<string, string>>("languages", LANGUAGES_SUM);
  loading.catch(() => (sums = undefined));
  return loading;
}

// inPage is what the page has within it, null for a page without it.
function inPage(language: string): InPage | null {
  try {
    return JSON.parse(document.getElementById("texts-" + language)!.textContent!) as InPage;
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
