import assert from "node:assert/strict";
import test from "node:test";
import { copyText } from "./copy";

test("a text is copied by the clipboard, else by the page's own selection, which stays for the payer", async () => {
  const written: string[] = [];
  const marked: unknown[] = [];
  const element = { textContent: "bc1q" } as HTMLElement;
  const world = globalThis as unknown as { document: object; getSelection: unknown };
  let allowed = true;
  const listeners = new Set<(event: object) => void>();
  const copied: string[] = [];
  world.document = {
    addEventListener: (_: string, listen: () => void) => void listeners.add(listen),
    removeEventListener: (_: string, listen: () => void) => void listeners.delete(listen),
    execCommand: (command: string) => {
      if (command !== "copy" || !allowed) return false;
      const event = {
        clipboardData: { setData: (_: string, text: string) => void copied.push(text) },
        preventDefault() {},
      };
      for (const listen of listeners) listen(event);
      return true;
    },
  };
  world.getSelection = () => ({ selectAllChildren: (one: unknown) => void marked.push(one) });

  const clipboard = { writeText: async (text: string) => void written.push(text) } as unknown as Clipboard;
  assert.equal(await copyText(element, clipboard), true);
  assert.deepEqual([written, marked], [["bc1q"], []]);

  const shut = { writeText: () => Promise.reject(new Error("not allowed")) } as unknown as Clipboard;
  for (const closed of [shut, undefined]) {
    marked.length = 0;
    allowed = true;
    assert.equal(await copyText(element, closed, "52.36"), true); // and not as the element writes it
    assert.deepEqual([marked, copied.pop()], [[element], "52.36"]);
    allowed = false;
    assert.equal(await copyText(element, closed), false);
    assert.deepEqual([copied, listeners.size], [[], 0]); // what the payer copies later is as it was marked
  }
});
