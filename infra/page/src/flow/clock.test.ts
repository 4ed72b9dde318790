import assert from "node:assert/strict";
import test from "node:test";
import { hasEnd, showsClock } from "./clock";

test("a form has a clock in its last quarter, a wait screen as long as it has an end", () => {
  const minute = 60_000;
  const form = { kind: "form", language: "en", expires_in_ms: 60 * minute, lifetime_ms: 60 * minute };
  const wait = { kind: "wait", language: "en", expires_in_ms: 20 * minute };
  assert.deepEqual(
    [showsClock(form, 16 * minute), showsClock(form, 15 * minute), showsClock(form, 0)],
    [false, true, true],
  );
  assert.deepEqual([showsClock(wait, 20 * minute), showsClock(wait, 0)], [true, true]);
  for (const none of [
    null,
    { kind: "wait", language: "en" },
    { ...wait, kind: "message" },
    { kind: "form", language: "en" },
    { ...form, kind: "go" },
  ]) {
    assert.deepEqual([hasEnd(none), showsClock(none, 0)], [false, false]);
  }
});
