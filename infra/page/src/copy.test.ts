import assert from "node:assert/strict";
import test from "node:test";
import { copyText } from "./copy";

test("a text is copied by the clipboard, else by the page's own selection, which stays for the payer to copy", async () => {
  const written: string[] = [];
  const marked: unknown[] = [];
  const element = { textContent: "bc1q" } as HTMLElement;
  const world = globalThis as unknown as { document: object; getSelection: unknown };
  let allowed = true;
  world.document = { execCommand: (command: string) => command === "copy" && allowed };
  world.getSelection = () => ({ selectAllChildren: (one: unknown) => void marked.push(one) });

  const clipboard = { writeText: async (text: string) => void written.push(text) } as unknown as Clipboard;
  assert.equal(await copyText(element, clipboard), true);
  assert.deepEqual([written, marked], [["bc1q"], []]);

  const shut = { writeText: () => Promise.reject(new Error("not allowed")) } as unknown as Clipboard;
  for (const closed of [shut, undefined]) {
    marked.length = 0;
    allowed = true;
    assert.equal(await copyText(element, closed), true);
    assert.deepEqual(marked, [element]);
    allowed = false;
    assert.equal(await copyText(element, closed), false);
  }
});
