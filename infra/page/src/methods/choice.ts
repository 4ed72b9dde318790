// What the payer pays with: a method, and one of its saved cards or another one.

import type { Values } from "../fields/values";
import { methodText, type Texts } from "../texts";
import type { Screen, ScreenField, ScreenMethod, ScreenSaved } from "../service/screen";

/** Picked is what the payer clicked: null stands for nothing yet, a saved card "" for another card. */
export interface Picked {
  method: string | null;
  saved: string | null;
  all?: boolean; // what the wallet told won't do, so the payer is asked for it, too
}

export const nothingPicked: Picked = { method: null, saved: null };

export interface Choice {
  method: ScreenMethod;
  saved: ScreenSaved | undefined;
  fields: ScreenField[]; // that are needed for it
  asks?: boolean; // a wallet whose fields are filled in first: its button stands in the place of Pay
}

/** saveBox is the value that says whether a new card is to be saved. */
export const saveBox = "save_card";

/** startsAtOnce: a wallet asks for everything itself, so its button stands above the list and needs no other. */
export function startsAtOnce({ action = "submit" }: ScreenMethod): boolean {
  return action !== "submit";
}

/**
 * choiceOf starts with the first method and its first saved card. It never replaces a card that the payer picked by
 * another saved one.
 */
export function choiceOf(screen: Screen, picked: Picked): Choice | null {
  const all = screen.methods ?? [];
  const methods = all.some((m) => !startsAtOnce(m)) ? all.filter((m) => !startsAtOnce(m)) : all;
  const asks = (m: ScreenMethod) => m.fields.filter((f) => picked.all || !f.told);
  const wallet = all.find((m) => startsAtOnce(m) && asks(m).length > 0 && (m.id === picked.method || all.length === 1));
  if (wallet) return { method: wallet, saved: undefined, fields: asks(wallet), asks: true };
  const method = methods.find((m) => m.id === picked.method) ?? methods[0];
  if (!method) return null;
  const saved = picked.saved === null ? method.saved?.[0] : method.saved?.find((s) => s.id === picked.saved);
  return { method, saved, fields: (saved ?? method).fields };
}

/** nameOf is what the payer knows a method by. */
export function nameOf({ name, label }: ScreenMethod, texts: Texts): string {
  return name ?? methodText(texts, label);
}

/** numberOf is the number of the card that is chosen or typed, as far as it is known. */
export function numberOf({ saved, fields }: Choice, values: Values): string {
  const typed = fields.find((f) => f.kind === "card_number");
  return saved?.mask ?? (typed && values[typed.id]) ?? "";
}
