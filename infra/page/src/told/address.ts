// How a country writes postal codes and phone numbers. A part of the script that comes once a form is begun; the rows
// are fetched by a form that asks for one of them. Until both are there, everything is usual.

import { addresses } from "../fields/places";
import type { ScreenField } from "../service/screen";

/** isUsual: a country may have begun to write its postal codes in another way, so that others are no fault. */
export function isUsual(field: ScreenField, text: string, country: string): boolean {
  const postal = postalOf(field, country);
  if (!postal) return true;
  const pattern = new RegExp(`^(?:${postal.pattern})$`);
  const code = text.replace(/[\s-]/g, "").toUpperCase();
  // Many write the country before the code, or leave it out where it belongs there.
  return [code, country + code, code.replace(country, "")].some((written) => pattern.test(written));
}

/** isInDigits tells whether a field's value has digits alone: a postal code in many countries. */
export function isInDigits(field: ScreenField, country: string): boolean {
  return /^(?:\\d|[^a-zA-Z])+$/.test(postalOf(field, country)?.pattern ?? "A");
}

/** exampleOf is a postal code or a whole phone number of the country, "" where none is known. */
export function exampleOf(field: ScreenField, country: string): string {
  return (postalOf(field, country) ?? phoneOf(field, country))?.example ?? "";
}

/** codeOf is the calling code of a phone's country, with its plus, undefined where none is known. */
export function codeOf(field: ScreenField, country: string): string | undefined {
  const phone = phoneOf(field, country);
  return phone && "+" + phone.code;
}

/** withCode puts the calling code before a number that was typed as within the country, where that is certain. */
export function withCode(field: ScreenField, text: string, country: string): string {
  const phone = phoneOf(field, country);
  const typed = text.replace(/[()]/g, "").trim();
  if (!phone || !/^[\d\s./-]+$/.test(typed)) return text;
  if (/^00/.test(typed)) return "+" + typed.slice(2);
  const { code, trunk = "", digits: [least = 0, most = 0] } = phone;
  const isNational = (number: string) => {
    const { length } = number.replace(/\D/g, "");
    return length >= least && length <= most;
  };
  const within = typed.slice(trunk.length).trim();
  const dialled = typed.startsWith(trunk) && (trunk === "0" || !isNational(typed));
  if (dialled && isNational(within)) return `+${code} ${within}`;
  if (!isNational(typed)) return typed.startsWith(code) && isNational(typed.slice(code.length)) ? "+" + typed : text;
  // Where 0 is dialled first, what begins with the calling code has it already, perhaps.
  const unclear = trunk === "0" && (typed.startsWith(trunk) || typed.startsWith(code));
  return unclear ? text : `+${code} ${typed}`;
}

function postalOf({ autocomplete }: ScreenField, country: string) {
  return autocomplete === "postal-code" ? addresses[country]?.postal : undefined;
}

function phoneOf({ kind }: ScreenField, country: string) {
  return kind === "phone" ? addresses[country]?.phone : undefined;
}
