// The order in which a form asks: what stands together, and under which heading.

import type { ScreenField } from "./screen";

export type GroupName = "amount" | "contact" | "card" | "address" | "details" | "recipient" | "agreement";

export interface Group {
  name: GroupName;
  fields: ScreenField[];
}

const order: GroupName[] = ["amount", "contact", "card", "details", "address", "recipient", "agreement"];
const cardKinds = ["card_number", "expiry", "security_code", "card_name"];
const placeNames = /^(?:country|address-.*|postal-code|street-address)$/;

/** groupsOf puts the fields in groups and leaves their order within a group as the service has it. */
export function groupsOf(fields: ScreenField[]): Group[] {
  return order.flatMap((name) => {
    const own = fields.filter((field) => groupOf(field) === name);
    return own.length > 0 ? [{ name, fields: own }] : [];
  });
}

/** inOrder are the fields as the payer meets them. */
export function inOrder(fields: ScreenField[]): ScreenField[] {
  return groupsOf(fields).flatMap((group) => group.fields);
}

function groupOf({ id, kind, autocomplete = "" }: ScreenField): GroupName {
  if (kind === "amount") return "amount";
  if (kind === "consent" || kind === "checkbox") return "agreement";
  if (cardKinds.includes(kind)) return id.startsWith("payee") ? "recipient" : "card";
  if (["email", "phone"].includes(kind)) return "contact";
  if (["country", "state"].includes(kind) || placeNames.test(autocomplete)) return "address";
  return "details";
}
