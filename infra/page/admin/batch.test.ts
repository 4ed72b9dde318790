import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer, Failure } from "./api";
import { grouped, isOld, lineOf, refundAll, resultOf, type Batch } from "./batch";
import type { Describe, Done, Row, View } from "./types";

const row = { id: "a", order: "1", currency: "EUR", state: "settled" } as Row;
const words = { statuses: { decline: { label: "Declined" } } } as unknown as Describe;
const view = (possible: object, money = {}) => ({ possible: [{ act: "refund", ...possible }], money }) as View;
const none = new Set<string>();

test("a line has what can be refunded, or why nothing is", () => {
  const can = { allowed: true, amount: "6.00" };
  assert.equal(lineOf(row, words, view(can), none).amount, "6.00");
  assert.match(lineOf({ ...row, state: "decline" }, words, null, none).why ?? "", /^Declined: only what is paid/);
  assert.equal(lineOf(row, words, view({ allowed: false, why: "Nothing is left." }), none).why, "Nothing is left.");
  assert.match(lineOf(row, words, view(can, { returning: "1.00" }), none).why ?? "", /^Wait/);
  assert.match(lineOf(row, words, view(can), new Set(["a"])).why ?? "", /another person/);
  assert.match(lineOf(row, words, { possible: [] } as unknown as View, none).why ?? "", /can't/);
});

test("a result is what became of the money", () => {
  const done = (of: Partial<Done>) => resultOf({ payment_id: "a", status: "settled", text: "", decided: false, ...of });
  assert.equal(done({ decided: true, amount: "1.00" }), "refunded");
  assert.equal(done({ decided: true }), "refused");
  assert.equal(done({ decided: true, approval: "x", amount: "1.00" }), "refused");
  assert.equal(done({ approval: "x", amount: "1.00" }), "waiting");
  assert.equal(done({ approval: "x", reference: "r", amount: "1.00" }), "undecided");
  assert.equal(done({ amount: "1.00" }), "undecided");
});

const line = (id: string, amount: string, currency = "EUR") => ({ id, order: id, amount, currency });
const batch: Batch = {
  id: "b",
  at: 0,
  filter: "",
  reason: "why",
  lines: [line("a", "0.10"), line("b", "0.20"), line("c", "5", "JPY")],
};

test("sums are exact, by currency", () => {
  assert.deepEqual(grouped([...batch.lines, { ...line("x", ""), why: "no" }], ({ why }) => why ?? "yes"), [
    { name: "yes", currency: "EUR", payments: 2, sum: "0.30" },
    { name: "yes", currency: "JPY", payments: 1, sum: "5" },
    { name: "no", currency: "EUR", payments: 1, sum: "0" },
  ]);
  assert.equal(isOld(batch, 23 * 3_600_000), false);
  assert.equal(isOld(batch, 23 * 3_600_001), true);
});

const fails = (status: number, seconds = 0, faults: string[] = []): Answer<never> => ({
  failure: { status, code: 0, text: "", faults, requestID: "", seconds, signIn: "" },
});

// runs refunds a batch with answers by payment, one after the other, the last of which stays.
async function runs(answers: Record<string, Answer<never>[]>, from = batch) {
  const keys: string[] = [];
  const waited: number[] = [];
  let last = from;
  const failure: Failure | null = await refundAll(from, {
    act: async <T>(path: string, key: string, body: object) => {
      keys.push(key);
      assert.deepEqual(body, { reason: "why" });
      const id = path.split("/")[2] ?? "";
      const answer = answers[id]?.shift();
      return (
        answer ??
        ({
          value: { payment_id: id, text: "Done.", decided: true, amount: "1.00", status: "refund" } as T,
          next: "",
        } satisfies Answer<T>)
      );
    },
    told: (now) => (last = now),
    stopped: () => keys.length >= 20,
    pause: async (seconds) => waited.push(seconds),
  });
  return { keys, waited, failure, last, results: last.lines.map(({ result }) => result) };
}

test("each payment has one key, and a refused one does not end the list", async () => {
  const { keys, failure, results, last } = await runs({ b: [fails(400, 0, ["Nothing is left."])] });
  assert.deepEqual([keys, failure, results], [["b.a", "b.b", "b.c"], null, ["refunded", "refused", "refunded"]]);
  assert.equal(last.lines[1]?.text, "Nothing is left.");
  const again = await runs({}, last);
  assert.deepEqual(again.keys, []);
});

test("it waits where there are too many requests", async () => {
  const { keys, waited, results } = await runs({ a: [fails(429, 7), fails(429)] });
  assert.deepEqual([keys.slice(0, 3), waited], [["b.a", "b.a", "b.a"], [7, 4]]);
  assert.equal(results[0], "refunded");
});

test("it ends where nobody knows, and goes on with the same key", async () => {
  const { keys, failure, results, last } = await runs({ b: [fails(0), fails(500), fails(0)] });
  assert.deepEqual(
    [keys, failure?.status, results],
    [["b.a", "b.b", "b.b", "b.b"], 0, ["refunded", undefined, undefined]],
  );
  const again = await runs({}, last);
  assert.deepEqual([again.keys, again.failure], [["b.b", "b.c"], null]);
  assert.deepEqual((await runs({ a: [fails(403)] })).keys, ["b.a"]);
});
