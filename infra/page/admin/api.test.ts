import assert from "node:assert/strict";
import { test } from "node:test";
import { noAccess, read, sentence } from "./api";

// said is what the page says of a response.
async function said(status: number, body: unknown, headers: Record<string, string> = {}): Promise<string> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  globalThis.fetch = async () => new Response(text, { status, headers });
  const { failure } = await read("/payments");
  assert.ok(failure);
  return sentence(failure);
}

const ours = (...texts: string[]) => ({
  error_code: 0,
  error_message: "Request data is invalid.",
  errors: texts.map((error_message) => ({ error_code: 1, error_message })),
  status: "error",
});

test("what the service says is shown, and what helps", async () => {
  const request = { "X-Request-Id": "r-1" };
  for (const [status, body, headers, want] of [
    [400, ours("amount: At most 6.00."), {}, "amount: At most 6.00."],
    [400, ours("from: Not a day", "limit: Not a number"), {}, "from: Not a day\nlimit: Not a number"],
    [
      403,
      ours("Your role does not allow it."),
      {},
      "Your role does not allow it. An administrator can grant the role for it, under Operators.",
    ],
    [401, ours("This page has no access."), {}, noAccess],
    [
      401,
      ours("You are not signed in."),
      { "X-Sign-In": "/admin/login" },
      "You are not signed in any more. Sign in in another tab, and try again here: what you typed is still here.",
    ],
    [
      403,
      { message: "Forbidden" },
      {},
      "AWS says: Forbidden. Your AWS credentials have expired, or they may not call this API.",
    ],
    [429, ours("Too many."), { "Retry-After": "7" }, "Too many requests. Try again in 7 s."],
    [
      500,
      ours("Internal server error."),
      request,
      "Internal server error.\nTry again; quote the request id if it stays so.",
    ],
    [
      502,
      ours("The admin API can't be reached: no AWS credentials"),
      {},
      "The admin API can't be reached: no AWS credentials\nTry again.",
    ],
    [
      503,
      { message: "Service Unavailable" },
      request,
      "AWS says: Service Unavailable.\nTry again; quote the request id if it stays so.",
    ],
    [504, "<html>", {}, "The service failed.\nTry again."],
  ] as const) {
    assert.equal(await said(status, body, headers), want);
  }
});
