import assert from "node:assert/strict";
import test from "node:test";
import { cardIn } from "./paste";

test("a text with a card's number and its expiry date has both, and no code", () => {
  const visa = { number: "4111 1111 1111 1111", expiry: "01/38" };
  for (const text of [
    "4111 1111 1111 1111 01/38",
    "4111 1111 1111 1111 0138",
    "4111111111111111;01/38;123",
    "4111-1111-1111-1111\n01/2038\n",
    "4111111111111111\t2038-01-31",
    "4111111111111111,2038-01",
    "Card: 4111 1111 1111 1111, exp. 01 / 38, CVC 123",
    "4111 1111 1111 1111 1/38 123",
    "4111 1111 1111 1111 Jan 2038",
    "4111 1111 1111 1111 0138 123",
  ]) {
    assert.deepEqual(cardIn(text), visa, text);
  }
  assert.deepEqual(cardIn("3782 822463 10005 01/38"), { number: "3782 822463 10005", expiry: "01/38" });
  for (const text of [
    "",
    "4111 1111 1111 1111",
    "4111 1111 1111 1112 01/38",
    "4111 1111 1111 1111 13/38",
    "4111 1111 1111 1111 123",
    "41111111111111110138", // one number, for all that is known
    "01/38",
  ]) {
    assert.equal(cardIn(text), null, text);
  }
});
