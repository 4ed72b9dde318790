// The rows by which settings are drawn: what each is called, where it stands, what it can be.

export type Kind =
  | "text" | "address" | "amount" | "colour" | "file" | "time" | "number" | "switch" | "choice"
  | "texts" | "choices" | "map" | "group" | "items" | "credentials" | "presets";

export interface Row {
  path: string; // mappings[].mids[].weight
  kind: Kind;
  label: string;
  help?: string;
  default?: string; // what counts where it is absent
  section: string;
  choices?: string[];
  from?: string; // the list that has the choices
  required?: boolean;
  most?: number;
  item?: string; // what one of the items is called
  key?: string; // the member by which items are known
  secret?: boolean;
  test?: boolean;
  set?: boolean; // by the service
}

export interface Credential {
  name: string;
  kind: string;
  values?: string[];
  required?: boolean;
  secret?: boolean;
  help: string;
  example?: string;
}

export interface Description {
  sections: string[];
  rows: Row[];
  lists: Record<string, string[]>;
  connectors: Record<string, { credentials?: Credential[]; methods?: string[] }>;
  presets: Record<string, { name: string; secret?: boolean }[]>;
}

export type Value = unknown;
export type Obj = Readonly<Record<string, Value>>;

/** nameOf is the member that a row is about: weight. */
export const nameOf = (row: Row) => row.path.slice(parentOf(row.path).length).replace(/^\./, "").replace(/\{\}$/, "");

const parentOf = (path: string) => path.slice(0, Math.max(0, path.replace(/\{\}$/, "").lastIndexOf(".")));

/** membersOf are the rows of an object's own settings; of is its path without the numbers of items. */
export const membersOf = (rows: readonly Row[], of: string) =>
  rows.filter(({ path }) => parentOf(path) === of && !path.endsWith("{}"));

/** inside reports whether a setting has others in a section. */
export const inside = (rows: readonly Row[], { path }: Row, section: string) =>
  rows.some((row) => row.section === section && (row.path.startsWith(path + ".") || row.path.startsWith(path + "[]")));

export const choicesOf = (row: Row, { lists }: Description): readonly string[] =>
  row.choices ?? lists[row.from ?? ""] ?? [];

export const objectOf = (value: Value): Obj =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Obj) : {};
export const listOf = (value: Value): readonly Value[] => (Array.isArray(value) ? value : []);
export const textOf = (value: Value): string =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : "";

/** withMember is an object with one member changed; undefined leaves it out. */
export function withMember(of: Obj, name: string, value: Value): Obj {
  const { [name]: _, ...rest } = of;
  return value === undefined ? rest : { ...rest, [name]: value };
}

/** same reports whether two settings are equal. What is absent equals what is empty. */
export const same = (a: Value, b: Value): boolean => JSON.stringify(ordered(a)) === JSON.stringify(ordered(b));

const isNothing = (value: Value) =>
  value === undefined || value === null || value === "" || value === false || value === 0;

function ordered(value: Value): Value {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== "object" || value === null) return isNothing(value) ? null : value;
  const members = Object.entries(value).filter(
    ([, member]) => !isNothing(member) && JSON.stringify(ordered(member)) !== "{}",
  );
  return Object.fromEntries(
    members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, ordered(member)]),
  );
}
