// Amounts in the form that the payer's language has for their currency. An amount stays text
// from end to end: only its whole part goes through Intl, as a BigInt.

import type { ScreenOrder } from "./screen";

/** formatAmount returns "" when the amount is not known yet. */
export function formatAmount(order: Pick<ScreenOrder, "amount" | "currency" | "decimals">, language: string): string {
  const parts = /^(\d+)(?:\.(\d+))?$/.exec(order.amount);
  if (!parts) return "";
  if (!isMoney(order.currency)) return order.amount + "\u00a0" + order.currency;
  const fraction = parts[2] ?? "";
  const format = new Intl.NumberFormat([language, "en"], {
    style: "currency",
    currency: order.currency,
    minimumFractionDigits: fraction.length,
    maximumFractionDigits: fraction.length,
  });
  const digit = new Intl.NumberFormat([language, "en"], { useGrouping: false });
  return format
    .formatToParts(BigInt(parts[1] ?? "0"))
    .map((part) => (part.type === "fraction" ? fraction.replace(/\d/g, (d) => digit.format(Number(d))) : part.value))
    .join("");
}

function isMoney(currency: string): boolean {
  return Intl.supportedValuesOf ? Intl.supportedValuesOf("currency").includes(currency) : /^[A-Z]{3}$/.test(currency);
}

/** formatLeft shows milliseconds as mm:ss, rounded up, so that 00:00 is the end. */
export function formatLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const two = (n: number) => String(n).padStart(2, "0");
  return two(Math.floor(seconds / 60)) + ":" + two(seconds % 60);
}
