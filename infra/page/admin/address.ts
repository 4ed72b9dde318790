// The address is the state: what stands behind its # names a view and what is asked for in it. The server never gets
// it.

/** Query has what is asked for, without empty values. */
export type Query = Readonly<Record<string, string>>;

export interface Place {
  view: string; // "": the overview
  id: string;
  query: Query;
}

export function placeOf(hash: string): Place {
  const [path = "", search = ""] = hash.replace(/^#?\/?/, "").split(/\?(.*)/s);
  const [view = "", ...id] = path.split("/");
  const query = asked(new URLSearchParams(search));
  return { view: decoded(view) || (query.q ? "find" : ""), id: decoded(id.join("/")), query };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function linkTo(view: string, query: Query = {}, id = ""): string {
  return "#/" + encodeURIComponent(view) + (id && "/" + encodeURIComponent(id)) + search(query);
}

/** inMode is the part of a query that chooses live or test payments. */
export const inMode = (mode: string): Query => (mode === "test" ? { mode } : {});

/** paymentLink says whether the payment is a test, so that its view is marked at once. */
export const paymentLink = (id: string, mode: string) => linkTo("payments", inMode(mode), id);

export const chainLink = ({ id, mode }: { id: string; mode: string }) =>
  linkTo("chains", inMode(mode), id);

/** search is a query as the API and the address have it; values are in their order, empty ones are left out. */
export function search(query: Query): string {
  const text = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "")).toString();
  return text && "?" + text;
}

/** asked is what a form or an address asks for. */
export function asked(values: Iterable<[string, unknown]>): Query {
  const query: Record<string, string> = {};
  for (const [name, value] of values) if (typeof value === "string" && value.trim()) query[name] = value.trim();
  return query;
}

export function pick(query: Query, names: readonly string[]): Query {
  return Object.fromEntries(names.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));
}

export function without(query: Query, name: string): Query {
  return Object.fromEntries(Object.entries(query).filter(([other]) => other !== name));
}
