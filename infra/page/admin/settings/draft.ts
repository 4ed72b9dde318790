// A draft: settings that are typed and not published yet. It survives a reload, but for secrets, and a change by
// somebody else.

import type { SecretView } from "../types";
import { listOf, objectOf, same, type Description, type Obj, type Value } from "./rows";

/** Published are settings that count. */
export interface Published {
  settings: Obj;
  version: number;
  secrets: Record<string, SecretView>; // by place
  notices?: { mapping: string; mid: string; path: string }[];
}

export interface Draft {
  version: number; // of the published settings that it began with
  base: Obj; // these settings
  settings: Obj;
}

/** Clash is a place that both have changed. */
export interface Clash {
  path: string;
  theirs: Value;
}

/**
 * rebased is a draft on other published settings: what one of both has changed, and of what both have changed the
 * draft's.
 */
export function rebased(
  { base, settings }: Draft,
  version: number,
  published: Obj,
): { draft: Draft; clashes: Clash[] } {
  const clashes: Clash[] = [];
  const merged = merge(base, settings, published, "", clashes) as Obj;
  return { draft: { version, base: published, settings: merged }, clashes };
}

function merge(base: Value, mine: Value, theirs: Value, path: string, clashes: Clash[]): Value {
  if (same(base, theirs)) return mine;
  if (same(base, mine)) return theirs;
  const key = keyOf([base, mine, theirs]);
  if (key) return mergeItems([listOf(base), listOf(mine), listOf(theirs)], key, path, clashes);
  if ([mine, theirs].every((value) => typeof value === "object" && value !== null && !Array.isArray(value))) {
    const [b, m, t] = [objectOf(base), objectOf(mine), objectOf(theirs)];
    const names = [...new Set([...Object.keys(t), ...Object.keys(m)])];
    const members = names.map((name) => [name, merge(b[name], m[name], t[name], join(path, name), clashes)] as const);
    return Object.fromEntries(members.filter(([, value]) => value !== undefined));
  }
  if (!same(mine, theirs)) clashes.push({ path, theirs });
  return mine;
}

const join = (path: string, name: string) => (path ? path + "." + name : name);

// keyOf is the member by which the items of all lists are known, "" if they are no such lists.
function keyOf(lists: readonly Value[]): string {
  if (!lists.slice(1).every(Array.isArray)) return "";
  const items = lists.flatMap(listOf);
  return ["id", "name", "currency"].find((key) => items.length && items.every((item) => objectOf(item)[key])) ?? "";
}

function mergeItems(
  [base, mine, theirs]: readonly [readonly Value[], readonly Value[], readonly Value[]],
  key: string,
  path: string,
  clashes: Clash[],
): Value {
  const known = (list: readonly Value[]) => new Map(list.map((item) => [objectOf(item)[key], item]));
  const [b, m, t] = [known(base), known(mine), known(theirs)];
  // The order is the draft's, if it has changed it, else that which is published; what the other has added comes last.
  const moved = !same([...b.keys()].filter((id) => m.has(id)), [...m.keys()].filter((id) => b.has(id)));
  const ids = [...new Set(moved ? [...m.keys(), ...t.keys()] : [...t.keys(), ...m.keys()])];
  return ids.flatMap((id) => {
    if (b.has(id) && !m.has(id) && same(b.get(id), t.get(id))) return []; // the draft has removed it
    if (b.has(id) && !t.has(id) && same(b.get(id), m.get(id))) return []; // the other has
    const value = merge(b.get(id), m.get(id), t.get(id), `${path}[${String(id)}]`, clashes);
    return value === undefined ? [] : [value];
  });
}

/**
 * withoutSecrets is what may be stored of a draft in the browser: no secret, no credential, no preset that is masked.
 */
export function withoutSecrets(settings: Obj, { rows, presets, connectors }: Description): Obj {
  const secret = new Set(rows.filter((row) => row.secret).map(({ path }) => path));
  const clean = (value: Value, path: string): Value => {
    if (secret.has(path)) return undefined;
    if (Array.isArray(value)) return value.map((item) => clean(item, path + "[]"));
    if (typeof value !== "object" || value === null) return value;
    if (path === "mappings[].mids[].presets") return cleanPresets(value as Obj);
    const members = Object.entries(value).map(([name, member]) => [name, clean(member, join(path, name))] as const);
    const kept = Object.fromEntries(members.filter(([, member]) => member !== undefined));
    return path === "mappings[].mids[]" && kept.credentials ? { ...kept, credentials: cleanCredentials(kept) } : kept;
  };
  const cleanPresets = (all: Obj) =>
    Object.fromEntries(
      Object.entries(all).map(([method, values]) => {
        const hidden = new Set((presets[method] ?? []).filter((one) => one.secret).map(({ name }) => name));
        return [method, Object.fromEntries(Object.entries(objectOf(values)).filter(([name]) => !hidden.has(name)))];
      }),
    );
  const cleanCredentials = (mid: Obj) => {
    const open = (connectors[String(mid.connector)]?.credentials ?? [])
      .filter((one) => !one.secret)
      .map(({ name }) => name);
    return Object.fromEntries(Object.entries(objectOf(mid.credentials)).filter(([name]) => open.includes(name)));
  };
  return clean(settings, "") as Obj;
}

const keyFor = (stack: string, id: string) => `draft/${stack}/${id}`;

/** stored is the draft of a merchant that this browser has, null for none. */
export function stored(stack: string, id: string): Draft | null {
  try {
    const found = JSON.parse(localStorage.getItem(keyFor(stack, id)) ?? "null") as Draft | null;
    return found && typeof found.version === "number" && found.base && found.settings ? found : null;
  } catch {
    return null;
  }
}

/** store keeps a draft, or forgets one that changes nothing. */
export function store(stack: string, id: string, draft: Draft, description: Description): void {
  if (same(draft.base, draft.settings)) return localStorage.removeItem(keyFor(stack, id));
  localStorage.setItem(
    keyFor(stack, id),
    JSON.stringify({ ...draft, settings: withoutSecrets(draft.settings, description) }),
  );
}
