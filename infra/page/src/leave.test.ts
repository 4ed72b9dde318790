import assert from "node:assert/strict";
import test from "node:test";
import { mayGo } from "./leave";

test("where the page may go", () => {
  const base = "https://pay.example/?session=1";
  for (const url of ["https://shop.example/ok?a=b", "myapp://done", "/sandbox/1", "intent:x"]) assert.ok(mayGo(url, base), url);
  for (const url of ["javascript:alert(1)", " JavaScript:alert(1)", "java\nscript:alert(1)", "data:text/html,x", "vbscript:x", "http://["]) {
    assert.ok(!mayGo(url, base), url);
  }
});
