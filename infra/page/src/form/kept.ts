// What was typed is kept in the tab, for a reload and for the same order's next session. Card data never is, nor what
// only one method asks for, such as the number of a document.

import { useEffect, useRef } from "preact/hooks";
import { filledIn } from "../fields/inputs";
import type { Flow } from "../flow/flow";
import { keptKey } from "../flow/state";
import type { World } from "../flow/world";
import type { Values } from "../fields/values";
import type { Screen } from "../service/screen";

const personal = /^(cc-name|email|tel|country|postal-code|address-.*)$/; // values of autocomplete

/** keptIn are the ids of the fields of a screen whose values may be kept. */
export function keptIn({ methods = [] }: Screen): string[] {
  const fields = methods.flatMap((m) => [...m.fields, ...(m.saved ?? []).flatMap((card) => card.fields)]);
  return [...new Set(fields.filter((f) => !f.sealed && personal.test(f.autocomplete ?? "")).map((f) => f.id))];
}

interface Stored {
  order: string;
  values: Values;
}

// An order is its merchant's.
function nameOf({ merchant, order }: Screen): string {
  return JSON.stringify([merchant, order?.number]);
}

/** read returns what was kept of the fields of a form for the same order. */
export function read(screen: Screen, storage: World["storage"]): Values {
  try {
    const { order, values } = JSON.parse(storage.getItem(keptKey)!) as Stored;
    if (order !== nameOf(screen)) return {};
    return Object.fromEntries(keptIn(screen).flatMap((id) => (values[id] ? [[id, String(values[id])]] : [])));
  } catch {
    return {};
  }
}

/** missingFrom are those of the kept values in whose place nothing stands, or only what the form came with. */
export function missingFrom({ methods = [] }: Screen, typed: Values, kept: Values): Values {
  const given = Object.fromEntries(methods.flatMap((m) => m.fields).map(({ id, value }) => [id, value]));
  const isFree = (id: string) => !typed[id] || typed[id] === given[id];
  return Object.fromEntries(Object.entries(kept).filter(([id, value]) => value !== typed[id] && isFree(id)));
}

/** write keeps what stands in a form's fields. */
export function write(screen: Screen, values: Values, storage: World["storage"]): void {
  const rows = keptIn(screen).flatMap((id) => (values[id] ? [[id, values[id]]] : []));
  try {
    const kept: Stored = { order: nameOf(screen), values: Object.fromEntries(rows) };
    if (rows.length > 0) storage.setItem(keptKey, JSON.stringify(kept));
  } catch {
    // The storage is full or closed: nothing is kept.
  }
}

interface KeptProps {
  screen: Screen;
  flow: Flow;
  values: Values;
  onValues(values: Values): void;
}

/** Kept fills in what was kept, where nothing is typed yet, and keeps what is typed from then on. */
export function Kept({ screen, flow, values, onValues }: KeptProps): null {
  const { storage } = flow.world;
  const begun = useRef(false);
  useEffect(() => {
    const typed = { ...values, ...filledIn() };
    const kept = begun.current ? {} : read(screen, storage);
    begun.current = true;
    const missing = missingFrom(screen, typed, kept);
    if (Object.keys(missing).length > 0) onValues({ ...typed, ...missing });
    else write(screen, typed, storage);
  }, [values]);
  return null;
}
