import assert from "node:assert/strict";
import test from "node:test";
import type { Answer } from "../service/api";
import type { Screen } from "../service/screen";
import { framedBy, inFrame } from "./frame";

const shop = "https://shop.example";

function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

function page(ancestorOrigins: string[] | undefined, referrer = "", framed = true): Window {
  const self = {};
  return { self, top: framed ? {} : self, location: { ancestorOrigins }, document: { referrer } } as unknown as Window;
}

test("the pages around are known from the browser, else from who opened the session first", () => {
  assert.deepEqual(framedBy(page([], shop + "/cart", false), storage(), "s"), []);
  assert.deepEqual(framedBy(page([shop, "null"]), storage(), "s"), [shop, "null"]);
  const kept = storage();
  assert.deepEqual(framedBy(page(undefined, shop + "/cart?a=1"), kept, "s"), [shop]);
  assert.deepEqual(framedBy(page(undefined, "https://bank.example/"), kept, "s"), [shop]);
  assert.deepEqual(framedBy(page(undefined, "https://evil.example:8443/"), kept, "t"), ["https://evil.example:8443"]);
  assert.deepEqual(framedBy(page(undefined), storage(), "s"), [""]);
});

test("a form is shown to allowed origins only, endings to all", async () => {
  Object.assign(globalThis, { location: { href: "https://pay.example/?session=s" } });
  const seen = async (name: string, origins: string[] | undefined, around: string[]) => {
    const [kind = "", text] = name.split(" ");
    const screen: Screen = {
      kind,
      language: "de",
      browser_language: true,
      merchant: "Shop",
      ...(text && { message: { text } }),
      ...(origins && { origins }),
    };
    const answer = await inFrame(
      async (): Promise<Answer> => ({ kind: "screen", screen }),
      around,
      () => {},
    )("/");
    assert.equal(answer.kind, "screen");
    return answer.kind === "screen" ? answer.screen : screen;
  };
  const rows: [kind: string, origins: string[] | undefined, around: string[], shown: boolean][] = [
    ["form", undefined, ["https://evil.example"], true],
    ["form", [shop], [], true],
    ["form", [shop], [shop], true],
    ["form", [shop], [shop, "https://evil.example"], false],
    ["form", [shop], [""], false],
    ["form", [shop], ["null"], false],
    ["wait", [shop], ["https://evil.example"], false],
    ["another", [shop], ["https://evil.example"], false],
    ["go", [shop], ["https://evil.example"], true],
    ["go paid", [shop], ["https://evil.example"], true],
    ["go continue_elsewhere", [shop], ["https://evil.example"], false],
    ["go continue_elsewhere", [shop], [shop], true],
    ["message", [shop], ["https://evil.example"], true],
  ];
  for (const [kind, origins, around, shown] of rows) {
    const screen = await seen(kind, origins, around);
    if (shown) assert.equal(screen.kind, kind.split(" ")[0], `${kind} ${around}`);
    else
      assert.deepEqual(screen, {
        kind: "message",
        language: "de",
        browser_language: true,
        message: { text: "framed" },
        go: { url: "https://pay.example/?session=s", target: "_blank" },
      });
  }
  const lost = await inFrame(async () => ({ kind: "nothing" }), ["null"], () => {})("/");
  assert.deepEqual(lost, { kind: "nothing" });
});

test("an allowed parent is told once, and no other", async () => {
  const told = async (origins: string[] | undefined, around: string[]) => {
    const parents: string[] = [];
    const screen: Screen = { kind: "message", language: "en", ...(origins && { origins }) };
    const ask = inFrame(async () => ({ kind: "screen", screen }), around, (parent) => parents.push(parent));
    await ask("/");
    await ask("/");
    return parents;
  };
  assert.deepEqual(await told([shop], [shop]), [shop]);
  assert.deepEqual(await told([shop], []), []);
  assert.deepEqual(await told([shop], ["https://evil.example"]), []);
  assert.deepEqual(await told(undefined, [shop]), [shop]);
  assert.deepEqual(await told(undefined, ["null"]), []);
  assert.deepEqual(await told(undefined, [""]), []);
});
