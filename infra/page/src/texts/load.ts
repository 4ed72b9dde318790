// Takes the first part of a language's texts from the page that came with it, or fetches it, and fetches the rest when
// a screen needs it: each once in a visit. English stands in for texts that can't be fetched.

import type { Answer, Ask } from "../service/api";
import { fetchFile } from "../service/file";
import { loadScript } from "../service/script";
import type { Screen, ScreenMethod } from "../service/screen";
import { addTexts } from "./index";
import { languageOf } from "./language";
import type { Texts } from "./texts";

/** The hash of the file that has the hashes of all files: "de" has a language's first texts, "de-rest" the others. */
declare const LANGUAGES_SUM: string;
declare const AFTER_FILE: string;

/** What a page has within it: its language's first texts, and the hash of the file of the others. */
interface InPage {
  texts: Partial<Texts>;
  files: Record<string, string>;
}

const loads = new Map<string, Promise<boolean>>();
let draw = () => {};
let drawn = ""; // the language in which the rest was drawn last
let sums: Promise<Record<string, string>> | undefined;

/** loadTexts tells whether the texts that a screen needs are there, or English instead of them. */
export async function loadTexts(language: string, screen: Screen | null): Promise<boolean> {
  const needed = screen && needsRest(screen);
  const [there, rest] = await Promise.all([load(language, language), !needed || loadRest(language)]);
  return there ? rest : language !== "en" && loadTexts("en", screen);
}

/** drawRest has the page drawn again when the rest has come, whatever it was loaded for. */
export function drawRest(again: () => void): void {
  draw = again;
}

/** loadRest tells whether what is shown after a form is there: its texts, and the script that draws it. */
export async function loadRest(language: string): Promise<boolean> {
  const script = loadScript(AFTER_FILE, () => globalThis.checkoutAfter).catch(() => false);
  const texts = [language, language + "-rest"].map((file) => load(language, file));
  const there = (await Promise.all([...texts, script])).every(Boolean);
  if (there && drawn !== language) {
    drawn = language;
    draw();
  }
  return there;
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

/** needsRest: a way that leads elsewhere does not wait for it. */
export function needsRest({ kind, operation = "purchase", message, methods = [], schedule }: Screen): boolean {
  const pays = operation === "purchase" || operation === "debit"; // others have words of their own
  if (kind !== "form") return kind !== "go" || !pays;
  const first = methods.find(({ action = "submit" }) => action === "submit") ?? methods[0];
  return (
    !pays || !!message || !!schedule || methods.some((m) => m.saved || m.save) || (!!first && needsFieldNames(first))
  );
}

/** needsFieldNames: some of a method's fields or of their options have names that come with the rest. */
export function needsFieldNames({ fields }: ScreenMethod): boolean {
  return fields.some((f) => f.options || !/^(order|payee|payer|recurring)_/.test(f.label ?? f.id));
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
