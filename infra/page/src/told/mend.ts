// What a fault is called in its cell, and how it is mended: both differ for what is empty, incomplete and wrong.

import { fill, locales, textOf, type CellKey, type MendKey, type Texts } from "../texts";
import type { ScreenField } from "../service/screen";
import { brandOf, codeLength, digitsOf, formatExpiry, isFar, parseExpiry } from "../fields/card";
import { lengthOf, mostOf, type Fault } from "../fields/check";
import { halfCell } from "../fields/postal";
import { exampleOf } from "./address";
import { isWhole } from "./writing";

const cells: Partial<Record<MendKey, CellKey>> = {
  number_short: "number_short",
  number_digit: "number_digit",
  expiry_empty: "expiry_required",
  expiry_month: "expiry_month",
  expiry_past: "expiry_past",
  expiry_far: "expiry_far",
  code_back: "code",
  code_front: "code",
  email: "email",
};

/** Marked is a field with its fault. */
export interface Marked {
  field: ScreenField;
  label: string;
  fault: Fault;
  value: string;
  number: string; // of the form's card, "" where there is none
  country: string; // of the form, "" where it is not known
  by: string; // the value of the field that decides how this one is written
  half: boolean; // beside another one
  today: Date;
}

/** cellOf stands in the place of the label. Half a row has the label alone where more would not fit. */
export function cellOf(marked: Marked, texts: Texts): string {
  const { field, label, fault, value, number, half, by } = marked;
  const wrongDigit = fault === "invalid" && isWhole(field, value, by);
  const key = wrongDigit ? "number_digit" : (fault !== "long" && cells[keyOf(marked) ?? "name"]) || fault;
  const said = textOf(texts.cell ?? {}, key) || "{label}"; // without texts, should they not come
  const length = { count: String(codeLength(number) ?? 3), ...(fault === "long" && lengthIn(field, value)) };
  const text = fill(said, { label, value: formatExpiry(value), ...length });
  return half && text.replace(/\p{Cf}/gu, "").length > halfCell && said.includes("{label}") ? label : text;
}

/**
 * lineOf is the one line below the box: how the fault is mended, else the fault where its cell has no room for it, ""
 * where the cell says all. decimals are those of the order's currency.
 */
export function lineOf(marked: Marked, texts: Texts, decimals: number): string {
  const { field, fault, value, country, today } = marked;
  const key = fault === "long" || fault === "unusual" ? fault : keyOf(marked);
  const whole = cellOf({ ...marked, half: false }, texts);
  const example =
    exampleOf(field, country) || exampleOfKind(field, decimals, texts.tag, today);
  if (key) return fill(textOf(texts.mend ?? {}, key), { example, ...lengthIn(field, value) });
  return field.kind === "checkbox" || cellOf(marked, texts) !== whole ? whole : "";
}

// lengthIn is how many characters a field takes, and how many its value has.
function lengthIn(field: ScreenField, value: string): { max: string; count: string } {
  return { max: String(mostOf(field)), count: String(lengthOf(field, value)) };
}

function keyOf({ field: { kind }, value: typed, number, today }: Marked): MendKey | null {
  const value = typed.trim();
  switch (kind) {
    case "card_number":
      return value === ""
        ? "number_empty"
        : digitsOf(value).length < leastDigits(value)
          ? "number_short"
          : "number_digit";
    case "expiry":
      return expiryKey(value, today);
    case "security_code":
      return brandOf(number) === "amex" ? "code_front" : "code_back";
    case "card_name":
      return "name";
    case "email":
    case "phone":
      return value === "" ? null : kind;
    case "amount":
    case "consent":
      return kind;
    case "country":
    case "state":
    case "select":
      return "list";
    default:
      return null;
  }
}

function expiryKey(value: string, today: Date): MendKey {
  const text = formatExpiry(value);
  if (!/^\d\d\/\d\d$/.test(text)) return "expiry_empty";
  const expiry = parseExpiry(text);
  return !expiry ? "expiry_month" : isFar(expiry, today) ? "expiry_far" : "expiry_past";
}

function leastDigits(number: string): number {
  const brand = brandOf(number);
  return brand === "amex" ? 15 : brand === "diners" ? 14 : 16;
}

function exampleOfKind({ kind }: ScreenField, decimals: number, tag: string, today: Date): string {
  const own: Partial<Record<string, string>> = { card_name: "Ada Lovelace", phone: "+1 415 555 2671" };
  return own[kind] ?? (kind === "amount" ? exampleAmount(decimals, tag) : exampleExpiry(today));
}

function exampleAmount(decimals: number, tag: string): string {
  return new Intl.NumberFormat(locales(tag), { minimumFractionDigits: decimals }).format(decimals > 0 ? 12.5 : 12);
}

// Always a date to come.
function exampleExpiry(today: Date): string {
  return "08/" + String((today.getFullYear() + 3) % 100).padStart(2, "0");
}
