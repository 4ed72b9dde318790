// The order in which a form asks: what stands together, and under which heading.

import type { ScreenField } from "../service/screen";
import { orderOf } from "./postal";

export type GroupName = "amount" | "contact" | "card" | "address" | "details" | "recipient" | "agreement";

export interface Group {
  name: GroupName;
  fields: ScreenField[];
}

const order: GroupName[] = ["amount", "contact", "card", "details", "address", "recipient", "agreement"];
const cardKinds = ["card_number", "expiry", "security_code", "card_name"];
const placeNames = /^(?:country|address-.*|postal-code|street-address)$/;
const partNames: Record<string, string> = {
  country: "-",
  "address-line1": "A",
  "address-line2": "A",
  "address-level2": "C",
  "address-level1": "S",
  "postal-code": "Z",
};
const partOf = ({ autocomplete = "" }: ScreenField) => partNames[autocomplete] ?? "A";

/**
 * groupsOf puts the fields in groups and leaves their order within a group as the service has it, but that an address
 * is written as in its country. What the merchant has ordered stands before all but the amount, and is kept together
 * with others of its group only by its order, or in a card's box.
 */
export function groupsOf(fields: ScreenField[], country = ""): Group[] {
  const parts = orderOf(country);
  const rank = (field: ScreenField) => {
    const usual = order.indexOf(groupOf(field));
    if (usual > 0 && field.ordered) return 0.5;
    return usual + parts.indexOf(partOf(field)) / 10; // -0.1 for the country
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

/**
 * inHalf tells whether a field shares its row with one beside it: the security code with the expiry date, the postal
 * code with the city. The name of a state needs a whole row.
 */
export function inHalf(field: ScreenField, group: ScreenField[]): boolean {
  const at = group.findIndex((f) => f.kind === "security_code" || partOf(f) === "Z");
  if (at < 0) return false;
  const mate = [group[at - 1], group[at + 1]].find((f) => f && (f.kind === "expiry" || partOf(f) === "C"));
  return !!mate && (field === mate || field === group[at]);
}

function groupOf({ id, kind, autocomplete = "" }: ScreenField): GroupName {
  if (kind === "amount") return "amount";
  if (kind === "consent" || kind === "checkbox") return "agreement";
  if (cardKinds.includes(kind)) return id.startsWith("payee") ? "recipient" : "card";
  if (["email", "phone"].includes(kind)) return "contact";
  if (["country", "state"].includes(kind) || placeNames.test(autocomplete)) return "address";
  return "details";
}
