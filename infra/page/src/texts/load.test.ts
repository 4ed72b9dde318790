import assert from "node:assert/strict";
import test from "node:test";
import { textsOf } from ".";
import { catalogues } from "./catalogues";
import { loadTexts } from "./load";

test("texts that are in the page are not fetched, and those of another language or broken ones are", async () => {
  const world = globalThis as Record<string, unknown>;
  const fetched: string[] = [];
  world.LANGUAGE_FILES = { ar: "aaaaaaaa", de: "dddddddd", fr: "ffffffff", "de-names": "nnnnnnnn" };
  const page: Record<string, string> = { "texts-de": JSON.stringify(catalogues.de), "texts-ar": '{"tag":"ar"' };
  world.document = { getElementById: (id: string) => (page[id] ? { textContent: page[id] } : null) };
  world.fetch = async (name: string) => {
    fetched.push(name);
    return { json: async () => catalogues[name.slice(0, 2)] };
  };
  assert.equal(await loadTexts("de", null), true);
  assert.deepEqual(fetched, []);
  assert.deepEqual(textsOf("de"), catalogues.de);
  for (const language of ["fr", "ar"]) {
    assert.equal(await loadTexts(language, null), true);
    assert.equal(textsOf(language).tag, language);
  }
  assert.deepEqual(fetched, ["fr-ffffffff.json", "ar-aaaaaaaa.json"]);
  const methods = [{ id: "voucher", label: "voucher", fields: [] }];
  assert.equal(await loadTexts("de", { kind: "form", language: "de", methods } as never), true);
  assert.deepEqual(fetched.slice(2), ["de-names-nnnnnnnn.json"]);
});
