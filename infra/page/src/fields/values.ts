// What the payer typed: values by field id, and their faults.

import type { Screen, ScreenField, ScreenMethod } from "../service/screen";
import { check, offered, type Fault } from "./check";
import countries, { isState, statesOf } from "./countries";

export type Values = Record<string, string>;
export type Faults = Record<string, Fault>;

export function valueOf(field: ScreenField, fields: ScreenField[], values: Values): string {
  const value = values[field.id] ?? field.value ?? "";
  if (field.options)
    return offered(field, byOf(field, fields, values)).some((option) => option.value === value) ? value : "";
  if (field.kind !== "state") return value;
  return isState(countryFor(field, fields, values), value) ? value : "";
}

export function countryFor(field: ScreenField, fields: ScreenField[], values: Values): string {
  const asked = fields.find((f) => f.kind === "country");
  return (asked ? (values[asked.id] ?? asked.value) : field.country) ?? "";
}

/** presentIn leaves out the state where the country has no list of them, and a second line until it has a value. */
export function presentIn(fields: ScreenField[], values: Values): ScreenField[] {
  const isPresent = (field: ScreenField) =>
    field.autocomplete === "address-line2"
      ? values[field.id] !== undefined
      : field.kind !== "state" || statesOf(countryFor(field, fields, values)) !== null;
  return fields.filter(isPresent);
}

/**
 * inRegion fills in the payer's country, by the languages of the browser, where a form asks for it. A wallet tells it.
 */
export function inRegion(methods: ScreenMethod[], languages: readonly string[]): ScreenMethod[] {
  const value = /-([A-Z]{2})\b/.exec(languages.join())?.[1] ?? "";
  if (!countries.includes(value)) return methods;
  const here = <T extends { fields: ScreenField[] }>(asks: T): T => ({
    ...asks,
    fields: asks.fields.map((field) => (field.kind === "country" ? { value, ...field } : field)),
  });
  return methods.map((m) => (m.action === "submit" ? here(m.saved ? { ...m, saved: m.saved.map(here) } : m) : m));
}

// numberIn is the number of the payer's card, undefined where the form asks for none.
function numberIn(fields: ScreenField[], values: Values): string | undefined {
  const field = fields.find((f) => f.kind === "card_number" && !f.id.startsWith("payee"));
  return field && (values[field.id] ?? "");
}

/** byOf is the value of the field that a field's options depend on. */
export function byOf(field: ScreenField, fields: ScreenField[], values: Values): string {
  const other = fields.find((f) => f.id === field.options_by);
  return other ? valueOf(other, fields, values) : "";
}

/** sealedIn are the ids of all fields of a screen that are sealed. */
export function sealedIn(screen: Screen | null): string[] {
  return fieldsOf(screen).filter((f) => f.sealed).map((f) => f.id);
}

/** codesIn are the ids of all security codes of a screen. */
export function codesIn(screen: Screen | null): string[] {
  return fieldsOf(screen).filter((f) => f.kind === "security_code").map((f) => f.id);
}

/** hasCard tells whether the number of a card is among the values of a screen's fields. */
export function hasCard(screen: Screen | null, values: Values): boolean {
  return fieldsOf(screen).some((f) => f.kind === "card_number" && !!values[f.id]);
}

function fieldsOf(screen: Screen | null): ScreenField[] {
  return (screen?.methods ?? []).flatMap((m) => [m.fields, ...(m.saved ?? []).map((card) => card.fields)]).flat();
}

/** without forgets the values of some fields, and nothing else. */
export function without(values: Values, ids: string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([id]) => !ids.includes(id)));
}

/**
 * faultsIn checks every field; decimals are those of the order's currency, saved is what is known of a saved card's
 * number.
 */
export function faultsIn(fields: ScreenField[], values: Values, decimals: number, saved?: string): Faults {
  const found: Faults = {};
  const today = new Date();
  const number = numberIn(fields, values) ?? saved ?? "";
  for (const field of fields) {
    const fault = check(field, valueOf(field, fields, values), {
      country: countryFor(field, fields, values),
      by: byOf(field, fields, values),
      decimals,
      number,
      today,
    });
    if (fault) found[field.id] = fault;
  }
  return found;
}

/** faultsFrom finds the fields that the service refused, by the path before the first ": ". */
export function faultsFrom(faults: string[], fields: ScreenField[]): Faults {
  const found: Faults = {};
  for (const text of faults) {
    const id = text.slice(0, Math.max(0, text.indexOf(": ")));
    if (fields.some((f) => f.id === id)) found[id] = /blank/.test(text) ? "required" : "invalid";
  }
  return found;
}
