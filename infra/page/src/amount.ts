// Amounts in the form that the payer's language has for their currency. An amount stays text
// from end to end: only its whole part goes through Intl, as a BigInt.

import type { ScreenOrder } from "./screen";
import { locales } from "./texts/locales";

type Money = Pick<ScreenOrder, "amount" | "currency" | "decimals">;

/** formatAmount returns "" when the amount is not known yet. */
export function formatAmount(order: Money, language: string): string {
  return amountParts(order, language).join("");
}

/** amountParts cuts the text behind its group separators, where a line may be broken; [] when the amount is not known yet. */
export function amountParts(order: Money, language: string): string[] {
  const parts = /^(\d+)(?:\.(\d+))?$/.exec(order.amount);
  if (!parts) return [];
  const fraction = (parts[2] ?? "").padEnd(order.decimals, "0");
  // Intl takes three letters only, known to it or not; another code takes the place of the one for tests.
  const usual = /^[A-Z]{3}$/.test(order.currency);
  const format = new Intl.NumberFormat(locales(language), {
    style: "currency",
    currency: usual ? order.currency : "XTS",
    currencyDisplay: usual ? "symbol" : "code",
    minimumFractionDigits: fraction.length,
    maximumFractionDigits: fraction.length,
  });
  const digit = new Intl.NumberFormat(locales(language), { useGrouping: false });
  const shown = [""];
  for (const part of format.formatToParts(BigInt(parts[1] ?? "0"))) {
    let text = part.value;
    if (part.type === "fraction") text = fraction.replace(/\d/g, (d) => digit.format(Number(d)));
    if (part.type === "currency" && !usual) text = order.currency;
    shown[shown.length - 1] += text;
    if (part.type === "group") shown.push("");
  }
  return shown;
}

/** formatLeft shows milliseconds as mm:ss, rounded up, so that 00:00 is the end. */
export function formatLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const two = (n: number) => String(n).padStart(2, "0");
  return two(Math.floor(seconds / 60)) + ":" + two(seconds % 60);
}
