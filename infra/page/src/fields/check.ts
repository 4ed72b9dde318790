// What may stand in a field. The service checks again; this saves the payer a round trip.

import type { ScreenField, ScreenOption } from "../service/screen";
import { digitsOf, validCode, validExpiry, validNumber } from "./card";
import { isState, statesOf } from "./countries";
import countries from "./countries";

export type Fault = "required" | "invalid" | "long" | "unusual"; // which may be right

export interface Around {
  country: string; // chosen in the same form, or given with the field; "" where it is not known
  by: string; // the value of the field that the options depend on
  decimals: number; // of the order's currency
  number: string; // of the card, as far as it is known
  today: Date;
}

/** plain is a field's value as it is sent. */
export function plain(field: ScreenField, value: string): string {
  const typed = value.normalize("NFC").replace(/\s+/g, " ").trim();
  const text = field.mask ? bare(field, typed) : typed;
  switch (field.format) {
    case "digits":
      return digitsOf(text);
    case "upper":
      return text.toUpperCase();
    case "phone":
      return text.replace(/[\s.\u2010-\u2015/]/g, (c) => (/[\u2010-\u2015]/.test(c) ? "-" : ""));
  }
  switch (field.check) {
    case "card_name":
      return text.replace(/[\u2018\u2019\u02bc\u00b4`]/g, "'").replace(/[\u2010-\u2015]/g, "-");
    case "amount":
      return amountText(text);
    default:
      return text;
  }
}

// bare is a value without what its mask puts between the characters, and without spaces.
function bare({ mask = "", format }: ScreenField, text: string): string {
  const signs = [...text].filter((c) => c.trim() && (c === "#" || !mask.includes(c))).join("");
  return format === "digits" ? digitsOf(signs) : format === "upper" ? signs.toUpperCase() : signs;
}

/** masked puts a value in the groups of its field's mask, in which # is a character. What is longer goes on without. */
export function masked(field: ScreenField, text: string): string {
  const { mask = "" } = field;
  let shown = "";
  let at = 0;
  for (const c of bare(field, text)) {
    for (; at < mask.length && mask[at] !== "#"; at++) shown += mask[at];
    shown += c;
    at++;
  }
  return shown;
}

// amountText is an amount as decimal text, with a point whatever separator and digits the payer's keyboard has. A
// separator of thousands stays, so that what may be meant in two ways is refused.
function amountText(text: string): string {
  const typed = text.normalize("NFKC").replace(/[٠-٩۰-۹]/g, digitsOf).replace(/ /g, "").replace(/[,٫]/g, ".");
  const parts = /^(\d*)(?:\.(\d*))?$/.exec(typed);
  if (!parts || !/\d/.test(typed)) return typed;
  const whole = (parts[1] ?? "").replace(/^0+(?=\d)/, "") || "0";
  return parts[2] ? whole + "." + parts[2] : whole;
}

export function check(field: ScreenField, value: string, around: Around): Fault | null {
  const text = plain(field, value);
  if (text === "") return isRequired(field, around.country) ? "required" : null;
  if (field.unusual && value === field.value) return "unusual";
  if (lengthOf(field, text) > mostOf(field)) return "long";
  if (!isValid(field, text, around)) return "invalid";
  return globalThis.checkoutAfter?.isUsual(field, text, around.country) === false ? "unusual" : null;
}

/** lengthOf is how many characters of a typed value count. */
export function lengthOf(field: ScreenField, value: string): number {
  return [...plain(field, value)].length;
}

/** mostOf is how many characters a field takes. Those of a date have more than one form. */
export function mostOf({ check, max = 255 }: ScreenField): number {
  return check === "expiry" ? Infinity : max;
}

/** isRequired: a state is asked for only where a country has a list of them. */
export function isRequired(field: ScreenField, country: string): boolean {
  if (field.kind === "state" && !statesOf(country)) return false;
  return field.required === true;
}

// Some of the service's rules by their names (internal/method/check_table.go). One that is not here refuses nothing.
export const checks: Record<string, (text: string, field: ScreenField, around: Around) => boolean> = {
  card_number: (text) => validNumber(text),
  expiry: (text, _, { today }) => validExpiry(text, today),
  security_code: (text, _, { number }) => validCode(text, number),
  card_name: (text, { max }) => validName(text, max ?? 32),
  email: (text) => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text),
  country: (text) => countries.includes(text),
  state: (text, _, { country }) => isState(country, text),
  phone: (text) => /^[+()\-0-9]*\d[+()\-0-9]*$/.test(text),
  amount: (text, _, { decimals }) => validAmount(text, decimals),
  agreed: (text) => text === "true",
};

function isValid(field: ScreenField, text: string, around: Around): boolean {
  const good = checks[field.check ?? ""];
  if (good && !good(text, field, around)) return false;
  if (globalThis.checkoutAfter?.fits(field, text, around.by) === false) return false;
  if (field.pattern && !new RegExp("^(?:" + field.pattern + ")$", "u").test(text)) return false;
  if (field.options && !offered(field, around.by).some(({ value }) => value === text)) return false;
  return field.check === "expiry" || [...text].length >= (field.min ?? 1);
}

/** offered are the options of a field for a value of the field that they depend on. */
export function offered({ options = [] }: ScreenField, by: string): ScreenOption[] {
  return options.filter((option) => !option.by || option.by.includes(by));
}

/** More than zero, and no digit that the currency does not have. */
export function validAmount(text: string, decimals: number): boolean {
  const parts = /^\d+(?:\.(\d+))?$/.exec(text);
  return parts !== null && (parts[1] ?? "").length <= decimals && /[1-9]/.test(text);
}

/** At least two words of letters of any alphabet, hyphens, apostrophes and the dots of initials. */
export function validName(text: string, max: number): boolean {
  const words = text.split(" ");
  return (
    [...text].length <= max &&
    words.length >= 2 &&
    words.every((word) => /^[\p{L}\p{M}'.-]*\p{L}[\p{L}\p{M}'.-]*$/u.test(word))
  );
}
