// What a fault is called in its cell, and how it is mended: both differ for what is empty, incomplete and wrong.

import { fill, textOf, type CellKey, type MendKey, type Texts } from "../texts";
import type { ScreenField } from "../service/screen";
import { brandOf, codeLength, digitsOf, formatExpiry, parseExpiry } from "./card";
import { lengthOf, mostOf, type Fault } from "./check";
import { halfCell } from "./postal";

const cells: Partial<Record<MendKey, CellKey>> = {
  number_short: "number_short",
  number_digit: "number_digit",
  expiry_empty: "expiry_required",
  expiry_month: "expiry_month",
  expiry_past: "expiry_past",
  code_back: "code",
  code_front: "code",
};

/** Marked is a field with its fault. */
export interface Marked {
  field: ScreenField;
  fault: Fault;
  value: string;
  number: string; // of the form's card, "" where there is none
}

/** cellOf stands in the place of the label. Half a row has the label alone where more would not fit. */
export function cellOf({ field, fault, value, number }: Marked, label: string, half: boolean, texts: Texts): string {
  const key = (fault !== "long" && cells[keyOf(field, value.trim(), number) ?? "name"]) || fault;
  const said = textOf(texts.cell ?? {}, key) || "{label}"; // without texts, should they not come
  const length = { count: String(codeLength(number) ?? 3), ...(fault === "long" && lengthIn(field, value)) };
  const text = fill(said, { label, value: formatExpiry(value), ...length });
  return half && text.replace(/\p{Cf}/gu, "").length > halfCell && said.includes("{label}") ? label : text;
}

/** mendOf is the sentence after a fault's own, "" where that says all. */
export function mendOf({ field, fault, value, number }: Marked, texts: Texts, today: Date): string {
  const key = fault === "long" ? fault : keyOf(field, value.trim(), number);
  return key ? fill(textOf(texts.mend ?? {}, key), { example: exampleExpiry(today), ...lengthIn(field, value) }) : "";
}

// lengthIn is how many characters a field takes, and how many its value has.
function lengthIn(field: ScreenField, value: string): { max: string; count: string } {
  return { max: String(mostOf(field)), count: String(lengthOf(field, value)) };
}

function keyOf({ kind }: ScreenField, value: string, number: string): MendKey | null {
  switch (kind) {
    case "card_number":
      return value === ""
        ? "number_empty"
        : digitsOf(value).length < leastDigits(value)
          ? "number_short"
          : "number_digit";
    case "expiry":
      return expiryKey(value);
    case "security_code":
      return brandOf(number) === "amex" ? "code_front" : "code_back";
    case "card_name":
      return "name";
    case "email":
    case "phone":
      return value === "" ? null : kind;
    default:
      return null;
  }
}

function expiryKey(value: string): MendKey {
  const text = formatExpiry(value);
  if (!/^\d\d\/\d\d$/.test(text)) return "expiry_empty";
  return parseExpiry(text) ? "expiry_past" : "expiry_month";
}

function leastDigits(number: string): number {
  const brand = brandOf(number);
  return brand === "amex" ? 15 : brand === "diners" ? 14 : 16;
}

// Always a date to come.
function exampleExpiry(today: Date): string {
  return "08/" + String((today.getFullYear() + 3) % 100).padStart(2, "0");
}
