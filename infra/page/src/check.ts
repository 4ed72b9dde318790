// What may stand in a field. The service checks again; this saves the payer a round trip.

import { digitsOf, validCode, validExpiry, validNumber } from "./card";
import { statesOf } from "./countries";
import type { ScreenField } from "./screen";
import countries from "./countries";

export type Fault = "required" | "invalid";

export interface Around {
  country: string; // chosen in the same form, or given with the field
  decimals: number; // of the order's currency
  today: Date;
}

/** plain is a field's value as it is sent. */
export function plain(field: ScreenField, value: string): string {
  const text = value.normalize("NFC").replace(/\s+/g, " ").trim();
  switch (field.kind) {
    case "card_number":
    case "security_code":
      return digitsOf(text);
    case "card_name":
      return text.replace(/[\u2018\u2019\u02bc\u00b4`]/g, "'").replace(/[\u2010-\u2015]/g, "-");
    case "phone":
      return text.replace(/[\s.\u2010-\u2015/]/g, (c) => (/[\u2010-\u2015]/.test(c) ? "-" : ""));
    case "amount":
      return amountText(text);
    default:
      return text;
  }
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
  return isValid(field, text, around) ? null : "invalid";
}

/** isRequired: a state is asked for only where a country has a list of them. */
export function isRequired(field: ScreenField, country: string): boolean {
  if (field.kind === "state" && !statesOf(country)) return false;
  return field.required === true;
}

function isValid(field: ScreenField, text: string, around: Around): boolean {
  const length = [...text].length;
  switch (field.kind) {
    case "card_number":
      return validNumber(text);
    case "expiry":
      return validExpiry(text, around.today);
    case "security_code":
      return validCode(text);
    case "country":
      return countries.includes(text);
    case "state": {
      const states = statesOf(around.country);
      if (states) return states.some(([code]) => code === text);
      break;
    }
    case "card_name":
      if (!validName(text, field.max ?? 32)) return false;
      break;
    case "email":
      if (!/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text)) return false;
      break;
    case "amount":
      if (!validAmount(text, around.decimals)) return false;
      break;
    case "consent":
      return text === "true";
    case "phone":
      if (!/^[+()\-0-9]*\d[+()\-0-9]*$/.test(text)) return false;
      break;
  }
  return length >= (field.min ?? 1) && length <= (field.max ?? 255);
}

/** More than zero, and no digit that the currency does not have. */
export function validAmount(text: string, decimals: number): boolean {
  const parts = /^\d+(?:\.(\d+))?$/.exec(text);
  return parts !== null && (parts[1] ?? "").length <= decimals && /[1-9]/.test(text);
}

/** At least two words of letters of any alphabet, hyphens and apostrophes. */
export function validName(text: string, max: number): boolean {
  const words = text.split(" ");
  return [...text].length <= max && words.length >= 2 && words.every((word) => /^[\p{L}\p{M}'-]*\p{L}[\p{L}\p{M}'-]*$/u.test(word));
}
