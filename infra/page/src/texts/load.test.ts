import assert from "node:assert/strict";
import test from "node:test";
import { textsOf } from ".";
import { catalogues, names, partsOf } from "./catalogues";
import { loadRest, loadTexts } from "./load";

test("texts that are in the page are not fetched, and those of another language or broken ones are", async () => {
  const world = globalThis as Record<string, unknown>;
  const fetched: string[] = [];
  let lost = false;
  world.LANGUAGES_SUM = "llllllll";
  const sums = { ar: "aaaaaaaa", "ar-rest": "rrrrrrrr", fr: "ffffffff" };
  const files = { "de-rest": "eeeeeeee" };
  const element = () => ({ remove() {} }) as Record<string, unknown>;
  const append = (one: Record<string, () => void>) => queueMicrotask(() => one[lost ? "onerror" : "onload"]!());
  world.AFTER_FILE = "/after x";
  world.checkoutAfter = {};
  const page: Record<string, string> = {
    "texts-de": JSON.stringify({ texts: partsOf(catalogues.de!, names.de!).first, files }),
    "texts-ar": '{"tag":"ar"',
  };
  world.document = {
    getElementById: (id: string) => (page[id] ? { textContent: page[id] } : null),
    createElement: element,
    head: { append },
  };
  world.fetch = async (name: string) => {
    fetched.push(name);
    if (lost) throw new Error("no connection");
    const language = name.slice(0, 2);
    const parts = partsOf(catalogues[language] ?? catalogues.en!, names[language] ?? names.en!);
    return {
      json: async () => (name.startsWith("languages") ? sums : name.includes("-rest") ? parts.rest : parts.first),
    };
  };
  const said = () => fetched.splice(0);
  assert.equal(await loadTexts("de", null), true);
  assert.deepEqual(said(), []);
  assert.equal(textsOf("de").messages.paid, catalogues.de!.messages.paid);
  assert.equal(textsOf("kk"), textsOf("de"), "a language that was chosen and has not come yet");
  for (const language of ["fr", "ar"]) {
    assert.equal(await loadTexts(language, null), true);
    assert.equal(textsOf(language).tag, language);
  }
  assert.deepEqual(said(), ["languages-llllllll.json", "fr-ffffffff.json", "ar-aaaaaaaa.json"]);
  const wait = { kind: "wait", language: "de" };
  lost = true; // what is said after a form can't be done without, and is asked for again
  assert.deepEqual([await loadTexts("de", wait), await loadTexts("de", { ...wait, kind: "go" })], [false, true]);
  lost = false;
  assert.deepEqual(
    [await loadTexts("de", wait), await loadRest("de"), await loadTexts("ar", wait)],
    [true, true, true],
  );
  assert.deepEqual(said(), ["de-rest-eeeeeeee.json", "de-rest-eeeeeeee.json", "ar-rest-rrrrrrrr.json"]);
  assert.deepEqual(textsOf("de"), { ...catalogues.de, names: names.de });
});

test("what a form says is in the first part of a catalogue", () => {
  for (const texts of Object.values(catalogues)) {
    const { first, rest } = partsOf(texts, names.en!);
    for (const key of ["notes", "groups", "fields"]) assert.ok(key in first && !(key in rest), key);
    for (const key of ["cell", "mend"]) assert.ok(key in rest && !(key in first), key); // of faults
  }
});
