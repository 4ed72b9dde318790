import assert from "node:assert/strict";
import test from "node:test";
import { textsOf } from "../texts";
import type { ScreenField } from "../service/screen";
import { mendOf, mendsOf } from "./mend";

const today = new Date(2026, 10, 21);
const of = (kind: string, value: string, number = "") => mendOf({ id: "payer_" + kind, kind } as ScreenField, value, number, textsOf("en"), today);

test("a fault says how it is mended, differently for empty, incomplete and wrong", () => {
  assert.equal(of("card_number", "4111 1111 1111 1112"), "Check the number, or use another card.");
  assert.equal(of("card_number", "4111 1111"), "Enter all of its digits.");
  assert.notEqual(of("card_number", ""), of("card_number", "4111 1111"));
  assert.equal(of("expiry", ""), "Enter month and year, for example 08/29.");
  assert.equal(of("expiry", "01"), "Enter month and year, for example 08/29.");
  assert.match(of("expiry", "01/20"), /another card/);
  assert.equal(of("security_code", "12", "4111"), "Enter the 3 digits on the back.");
  assert.equal(of("security_code", "12", "3782"), "Enter the 4 digits on the front.");
});

test("where the fault says all, nothing follows", () => {
  assert.equal(of("text", ""), "");
  assert.equal(of("email", ""), "");
  assert.notEqual(of("email", "ada@"), "");
});

test("room is kept for each sentence that can follow a fault", () => {
  const values = ["", "4", "4111 1111 1111 1112", "01", "13/30", "01/20", "1", "ada@", "+1"];
  for (const kind of ["card_number", "expiry", "security_code", "card_name", "email", "phone", "text", "constructor"]) {
    const all = mendsOf({ id: "payer_" + kind, kind } as ScreenField, textsOf("en"), today);
    const said = values.flatMap((value) => [of(kind, value, "4111"), of(kind, value, "3782")]).filter((mend) => mend);
    assert.deepEqual(new Set(said), new Set(all.filter((mend) => mend)), kind);
  }
});
