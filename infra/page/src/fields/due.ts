// What is due as far as it is known already: some of it depends on what the payer fills in.

import type { ScreenField, ScreenOrder, ScreenVAT } from "../service/screen";
import { plain, validAmount } from "./check";
import type { Values } from "./values";

/** orderNow is the order with the amount that the payer typed, where the order has none and what was typed is one. */
export function orderNow(order: ScreenOrder, fields: ScreenField[], values: Values): ScreenOrder {
  const field = fields.find((f) => f.kind === "amount");
  if (!field || order.amount !== "") return order;
  const amount = plain(field, values[field.id] ?? field.value ?? "");
  return validAmount(amount, order.decimals) ? { ...order, amount } : order;
}

/** vatNow is the only VAT that there is, else that of the payer's country, once it is chosen. */
export function vatNow(order: ScreenOrder, fields: ScreenField[], values: Values): ScreenVAT | undefined {
  const all = order.vat ?? [];
  if (all.length === 1) return all[0];
  const field = fields.find((f) => f.kind === "country");
  const country = field && (values[field.id] ?? field.value);
  return all.find((vat) => vat.country === country);
}
