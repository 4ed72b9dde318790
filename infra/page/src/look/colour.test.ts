import assert from "node:assert/strict";
import test from "node:test";
import { accentOn, contrast } from "./colour";

test("an accent that stands out stays as it is, with the text that is read best on it", () => {
  assert.deepEqual(accentOn("#1f5f4a", "#ffffff"), { fill: "#1f5f4a", text: "#ffffff" });
  assert.deepEqual(accentOn("#ffd166", "#151b23"), { fill: "#ffd166", text: "#000000" });
});

test("any accent is moved until it has 3:1 against its ground, and its text is readable", () => {
  for (const accent of ["#ffffff", "#ffee00", "#00ff88", "#777777", "#000000", "#0000ff", "#12507b"]) {
    for (const ground of ["#ffffff", "#f5f7f9", "#151b23", "#0d1117"]) {
      const { fill, text } = accentOn(accent, ground);
      assert.ok(contrast(fill, ground) >= 3, `${accent} on ${ground}: ${fill}`);
      assert.ok(contrast(fill, text) >= 4.5, `${text} on ${fill}`);
    }
  }
});

test("contrast is WCAG's", () => {
  assert.equal(contrast("#000000", "#ffffff"), 21);
  assert.equal(contrast("#777777", "#ffffff").toFixed(2), "4.48");
});
