// How amounts, times and counts are written. An amount stays text from end to end.

const written = /^(-?)(\d+)(?:\.(\d+))?$/;

/** isAmount reports whether a text is an amount as the API takes it. */
export const isAmount = (text: string) => /^\d{1,15}(\.\d{1,18})?$/.test(text) && /[1-9]/.test(text);

// The digits stay those of ids and times; what stands between them is the browser's.
const formats = new Map<string, Intl.NumberFormat>();

function formatOf(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.NumberFormat(undefined, { ...options, numberingSystem: "latn" });
  formats.set(key, format);
  return format;
}

/** amountText writes an amount as the browser's region does, with all its digits: 1,234,567.50 in the United States. */
export function amountText(amount: string): string {
  const parts = written.exec(amount);
  if (!parts) return amount;
  const [, sign, whole = "", fraction] = parts;
  const format = formatOf({ minimumFractionDigits: fraction ? 1 : 0 });
  const shown = format.formatToParts(BigInt(whole)).map(({ type, value }) => (type === "fraction" ? fraction : value));
  return sign + shown.join("");
}

/** decimalText is an amount with at least the decimals of its currency. */
export function decimalText(amount: string, currency: string): string {
  const usual = /^[A-Z]{3}$/.test(currency) && formatOf({ style: "currency", currency }).resolvedOptions();
  const least = (usual && usual.maximumFractionDigits) || 0;
  return amountText(written.test(amount) && decimals(amount) < least ? add(amount, "0." + "0".repeat(least)) : amount);
}

export const money = (amount: string | undefined, currency: string) =>
  amount ? decimalText(amount, currency) + " " + currency : "";

/** add adds two amounts, with the decimals of the one that has more. What is no amount counts as nothing. */
export function add(a: string, b: string): string {
  const places = Math.max(decimals(a), decimals(b));
  const sum = units(a, places) + units(b, places);
  const digits = String(sum < 0n ? -sum : sum).padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places);
  return (sum < 0n ? "-" : "") + whole + (places ? "." + digits.slice(-places) : "");
}

const decimals = (amount: string) => written.exec(amount)?.[3]?.length ?? 0;

function units(amount: string, places: number): bigint {
  const [, sign = "", whole = "0", fraction = ""] = written.exec(amount) ?? [];
  return BigInt(sign + whole + fraction.padEnd(places, "0"));
}

/** share is how many of all, in percent with one decimal. */
export function share(some: number, all: number): string {
  return all ? amountText(((100 * some) / all).toFixed(1)) + " %" : "";
}

export const count = (n: number, one: string, more = one + "s") => `${amountText(String(n))} ${n === 1 ? one : more}`;

/** zone is the name of the viewer's zone, in which days are. */
export const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

/** timeText is a time in the viewer's zone: 2026-11-23 14:20:05. */
export function timeText(at: string): string {
  const time = new Date(at);
  return isNaN(time.getTime()) ? at : dayAndClock(new Date(time.getTime() - time.getTimezoneOffset() * 60_000));
}

const dayAndClock = (time: Date) => time.toISOString().slice(0, 19).replace("T", " ");

/** utc is a time in UTC, as the title of a time in the viewer's zone has it. */
export function utc(at: string): string {
  const time = new Date(at);
  return (isNaN(time.getTime()) ? at : dayAndClock(time)) + " UTC";
}

/** Named is an amount that a sentence may name. */
export interface Named {
  amount?: string | undefined;
  currency: string;
}

/**
 * localText is a sentence of the service as the viewer writes: its times, which are in UTC, in the viewer's zone with
 * UTC beside, and those of the amounts that it names in the form of the browser's region.
 */
export function localText(text: string, amounts: readonly Named[] = []): string {
  const named = new Set(amounts.map(({ amount, currency }) => `${amount} ${currency}`));
  return inZone(text).replace(/(?<![\w.,:-])([\d.]*\d) (\w+)(?![\w-])/g, (all, amount: string, currency: string) =>
    named.has(all) ? decimalText(amount, currency) + "\u00a0" + currency : all,
  );
}

function inZone(text: string): string {
  return text.replace(/(\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d)?) \(?UTC\)?/g, (_, day: string, clock: string) => {
    const universal = `${day} ${clock}`;
    const own = timeText(`${day}T${clock}Z`).slice(0, universal.length);
    if (own === universal) return universal + " UTC";
    return `${own} (${own.startsWith(day) ? clock : universal} UTC)`;
  });
}

/** ago is how long before or after now a time is: 3 min ago, in 2 h. */
export function ago(at: string, now: number): string {
  const seconds = Math.round((now - new Date(at).getTime()) / 1000);
  const long = lasting(Math.abs(seconds));
  if (isNaN(seconds) || !long) return "now";
  return seconds < 0 ? "in " + long : long + " ago";
}

function lasting(seconds: number): string {
  for (const [unit, size] of [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]] as const) {
    if (seconds >= size) return `${Math.floor(seconds / size)} ${unit}`;
  }
  return "";
}

/**
 * short is the end of an ARN that tells people apart: user/ann. Of a person who has signed in it is the end of the
 * name.
 */
export const short = (who: string) => who.replace(/^arn:[^:]*:[^:]*:[^:]*:[^:]*:|^oidc\/.*\//, "");
