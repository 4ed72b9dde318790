// What can be closed and opened in one act, whatever else is not published yet.

import { useState } from "preact/hooks";
import { ActDialog, type Act } from "../dialog";
import { Sign } from "../parts";
import { shutName, switched } from "../switched";
import { Table, type Column } from "../table";
import type { Shut } from "../types";
import { may, useWorld } from "../world";
import { Adding } from "./fields";
import type { Published } from "./draft";
import { listOf, objectOf, textOf, type Description, type Obj } from "./rows";

interface Switch extends Shut {
  closed: boolean;
}

interface Props {
  id: string;
  published: Published;
  description: Description;
  again(): void;
}

export function Switches({ id, published, description, again }: Props) {
  const { me } = useWorld();
  const [act, setAct] = useState<Act | null>(null);
  const mayClose = may(me, "publish", "live");
  const columns: Column<Switch>[] = [
    { name: "What", kind: "wide", cell: shutName },
    { name: "State", cell: ({ closed }) => <Sign shape={closed ? "bad" : "ok"}>{closed ? "closed" : "open"}</Sign> },
    {
      name: "Do",
      kind: "wide",
      cell: (one) =>
        mayClose && (
          <button
            type="button"
            class={one.closed ? "" : "danger quiet"}
            onClick={() => setAct(switched(me, one, !one.closed))}
          >
            {one.closed ? "Open…" : "Close…"}
          </button>
        ),
    },
  ];
  return (
    <>
      <p class="soft">What is closed takes no new payment, within a minute. Payments that have begun go on.</p>
      {listOf(published.settings.mappings)
        .map(objectOf)
        .map((mapping) => {
          const name = textOf(mapping.name);
          const countries = listOf(mapping.closed_countries).map(textOf);
          const all = switchesOf(id, mapping);
          return (
            <section key={name} aria-label={"Mapping " + name}>
              <h3>Mapping {name}</h3>
              {all.length > 0 && (
                <Table caption={`What can be closed in ${name}`} columns={columns} rows={all} keyOf={shutName} />
              )}
              {mayClose && (
                <Adding
                  label="closed countries"
                  hint={`Close a country in ${name}`}
                  path={name + "-country"}
                  choices={(description.lists.countries ?? []).filter((country) => !countries.includes(country))}
                  add={(country) =>
                    setAct(
                      switched(me, { merchant: id, mapping: name, kind: "country", name: country.toUpperCase() }, true),
                    )
                  }
                />
              )}
            </section>
          );
        })}
      {act && <ActDialog act={act} close={() => setAct(null)} acted={again} />}
    </>
  );
}

/** switchesOf are the MIDs of a mapping, their methods, and the countries that are closed. */
export function switchesOf(merchant: string, mapping: Obj): Switch[] {
  const of = { merchant, mapping: textOf(mapping.name) };
  const mids = listOf(mapping.mids).map(objectOf);
  const shut = listOf(mapping.closed_methods).map(textOf);
  const methods = new Set([...mids.flatMap((mid) => listOf(mid.methods).map(textOf)), ...shut]);
  return [
    ...mids.map((mid) => ({ ...of, kind: "mid", name: textOf(mid.name), closed: mid.disabled === true })),
    ...[...methods].map((name) => ({ ...of, kind: "method", name, closed: shut.includes(name) })),
    ...listOf(mapping.closed_countries).map((country) => ({
      ...of,
      kind: "country",
      name: textOf(country),
      closed: true,
    })),
  ];
}
