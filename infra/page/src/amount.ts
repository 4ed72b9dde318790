// Amounts in the form that the payer's language has for their currency. An amount stays text
// from end to end: only its whole part goes through Intl, as a BigInt.

import type { ScreenOrder } from "./screen";
import { locales } from "./texts/locales";

type Money = Pick<ScreenOrder, "amount" | "currency" | "decimals">;

const written = /^(\d+)(?:\.(\d+))?$/;
const formats = new Map<string, Intl.NumberFormat>(); // one takes a slow phone longer than all else of an amount

export function hasAmount({ amount }: Pick<Money, "amount">): boolean {
  return written.test(amount);
}

/** formatAmount returns "" when the amount is not known yet. */
export function formatAmount(order: Money, language: string): string {
  return amountParts(order, language).join("");
}

/** amountParts cuts the text behind its group separators, where a line may be broken; [] when the amount is not known yet. */
export function amountParts(order: Money, language: string): string[] {
  const parts = written.exec(order.amount);
  if (!parts) return [];
  const fraction = (parts[2] ?? "").padEnd(order.decimals, "0");
  // Intl takes three letters only, known to it or not; another code takes the place of the one for tests.
  const usual = /^[A-Z]{3}$/.test(order.currency);
  const format = formatOf(language, usual ? order.currency : "", fraction.length);
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
  const format = new Intl.NumberFormat(locales(language), {
    style: "currency",
    currency: currency || "XTS",
    currencyDisplay: currency ? "symbol" : "code",
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

/** formatLeft shows milliseconds as mm:ss, rounded up, so that 00:00 is the end. */
export function formatLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const two = (n: number) => String(n).padStart(2, "0");
  return two(Math.floor(seconds / 60)) + ":" + two(seconds % 60);
}
