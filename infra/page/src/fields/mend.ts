// How the payer mends a fault: it differs for what is empty, incomplete and wrong.

import { fill, type MendKey, type Texts } from "../texts";
import type { ScreenField } from "../service/screen";
import { brandOf, digitsOf, formatExpiry, parseExpiry } from "./card";

/** mendOf is the sentence after a fault's own, "" where that says all. Number is the card number of the same form. */
export function mendOf(field: ScreenField, value: string, number: string, texts: Texts, today: Date): string {
  const key = keyOf(field, value.trim(), number);
  return key ? filled(key, texts, today) : "";
}

const keys: Record<string, MendKey[]> = {
  card_number: ["number_empty", "number_short", "number_digit"],
  expiry: ["expiry_empty", "expiry_month", "expiry_past"],
  security_code: ["code_front", "code_back"],
  card_name: ["name"],
  email: ["email"],
  phone: ["phone"],
};

/** mendsOf are all sentences that mendOf can give for a field, whatever its value is. */
export function mendsOf({ kind }: ScreenField, texts: Texts, today: Date): string[] {
  return (Object.hasOwn(keys, kind) ? keys[kind] : undefined)?.map((key) => filled(key, texts, today)) ?? [""];
}

function filled(key: MendKey, texts: Texts, today: Date): string {
  return fill(texts.mend[key], { example: exampleExpiry(today) });
}

function keyOf({ kind }: ScreenField, value: string, number: string): MendKey | null {
  switch (kind) {
    case "card_number":
      return value === "" ? "number_empty" : digitsOf(value).length < leastDigits(value) ? "number_short" : "number_digit";
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
