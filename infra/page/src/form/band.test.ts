import assert from "node:assert/strict";
import test from "node:test";
import { page_fields } from "../../../../internal/method/testdata/page_fields.golden.json";
import { faultsIn, presentIn } from "../fields/values";
import type { ScreenField } from "../service/screen";
import { testValues } from "./band";

test("a test card fills in every field that a form can have, and well", () => {
  const fields: ScreenField[] = page_fields.map((f) => ({ ...f, required: true }));
  const values = testValues(fields, "01/38");
  assert.deepEqual(faultsIn(presentIn(fields, values), values, 0), {});
  assert.equal(fields.length - presentIn(fields, values).length, 2, "all but the state and a second line are there");
});
