import assert from "node:assert/strict";
import { test } from "node:test";
import { deedOf, keys, moved } from "./keys";

const plain = { ctrlKey: false, metaKey: false, altKey: false, isComposing: false };

test("each key of the table does its deed, and none while somebody types or with another key held", () => {
  for (const { key, deed = null } of keys) {
    assert.equal(deedOf({ ...plain, key }, false), deed, key);
    assert.equal(deedOf({ ...plain, key }, true), null, key);
    for (const held of ["ctrlKey", "metaKey", "altKey", "isComposing"]) {
      assert.equal(deedOf({ ...plain, [held]: true, key }, false), null, key + " with " + held);
    }
  }
  assert.equal(deedOf({ ...plain, key: "x" }, false), null);
  assert.equal(new Set(keys.map(({ key }) => key)).size, keys.length);
});

test("j and k stay within the rows, and begin at an end", () => {
  for (const [at, by, rows, to] of [
    [-1, 1, 3, 0],
    [-1, -1, 3, 2],
    [0, 1, 3, 1],
    [2, 1, 3, 2],
    [0, -1, 3, 0],
    [-1, 1, 0, 0],
    [-1, -1, 0, -1],
  ] as const) {
    assert.equal(moved(at, by, rows), to, `${at} by ${by} of ${rows}`);
  }
});
