// Looking a text up in a catalogue, and filling it in.

import type { ScreenReason } from "../service/screen";
import { amountAndUnit } from "./amount";
import type { Names, ReasonKey, Texts } from "./texts";

export function fill(text: string, words: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => words[name] ?? whole);
}

/** reasonText is the catalogue's text of a reason; an unknown one is a plain decline. */
export function reasonText(texts: Texts, { code, currency = "", arrived = "", due = "" }: ScreenReason): string {
  const text = Object.hasOwn(texts.reasons, code) ? texts.reasons[code as ReasonKey] : texts.reasons.declined;
  const shown = (amount: string) => amountAndUnit(amount, currency, texts.tag).filter(Boolean).join("\u00a0");
  return fill(text, { arrived: shown(arrived), due: shown(due) });
}

/** fieldText takes the label of a state from the country, and that of a field without a name from its id. */
export function fieldText(texts: Texts, id: string, country: string): string {
  const own = textOf(texts.fields, id + "_" + country) || textOf(texts.fields, id);
  return own || nameOf(texts, "fields", id) || spoken(id);
}

export function methodText(texts: Texts, id: string): string {
  return textOf(texts.methods, id) || nameOf(texts, "methods", id) || spoken(id);
}

/** optionText is the label of an option of a field; without one the option speaks for itself. */
export function optionText(texts: Texts, field: string, value: string): string {
  return nameOf(texts, "options", field + "." + value) || value;
}

/** walletText is a text of the wallets, which are in the file of names. */
export function walletText(texts: Texts, key: string): string {
  return nameOf(texts, "wallet", key) || spoken(key);
}

export function shownText(texts: Texts, id: string): string {
  return textOf(texts.shown, id) || spoken(id);
}

/** textOf is the text of a key in a part of a catalogue, "" where there is none. */
export function textOf(part: Record<string, string>, key: string): string {
  return (Object.hasOwn(part, key) && part[key]) || "";
}

function nameOf({ names }: Texts, part: keyof Names, key: string): string {
  return textOf(names?.[part] ?? {}, key);
}

// payer_document_number and document-number become "Document number".
function spoken(id: string): string {
  const words = id.replace(/^payer_/, "").replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[_-]+/g, " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
