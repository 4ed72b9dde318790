import assert from "node:assert/strict";
import test from "node:test";
import { ask } from "./api";

const body = {
  error_code: 0,
  error_message: "Request data is invalid.",
  errors: [{ error_code: 100000, error_message: "payer_email: x" }],
};

test("answers", async () => {
  const rows: [number, object, string | null, object][] = [
    [200, { kind: "wait", language: "en" }, null, { kind: "screen", screen: { kind: "wait", language: "en" } }],
    [200, {}, null, { kind: "nothing" }],
    [400, body, null, { kind: "faults", faults: ["payer_email: x"] }],
    [404, body, null, { kind: "unknown" }],
    [429, body, "20", { kind: "later", seconds: 20 }],
    [429, body, "0", { kind: "later", seconds: 1 }],
    [429, body, null, { kind: "later", seconds: 5 }],
    [429, body, "Sat, 21 Nov 2026 08:00:00 GMT", { kind: "later", seconds: 5 }],
    [408, body, null, { kind: "nothing" }],
    [409, body, null, { kind: "refused" }],
    [503, body, "20", { kind: "nothing", answered: true }],
  ];
  for (const [status, answer, retryAfter, want] of rows) {
    globalThis.fetch = async () =>
      new Response(JSON.stringify(answer), {
        status,
        headers: retryAfter === null ? {} : { "Retry-After": retryAfter },
      });
    assert.deepEqual(await ask("/pay", {}), want, String(status));
  }
});
