// Creates a session, which a test pays at once with the card of the header, reads its payment and refunds a part, all with
// the types that openapi-typescript makes: main.js URL NUMBER PASSWORD. It prints the session's redirect_url, of the payment
// its status, order and first transaction, and what became of the refund.
import { createHash } from "node:crypto";
import { argv } from "node:process";
import type { paths } from "./types.js";

type Body<Path extends keyof paths> = paths[Path] extends {
  post: { requestBody: { content: { "application/json": infer Content } } };
}
  ? Content
  : never;
type Result<Path extends keyof paths> = paths[Path] extends {
  post: { responses: { 200: { content: { "application/json": infer Content } } } };
}
  ? Content
  : never;

const [, , url = "", number = "", password = ""] = argv;

async function post<Path extends keyof paths>(path: Path, body: Body<Path>, more = {}): Promise<Result<Path>> {
  const headers = { "Content-Type": "application/json", "Test-Card": "01/38", ...more };
  const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Result<Path>;
}

function sign(...parts: string[]): string {
  const inner = createHash("md5").update(parts.join("").toUpperCase()).digest("hex");
  return createHash("sha1").update(inner).digest("hex");
}

const request: Body<"/api/v1/session"> = {
  merchant_key: "demo-test",
  operation: "purchase",
  success_url: "https://shop.example/paid",
  order: { number, amount: "10.00", currency: "USD", description: "A gift" },
  hash: sign(number, "10.00", "USD", "A gift", password),
};
// @ts-expect-error: there is no such operation
export const wrong: typeof request = { ...request, operation: "pay" };

console.log((await post("/api/v1/session", request)).redirect_url);

const query = { merchant_key: "demo-test", order_id: number, hash: sign(number, password) };
const payment = await post("/api/v1/payment/status", query);
const first = payment.transactions?.[0];
console.log(payment.status, payment.order.number, first?.type, first?.status, first?.amount);

const part = {
  merchant_key: "demo-test",
  payment_id: payment.payment_id,
  amount: "4.00",
  hash: sign(payment.payment_id, "4.00", password),
};
const refund = await post("/api/v1/payment/refund", part, { "Idempotency-Key": `refund-${number}` });
console.log(refund.result);
