import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer, Failure } from "./api";
import { Attempt } from "./attempt";

const failed = (status: number): Answer<never> => {
  const failure: Failure = { status, code: 0, text: "", faults: [], requestID: "", seconds: 0, signIn: "" };
  return { failure };
};

// attempt answers one after the other, and tells which keys came with which bodies.
function attempt(...answers: Answer<unknown>[]) {
  const sent: string[] = [];
  let keys = 0;
  const act = async <T>(path: string, key: string, body: object) => {
    sent.push(`${key} ${path} ${JSON.stringify(body)}`);
    return (answers.shift() ?? { value: {}, next: "" }) as Answer<T>;
  };
  return { sent, attempt: new Attempt(act, () => `k${++keys}`) };
}

test("a request without an answer is repeated with its key, and no other one can be made", async () => {
  for (const status of [0, 408, 500, 502, 504]) {
    const { sent, attempt: one } = attempt(failed(status));
    await one.send("/refund", { amount: "1.00" });
    assert.ok(one.unknown, String(status));
    await assert.rejects(one.send("/refund", { amount: "2.00" }));
    assert.equal((await one.send("/refund", { amount: "1.00" })).failure, undefined);
    assert.ok(!one.unknown);
    assert.deepEqual(sent, ['k1 /refund {"amount":"1.00"}', 'k1 /refund {"amount":"1.00"}']);
  }
});

test("what was refused was not done: the same has the same key, another one its own", async () => {
  for (const status of [400, 403, 404, 409, 429]) {
    const { sent, attempt: one } = attempt(failed(status), failed(status));
    await one.send("/refund", { amount: "9.00" });
    assert.ok(!one.unknown, String(status));
    await one.send("/refund", { amount: "9.00" });
    await one.send("/refund", { amount: "1.00" });
    assert.deepEqual(sent.map((line) => line.slice(0, 2)), ["k1", "k1", "k2"]);
  }
});

test("nobody knows about a request that is under way", async () => {
  let answer: (value: Answer<unknown>) => void = () => {};
  const act = <T>() => new Promise<Answer<T>>((resolve) => (answer = resolve as typeof answer));
  const one = new Attempt(act, () => "k");
  const sent = one.send("/void", {});
  assert.ok(one.unknown);
  answer({ value: {}, next: "" });
  await sent;
  assert.ok(!one.unknown);
});

test("each part of many has a key of its own", async () => {
  const { sent, attempt: one } = attempt();
  for (const cursor of ["", "a", "b"]) await one.send("/callbacks/send", { cursor });
  assert.deepEqual(sent.map((line) => line.slice(0, 2)), ["k1", "k2", "k3"]);
});
