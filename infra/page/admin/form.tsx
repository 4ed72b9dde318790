// Filters: what a form asks for becomes the address, and the address fills the form.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { asked, linkTo, without, type Query } from "./address";
import type { Choice, FilterField, Me } from "./types";
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
    location.hash = linkTo(
      view,
      asked(new FormData(event.currentTarget as HTMLFormElement) as Iterable<[string, unknown]>),
    );
  };
  // The form is filled whenever the address changes, before anybody can change a field; its fields stay, and keep the
  // focus.
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    for (const field of form.current?.querySelectorAll<HTMLInputElement | HTMLSelectElement>("[name]") ?? [])
      field.value = query[field.name] ?? "";
  }, [JSON.stringify(query)]);
  return (
    <form ref={form} class="filters" onSubmit={go}>
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
export function Field({ field: { name, label, kind, choices = [] } }: { field: FilterField }) {
  return (
    <label>
      {label}
      {kind === "choice" ? (
        <select name={name}>
          <option value="">all</option>
          {choices.map(choiceOf).map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      ) : kind === "day" ? (
        <input name={name} type="date" />
      ) : (
        <input name={name} inputMode={kind === "amount" ? "decimal" : "text"} autoComplete="off" spellcheck={false} />
      )}
    </label>
  );
}

const choiceOf = (one: string | Choice): Choice => (typeof one === "string" ? { value: one, label: one } : one);

export const merchantField = ({ merchants }: Me): FilterField => ({
  name: "merchant",
  label: "Merchant",
  kind: "choice",
  choices: merchants.map(({ id, name }) => ({ value: id, label: name || id })),
});

/** Chosen are the filters that are set, each a link to the list without it. */
export function Chosen({
  view,
  query,
  fields,
  me,
}: {
  view: string;
  query: Query;
  fields: readonly FilterField[];
  me: Me;
}) {
  const set = fields.filter(({ name }) => query[name]);
  if (set.length === 0) return null;
  return (
    <ul class="chosen" aria-label="Filters that are set">
      {set.map(({ name, label, choices }) => (
        <li key={name}>
          <a href={linkTo(view, without(query, name))}>
            {label}:{" "}
            <bdi>{name === "merchant" ? merchantName(me, query[name] ?? "") : labelOf(choices, query[name] ?? "")}</bdi>
            <span aria-hidden="true"> ×</span>
            <span class="hidden">, remove</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

const labelOf = (choices: FilterField["choices"], value: string) =>
  choices?.map(choiceOf).find((one) => one.value === value)?.label ?? value;
