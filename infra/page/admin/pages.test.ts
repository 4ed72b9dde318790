import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer, Failure } from "./api";
import { addTotals, every, joinedCSV, noTotals } from "./pages";
import type { Totals } from "./types";

interface Part {
  n: number;
  cursor?: string;
}

const parts: Record<string, Part> = { "": { n: 1, cursor: "a" }, a: { n: 2, cursor: "b" }, b: { n: 4 } };
const cursorOf = (part: Part) => part.cursor ?? "";
const plus = (sum: number, part: Part) => sum + part.n;
const failure: Failure = { status: 0, code: 0, text: "", faults: [], requestID: "", seconds: 0, signIn: "" };

test("all parts are asked for, each with the cursor of the one before", async () => {
  const told: [number, string][] = [];
  const asked: string[] = [];
  const ask = async (cursor: string): Promise<Answer<Part>> => {
    asked.push(cursor);
    return { value: parts[cursor] as Part, next: "" };
  };
  assert.equal(await every(0, ask, plus, (sum, cursor) => told.push([sum, cursor]), { cursorOf }), null);
  assert.deepEqual(asked, ["", "a", "b"]);
  assert.deepEqual(told, [[1, "a"], [3, "b"], [7, ""]]);
});

test("after a failure it goes on where it was", async () => {
  let lost = true;
  const ask = async (cursor: string): Promise<Answer<Part>> => {
    if (cursor === "b" && lost) return { failure };
    return { value: parts[cursor] as Part, next: "" };
  };
  let at: [number, string] = [0, ""];
  const told = (sum: number, cursor: string) => (at = [sum, cursor]);
  assert.equal(await every(0, ask, plus, told, { cursorOf }), failure);
  assert.deepEqual(at, [3, "b"]);
  lost = false;
  assert.equal(await every(at[0], ask, plus, told, { cursorOf, from: at[1] }), null);
  assert.deepEqual(at, [7, ""]);
});

test("it stops after the part that is under way, and at a cursor that does not move", async () => {
  const asked: string[] = [];
  const ask = async (cursor: string): Promise<Answer<Part>> => {
    asked.push(cursor);
    return { value: { n: 1, cursor: "same" }, next: "" };
  };
  await every(0, ask, plus, () => {}, { cursorOf, stopped: () => true });
  assert.deepEqual(asked, [""]);
  await assert.rejects(every(0, ask, plus, () => {}, { cursorOf }));
});

test("totals of parts are one total", () => {
  const group = {
    day: "2026-11-23",
    currency: "EUR",
    method: "card",
    mid: "12.50",
    type: "sale",
    succeeded: 2,
    failed: 1,
    amount: "12.50",
    moved: "-12.50",
  };
  const sum = { currency: "EUR", paid: "12.50", returned: "0.10", net: "12.40", attempts: 3, accepted: 2 };
  const few = { reason_code: "a", text: "A", count: 1 };
  const many = { reason_code: "b", text: "B", count: 2 };
  const one: Totals = { groups: [group], sums: [sum], declines: [few], lines: 3 };
  const other: Totals = {
    groups: [group, { ...group, mid: "x" }],
    sums: [
      { ...sum, paid_out: "1.00" },
      { ...sum, currency: "USD" },
    ],
    declines: [many],
    lines: 4,
  };
  assert.deepEqual(addTotals(addTotals(noTotals, one), other), {
    groups: [
      { ...group, succeeded: 4, failed: 2, amount: "25.00", moved: "-25.00" },
      { ...group, mid: "x" },
    ],
    sums: [
      { ...sum, paid: "25.00", returned: "0.20", paid_out: "1.00", net: "24.80", attempts: 6, accepted: 4 },
      { ...sum, currency: "USD" },
    ],
    declines: [many, few],
    lines: 7,
  });
  assert.deepEqual(addTotals(noTotals, JSON.parse('{"groups":null,"sums":null,"declines":null,"lines":0}')), noTotals);
});

test("parts of an export have their names once", () => {
  assert.equal(["id,amount\n1,2\n", "id,amount\n3,4\n", "id,amount\n"].reduce(joinedCSV, ""), "id,amount\n1,2\n3,4\n");
  assert.equal(['{"id":1}\n', '{"id":2}\n'].reduce(joinedCSV, ""), '{"id":1}\n{"id":2}\n');
});
