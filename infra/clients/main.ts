// What a merchant writes with the generated types: a session request, and what its responses have.
import type { components, operations } from "./checkout/index.js";

type Body<O extends keyof operations> = operations[O] extends {
  responses: { 200: { content: { "application/json": infer Content } } };
}
  ? Content
  : never;

export const request: components["schemas"]["SessionRequest"] = {
  merchant_key: "demo-test",
  operation: "purchase",
  success_url: "https://shop.example/paid",
  order: { number: "order-1234", amount: "10.00", currency: "USD", description: "A gift" },
  hash: "",
};

// @ts-expect-error: there is no such operation
export const wrong: typeof request = { ...request, operation: "pay" };

export function redirect(created: Body<"createSession">): string | undefined {
  return created.redirect_url;
}

export function settled(status: Body<"paymentStatus">): boolean {
  const payments = Array.isArray(status) ? status : [status];
  return payments.some((payment) => payment.status === "settled" && payment.waits_for_person !== true);
}
