import assert from "node:assert/strict";
import { test } from "node:test";
import { dataFile } from "./files.mjs";
import { splitRules } from "./scripts.mjs";
import { given, sharing } from "./shared.mjs";

test("rules of a style sheet are taken apart, nested ones stay together", () => {
  assert.deepEqual(splitRules("a{b:c}@media x{d{e:f}g{h:i}}\n"), ["a{b:c}", "@media x{d{e:f}g{h:i}}"]);
  assert.deepEqual(splitRules(""), []);
});

test("the name of a file of data has its hash, in letters and digits alone", () => {
  const { name, sum } = dataFile(["de-rest", { a: 1 }]);
  assert.match(name, /^de-rest-[A-Za-z0-9]{8}\.json$/);
  assert.equal(name, `de-rest-${sum.slice(0, 8).replace(/[^A-Za-z0-9]/g, "0")}.json`);
});

test("a later script takes each name from the place where the page puts it", () => {
  const source = given();
  const order = [...source.matchAll(/import \{ (\w+) as _(\d+) \} from "([^"]+)"/g)];
  const [list] = /\[_0.*\]/.exec(source);
  assert.equal(list, `[${order.map((_, i) => "_" + i)}]`);
  const loads = [];
  sharing.setup({ onResolve() {}, onLoad: (_, load) => loads.push(load) });
  for (const [, name, place, from] of order) {
    const { contents } = loads[0]({ path: from.replace(/^\.\//, "src/") });
    assert.ok(contents.includes(`export const ${name} = checkoutShared[${place}];`), name);
  }
});
