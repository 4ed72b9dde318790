// What the payer filled in, as a request to pay: fields in the clear, and what is sealed.

import { saveBox, type Choice } from "../methods/choice";
import { plain } from "../fields/check";
import { valueOf, type Values } from "../fields/values";
import type { PayRequest, Screen, ScreenField } from "../service/screen";
import { withSealing } from "./sealing";

export async function request(attempt: string, screen: Screen, choice: Choice, values: Values): Promise<PayRequest> {
  const fields: Values = {};
  const sealed: ScreenField[] = [];
  for (const field of choice.fields) {
    const value = plain(field, valueOf(field, choice.fields, values));
    if (value === "") continue;
    if (field.sealed) sealed.push(field);
    else fields[field.id] = value;
  }
  const { method, saved } = choice;
  const save = method.save && !saved && values[saveBox] === "true";
  const open = { attempt, method: method.id, fields, ...(saved && { saved: saved.id }), ...(save && { save }) };
  if (sealed.length === 0 && !saved) return open;
  return withSealing((code) => code.withCard(open, sealed, values, screen.seal));
}

/** tokenRequest is the request that pays with a wallet's token. */
export async function tokenRequest(
  attempt: string,
  screen: Screen,
  choice: Choice,
  values: Values,
  token: string,
): Promise<PayRequest> {
  const open = await request(attempt, screen, choice, values);
  return withSealing((code) => code.withToken(open, token, screen.seal));
}
