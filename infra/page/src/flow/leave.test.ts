import assert from "node:assert/strict";
import test from "node:test";
import { leave, mayGo, mayOpen } from "./leave";

test("where the page may go", () => {
  const base = "https://pay.example/?session=1";
  for (const url of ["https://shop.example/ok?a=b", "myapp://done", "/sandbox/1", "intent:x"])
    assert.ok(mayGo(url, base), url);
  for (const url of [
    "javascript:alert(1)",
    " JavaScript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "http://[",
  ]) {
    assert.ok(!mayGo(url, base), url);
  }
});

test("which links are drawn as links", () => {
  for (const url of ["https://bank.example/a", "bitcoin:bc1q?amount=1", "upi://pay?pa=a@b", "tron:T1"])
    assert.ok(mayOpen(url), url);
  for (const url of [
    "javascript:alert(1)",
    "JAVASCRIPT:alert(1)",
    " javascript:1",
    "data:text/html,x",
    "intent:x",
    "file:///x",
    "00020126",
    "//x",
    "constructor:",
  ]) {
    assert.ok(!mayOpen(url), url);
  }
});

test("the page leaves no trace in the history, also when the frame around it keeps it in", () => {
  const place = (gone: string[]) => ({
    href: "https://pay.example/?session=1",
    replace: (url: string) => void gone.push(url),
    assign: (url: string) => void gone.push("kept " + url),
  });
  const [here, top]: string[][] = [[], []];
  const whole = { location: place(top ?? []) };
  const shut = {
    get location(): never {
      throw new Error("not allowed");
    },
  };
  const world = globalThis as unknown as { window: object; location: object };
  world.location = place(here ?? []);
  world.window = { top: whole, parent: shut };
  const url = "https://shop.example/";
  for (const target of ["_self", "_top", "_parent"]) assert.ok(leave({ url, target }));
  assert.deepEqual([here, top], [[url, url], [url]]);
  assert.ok(leave({ url, target: "_self" }, true));
  assert.equal(here?.pop(), "kept " + url, "a page that the payer comes back to stays in the history");
  assert.ok(!leave({ url: "javascript:1", target: "_top" }));
  assert.deepEqual([here, top], [[url, url], [url]]);
});
