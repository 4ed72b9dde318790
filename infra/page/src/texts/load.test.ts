import assert from "node:assert/strict";
import test from "node:test";
import { textsOf } from ".";
import { catalogues } from "./catalogues";
import { loadRest, loadTexts } from "./load";
import { partsOf } from "./parts";

test("texts that are in the page are not fetched, and those of another language or broken ones are", async () => {
  const world = globalThis as Record<string, unknown>;
  const fetched: string[] = [];
  let lost = false;
  world.LANGUAGES_SUM = "llllllll";
  const sums = { ar: "aaaaaaaa", "ar-rest": "rrrrrrrr", fr: "ffffffff" };
  const files = { "de-names": "nnnnnnnn", "de-rest": "eeeeeeee" };
  const page: Record<string, string> = { "texts-de": JSON.stringify({ texts: partsOf(catalogues.de!)[0], files }), "texts-ar": '{"tag":"ar"' };
  world.document = { getElementById: (id: string) => (page[id] ? { textContent: page[id] } : null) };
  world.fetch = async (name: string) => {
    fetched.push(name);
    if (lost) throw new Error("no connection");
    const parts = partsOf(catalogues[name.slice(0, 2)] ?? catalogues.en!);
    return { json: async () => (name.startsWith("languages") ? sums : parts[name.includes("-rest") ? 1 : 0]) };
  };
  const said = () => fetched.splice(0);
  assert.equal(await loadTexts("de", null), true);
  assert.deepEqual(said(), []);
  assert.equal(textsOf("de").messages.paid, catalogues.de!.messages.paid);
  for (const language of ["fr", "ar"]) {
    assert.equal(await loadTexts(language, null), true);
    assert.equal(textsOf(language).tag, language);
  }
  assert.deepEqual(said(), ["languages-llllllll.json", "fr-ffffffff.json", "ar-aaaaaaaa.json"]);
  const methods = [{ id: "voucher", label: "voucher", fields: [] }];
  assert.equal(await loadTexts("de", { kind: "form", language: "de", methods } as never), true);
  assert.deepEqual(said(), ["de-names-nnnnnnnn.json"]);

  const wait = { kind: "wait", language: "de" };
  lost = true; // what is said after a form can't be done without, and is asked for again
  assert.deepEqual([await loadTexts("de", wait), await loadTexts("de", { ...wait, kind: "go" })], [false, true]);
  lost = false;
  assert.deepEqual([await loadTexts("de", wait), await loadRest("de"), await loadTexts("ar", wait)], [true, true, true]);
  assert.deepEqual(said(), ["de-rest-eeeeeeee.json", "de-rest-eeeeeeee.json", "ar-rest-rrrrrrrr.json"]);
  assert.deepEqual(textsOf("de"), catalogues.de);
});

test("a catalogue has two parts, and what a form says is in the first", () => {
  for (const texts of Object.values(catalogues)) {
    const [first, rest] = partsOf(texts);
    const merged = { ...first, ...rest, headings: { ...first.headings, ...rest.headings }, messages: { ...first.messages, ...rest.messages } };
    assert.deepEqual(merged, texts);
    for (const key of ["fields", "cell", "mend", "notes", "groups"]) assert.ok(key in first && !(key in rest), key);
  }
});
