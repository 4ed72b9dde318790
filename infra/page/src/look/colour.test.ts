import assert from "node:assert/strict";
import test from "node:test";
import { accentOn, contrast } from "./colour";

const light = ["#ffffff", "#f5f7f9"];
const dark = ["#171e27", "#0d1218"];

test("an accent that stands out is its own edge", () => {
  assert.deepEqual(accentOn("#12507b", ...light), { edge: "#12507b", text: "#ffffff" });
  assert.deepEqual(accentOn("#ffdd00", ...dark), { edge: "#ffdd00", text: "#000000" });
});

test("any accent has an edge of 3:1 against each ground, of its hue, and readable text", () => {
  for (const accent of ["#ffffff", "#ffdd00", "#00ff88", "#777777", "#000000", "#0000ff", "#12507b"]) {
    for (const grounds of [light, dark]) {
      const { edge, text } = accentOn(accent, ...grounds);
      for (const ground of grounds) assert.ok(contrast(edge, ground) >= 3, `${accent} on ${ground}: ${edge}`);
      assert.ok(contrast(accent, text) >= 4.5, `${text} on ${accent}`);
    }
  }
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(accentOn("#ffdd00", ...light).edge.slice(at, at + 2), 16));
  assert.ok(red! > green! && green! > blue!); // still yellow
});

test("contrast is WCAG's", () => {
  assert.equal(contrast("#000000", "#ffffff"), 21);
  assert.equal(contrast("#777777", "#ffffff").toFixed(2), "4.48");
});
