// The order in which a form asks: what stands together, and under which heading.

import type { ScreenField } from "../service/screen";
import { cityFirst } from "./postal";

export type GroupName = "amount" | "contact" | "card" | "address" | "details" | "recipient" | "agreement";

export interface Group {
  name: GroupName;
  fields: ScreenField[];
}

const order: GroupName[] = ["amount", "contact", "card", "details", "address", "recipient", "agreement"];
const cardKinds = ["card_number", "expiry", "security_code", "card_name"];
const placeNames = /^(?:country|address-.*|postal-code|street-address)$/;

const addressOrder = ["country", "address-line1", "address-line2", "postal-code", "address-level2", "address-level1"];

/**
 * groupsOf puts the fields in groups and leaves their order within a group as the service has it, but that an address
 * is written as in its country. What the merchant has ordered stands before all but the amount, and is kept together
 * with others of its group only by its order, or in a card's box.
 */
export function groupsOf(fields: ScreenField[], country = ""): Group[] {
  const rank = (field: ScreenField) => {
    const usual = order.indexOf(groupOf(field));
    if (usual > 0 && field.ordered) return 0.5;
    const part = addressOrder.indexOf(field.autocomplete ?? "");
    return usual + (part === 3 && cityFirst(country) ? 4.5 : part < 0 ? 1 : part) / 10;
  };
  const groups: Group[] = [];
  for (const field of [...fields].sort((a, b) => rank(a) - rank(b))) {
    const name = groupOf(field);
    const last = groups[groups.length - 1];
    const group =
      field.ordered && name !== "card" && last?.name !== name ? undefined : groups.find((g) => g.name === name);
    if (group) group.fields.push(field);
    else groups.push({ name, fields: [field] });
  }
  return groups;
}

/** inHalf tells whether a field shares its row with one beside it: expiry date and code, city and postal code. */
export function inHalf(field: ScreenField, group: ScreenField[]): boolean {
  const at = group.indexOf(field);
  const row = rowOf(field);
  return row > 0 && [group[at - 1], group[at + 1]].some((f) => f && rowOf(f) === row);
}

const rows: Record<string, number> = { expiry: 1, security_code: 1, "address-level2": 2, "postal-code": 2 };
const rowOf = ({ kind, autocomplete = "" }: ScreenField) => rows[kind] ?? rows[autocomplete] ?? 0;

function groupOf({ id, kind, autocomplete = "" }: ScreenField): GroupName {
  if (kind === "amount") return "amount";
  if (kind === "consent" || kind === "checkbox") return "agreement";
  if (cardKinds.includes(kind)) return id.startsWith("payee") ? "recipient" : "card";
  if (["email", "phone"].includes(kind)) return "contact";
  if (["country", "state"].includes(kind) || placeNames.test(autocomplete)) return "address";
  return "details";
}
