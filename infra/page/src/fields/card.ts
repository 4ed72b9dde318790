// Card data as the payer types it: brand, groups, Luhn, expiry date.

export type Brand = "visa" | "mastercard" | "amex" | "discover" | "diners" | "jcb" | "unionpay" | "maestro";

export const brandNames: Record<Brand, string> = {
  visa: "Visa",
  mastercard: "Mastercard",
  amex: "American Express",
  discover: "Discover",
  diners: "Diners Club",
  jcb: "JCB",
  unionpay: "UnionPay",
  maestro: "Maestro",
};

// First digits of the brands' numbers, both ends included; the first row that fits wins.
const ranges: [from: string, to: string, brand: Brand][] = [
  ["34", "34", "amex"],
  ["37", "37", "amex"],
  ["300", "305", "diners"],
  ["3095", "3095", "diners"],
  ["36", "36", "diners"],
  ["38", "39", "diners"],
  ["3528", "3589", "jcb"],
  ["4", "4", "visa"],
  ["51", "55", "mastercard"],
  ["2221", "2720", "mastercard"],
  ["6011", "6011", "discover"],
  ["644", "649", "discover"],
  ["65", "65", "discover"],
  ["62", "62", "unionpay"],
  ["81", "81", "unionpay"],
  ["50", "50", "maestro"],
  ["56", "58", "maestro"],
  ["6", "6", "maestro"],
];

const maxDigits = 19;
const digitsOfBrand: Partial<Record<Brand, number>> = { amex: 15, mastercard: 16 }; // where all cards have as many

// Digits of other scripts, as an Arabic keyboard gives them, become 0 to 9.
function latin(text: string): string {
  return text.normalize("NFKC").replace(/[٠-٩۰-۹]/g, (d) => String(d.charCodeAt(0) & 15));
}

export function digitsOf(text: string): string {
  return latin(text).replace(/\D/g, "");
}

/** brandOf knows a brand as soon as enough digits are there to be sure. */
export function brandOf(number: string): Brand | null {
  const digits = digitsOf(number);
  for (const [from, to, brand] of ranges) {
    const head = digits.slice(0, from.length);
    if (head.length === from.length && head >= from && head <= to) {
      // "6" alone may still become Discover or UnionPay.
      return from === "6" && digits.length < 4 ? null : brand;
    }
  }
  return null;
}

/** formatNumber puts a card number in the groups that are printed on the card. */
export function formatNumber(text: string): string {
  const brand = brandOf(text);
  const digits = digitsOf(text).slice(0, (brand && digitsOfBrand[brand]) ?? maxDigits);
  const short = brand === "amex" || (brand === "diners" && digits.length <= 14);
  const cuts = short ? [4, 10] : [4, 8, 12, 16];
  let out = "";
  for (let i = 0; i < digits.length; i++) out += (cuts.includes(i) ? " " : "") + digits[i];
  return out;
}

export function luhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const twice = digit * 2;
    sum += i % 2 === 0 ? digit : twice > 9 ? twice - 9 : twice;
  }
  return digits.length > 0 && sum % 10 === 0;
}

export function validNumber(text: string): boolean {
  const digits = digitsOf(text);
  return digits.length >= 14 && digits.length <= maxDigits && luhn(digits);
}

/** codeLength is how many digits the security code of a card has; undefined: 3 or 4. */
export function codeLength(number: string): number | undefined {
  const brand = brandOf(number);
  return brand ? (brand === "amex" ? 4 : 3) : undefined;
}

export function validCode(text: string, number: string): boolean {
  const length = codeLength(number);
  return /^\d{3,4}$/.test(text) && (!length || text.length === length);
}

/**
 * formatExpiry shows an expiry date as MM/YY whatever way it was typed or filled in: 0138, 1/38, 01-2038, 2038-01-31,
 * Jan 2038. Months may have their English names or those of a language; the beginning of one stays until it is clear,
 * and so does a year that is typed first.
 */
export function formatExpiry(typed: string, tag = "en", typing = false): string {
  const text = latin(typed).trim();
  const word = /^\p{L}[\p{L}\p{M}]*/u.exec(text)?.[0].toLowerCase() ?? "";
  const months = word ? monthsOf(word, tag) : [];
  if (months.length === 1 && word.length > 1) return formatExpiry(Number(months) + 1 + "/" + text.slice(word.length));
  if (months.length > 0) return text.slice(0, word.length);
  const begun = typing ? text.replace(/^02\/0/, "20") : text; // no card is of 2009 or earlier
  if (typing && /^20\d?$/.test(begun)) return begun;
  const reversed = /^\D*(20\d\d)(\D{0,3})(\d\d?)?(?:\D.*)?$/s.exec(begun);
  if (reversed) {
    const [whole, year = "", separator = "", month = ""] = reversed;
    const open = month === "" || (typing && /^[01]$/.test(month) && whole.endsWith(month));
    return open ? year + separator + month : formatExpiry(month + "/" + year);
  }
  const parts = /^\D*(\d*)(\D*)(.*)$/s.exec(text);
  let month = parts?.[1] ?? "";
  let rest = digitsOf(parts?.[3] ?? "");
  const separated = (parts?.[2] ?? "") !== "" && month !== "";
  // Three digits are a month of one and a year; else two digits are a month, also one that no year has.
  const cut = month.length === 3 && !separated && Number(month.slice(0, 2)) > 12 ? 1 : 2;
  rest = month.slice(cut) + rest;
  month = month.slice(0, cut);
  if (month.length === 1 && (separated || rest !== "" || month > "1")) month = "0" + month;
  return month.length < 2 ? month : month + "/" + shortYear(rest);
}

// monthsOf are the months whose names begin as a word does, but for its ending: that differs where a day goes before.
function monthsOf(word: string, tag: string): number[] {
  const styles = ["en", tag].map((locale) => new Intl.DateTimeFormat(locale, { month: "long" }));
  const isNamed = (month: number) => styles.some((s) => s.format(new Date(2000, month)).toLowerCase().startsWith(word));
  const found = [...Array(12).keys()].filter(isNamed);
  return found.length > 0 || word.length < 4 ? found : monthsOf(word.slice(0, -1), tag);
}

// 2038 becomes 38; 20 and 203 may be on the way to it.
function shortYear(digits: string): string {
  if (!digits.startsWith("20")) return digits.slice(0, 2);
  return digits.length >= 4 ? digits.slice(2, 4) : digits;
}

export interface Expiry {
  month: number;
  year: number; // four digits
}

export function parseExpiry(text: string): Expiry | null {
  const parts = /^(\d\d)\/(\d\d)$/.exec(formatExpiry(text));
  if (!parts) return null;
  const month = Number(parts[1]);
  return month >= 1 && month <= 12 ? { month, year: 2000 + Number(parts[2]) } : null;
}

const mostYears = 25;

/** isFar tells whether an expiry date is further ahead than any card is issued for. */
export function isFar({ month, year }: Expiry, today: Date): boolean {
  return year * 12 + month > monthOf(today) + mostYears * 12;
}

/** A card is good through the last day of its month. */
export function validExpiry(text: string, today: Date): boolean {
  const expiry = parseExpiry(text);
  return !!expiry && expiry.year * 12 + expiry.month >= monthOf(today) && !isFar(expiry, today);
}

function monthOf(today: Date): number {
  return today.getFullYear() * 12 + today.getMonth() + 1;
}
