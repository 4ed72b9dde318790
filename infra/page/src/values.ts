// What the payer typed, on its way to the service: values by field id, their faults, the request.

import { check, plain, type Around, type Fault } from "./check";
import { statesOf } from "./countries";
import type { PayRequest, Screen, ScreenField, ScreenMethod } from "./screen";
import { cardOf, seal } from "./seal";

export type Values = Record<string, string>;
export type Faults = Record<string, Fault>;

export function valueOf(field: ScreenField, method: ScreenMethod, values: Values): string {
  const value = values[field.id] ?? field.value ?? "";
  if (field.kind !== "state") return value;
  const states = statesOf(countryFor(field, method, values));
  return states && !states.some(([code]) => code === value) ? "" : value;
}

export function countryFor(field: ScreenField, method: ScreenMethod, values: Values): string {
  const asked = method.fields.find((f) => f.kind === "country");
  return (asked ? (values[asked.id] ?? asked.value) : field.country) ?? "";
}

function around(method: ScreenMethod, values: Values): Around {
  const state = method.fields.find((f) => f.kind === "state");
  return { country: state ? countryFor(state, method, values) : "", today: new Date() };
}

export async function request(attempt: string, screen: Screen, method: ScreenMethod, values: Values): Promise<PayRequest> {
  const fields: Values = {};
  const sealed = method.fields.filter((f) => f.sealed);
  for (const field of method.fields) {
    const value = plain(field, valueOf(field, method, values));
    if (!field.sealed && value !== "") fields[field.id] = value;
  }
  if (sealed.length === 0) return { attempt, method: method.id, fields };
  if (!screen.seal) throw new Error("no key to seal to");
  return { attempt, method: method.id, fields, sealed: await seal(cardOf(sealed, values), screen.seal) };
}

/** faultsIn checks every field of a method. */
export function faultsIn(method: ScreenMethod, values: Values): Faults {
  const found: Faults = {};
  for (const field of method.fields) {
    const fault = check(field, valueOf(field, method, values), around(method, values));
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
