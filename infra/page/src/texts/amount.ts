// Amounts in the form that the payer's language has for their currency. An amount stays text
// from end to end: only its whole part goes through Intl, as a BigInt.

import type { ScreenOrder } from "../service/screen";
import { locales } from "./locales";

type Money = Pick<ScreenOrder, "amount" | "currency" | "decimals">;

const written = /^(\d+)(?:\.(\d+))?$/;
const forTests = "XTS"; // ISO 4217's code for tests
const formats = new Map<string, Intl.NumberFormat>(); // one takes a slow phone longer than all else of an amount

export function hasAmount({ amount }: Pick<Money, "amount">): boolean {
  return written.test(amount);
}

/** formatAmount returns "" when the amount is not known yet. */
export function formatAmount(order: Money, language: string): string {
  return amountParts(order, language).join("");
}

/** amountAndUnit keeps the unit of coins apart: what no country has issued is written with its unit behind it. */
export function amountAndUnit(amount: string, currency: string, language: string): [text: string, unit: string] {
  const unit = isMoney(currency) ? "" : currency;
  const decimals = (amount.split(".")[1] ?? "").length;
  return [formatAmount({ amount, currency: unit ? "" : currency, decimals }, language) || amount, unit];
}

function isMoney(currency: string): boolean {
  return (
    /^[A-Z]{3}$/.test(currency) &&
    new Intl.DisplayNames("en", { type: "currency", fallback: "none" }).of(currency) !== undefined
  );
}

/**
 * amountParts cuts the text behind its group separators, where a line may be broken; [] when the amount is not known
 * yet.
 */
export function amountParts(order: Money, language: string): string[] {
  const parts = written.exec(order.amount);
  if (!parts) return [];
  const fraction = (parts[2] ?? "").padEnd(order.decimals, "0");
  // Intl takes three letters only, known to it or not; another code takes the place of the one for tests, and without
  // one there is only a number.
  const usual = /^[A-Z]{3}$/.test(order.currency);
  const format = formatOf(language, usual || !order.currency ? order.currency : forTests, fraction.length);
  const shown = [""];
  for (const part of format.formatToParts(BigInt(parts[1] ?? "0"))) {
    let text = part.value;
    if (part.type === "fraction") text = inDigits(fraction, part.value);
    if (part.type === "currency" && !usual) text = order.currency;
    shown[shown.length - 1] += text;
    if (part.type === "group") shown.push("");
  }
  return shown;
}

function formatOf(language: string, currency: string, digits: number): Intl.NumberFormat {
  const key = [language, currency, digits].join();
  const known = formats.get(key);
  if (known) return known;
  const display = currency === forTests ? "code" : "symbol";
  const format = new Intl.NumberFormat(locales(language), {
    ...(currency && { style: "currency", currency, currencyDisplay: display }),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  formats.set(key, format);
  return format;
}

// The digits of every script follow each other from its zero on.
function inDigits(text: string, zeros: string): string {
  const zero = zeros.codePointAt(0) ?? 48;
  return text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
}
