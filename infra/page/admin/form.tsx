// Filters: what a form asks for becomes the address, and the address fills the form.

import type { ComponentChildren } from "preact";
import { asked, linkTo, without, type Query } from "./address";
import type { FilterField, Me } from "./types";
import { merchantName } from "./world";

interface FilterFormProps {
  view: string;
  query: Query;
  button: string;
  children: ComponentChildren;
}

/** FilterForm goes to its view with what is filled in. */
export function FilterForm({ view, query, button, children }: FilterFormProps) {
  const go = (event: SubmitEvent) => {
    event.preventDefault();
    location.hash = linkTo(view, asked(new FormData(event.currentTarget as HTMLFormElement) as Iterable<[string, unknown]>));
  };
  return (
    <form key={JSON.stringify(query)} class="filters" onSubmit={go}>
      {children}
      <button>{button}</button>
    </form>
  );
}

/** Hidden keeps what a form does not ask for. */
export function Hidden({ query, names }: { query: Query; names: readonly string[] }) {
  return (
    <>
      {names.map((name) => query[name] && <input key={name} type="hidden" name={name} value={query[name]} />)}
    </>
  );
}

/** Field is one filter, as the API describes it. */
export function Field({ field, value }: { field: FilterField; value: string }) {
  const { name, label, kind } = field;
  const choices = (field.choices ?? []).map((one) => (typeof one === "string" ? { value: one, label: one } : one));
  return (
    <label>
      {label}
      {kind === "choice" ? (
        <select name={name} defaultValue={value}>
          <option value="">all</option>
          {choices.filter((one) => one.value).map((one) => (
            <option key={one.value} value={one.value} selected={one.value === value}>
              {one.label}
            </option>
          ))}
        </select>
      ) : kind === "day" ? (
        <input name={name} type="date" defaultValue={value} />
      ) : (
        <input name={name} inputMode={kind === "amount" ? "decimal" : "text"} defaultValue={value} autoComplete="off" spellcheck={false} />
      )}
    </label>
  );
}

export const merchantField = ({ merchants }: Me): FilterField => ({
  name: "merchant",
  label: "Merchant",
  kind: "choice",
  choices: merchants.map(({ id, name }) => ({ value: id, label: name || id })),
});

/** Chosen are the filters that are set, each a link to the list without it. */
export function Chosen({ view, query, fields, me }: { view: string; query: Query; fields: readonly FilterField[]; me: Me }) {
  const set = fields.filter(({ name }) => query[name]);
  if (set.length === 0) return null;
  return (
    <ul class="chosen" aria-label="Filters that are set">
      {set.map(({ name, label, choices }) => (
        <li key={name}>
          <a href={linkTo(view, without(query, name))}>
            {label}: <bdi>{name === "merchant" ? merchantName(me, query[name] ?? "") : labelOf(choices, query[name] ?? "")}</bdi>
            <span aria-hidden="true"> ×</span>
            <span class="hidden">, remove</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function labelOf(choices: FilterField["choices"], value: string): string {
  for (const one of choices ?? []) if (typeof one !== "string" && one.value === value) return one.label;
  return value;
}
