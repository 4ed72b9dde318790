import assert from "node:assert/strict";
import test from "node:test";
import { addNames, countryNames } from "./countries";

test("countries where browsers have no names of them", () => {
  addNames("kk", { DE: "Германия", AF: "Ауғанстан" });
  assert.deepEqual(countryNames("kk"), [["DE", "Германия"], ["AF", "Ауғанстан"]]);
});
