// The settings of one section, drawn by their rows: groups and items have their own settings inside.

import { useState } from "preact/hooks";
import { Adding, Field, fieldID, StoredText, useEditing, type FieldProps } from "./fields";
import {
  inside,
  listOf,
  membersOf,
  nameOf,
  objectOf,
  same,
  textOf,
  withMember,
  type Obj,
  type Row,
  type Value,
} from "./rows";

export interface ObjectProps {
  section: string;
  of: string; // path without the numbers of items, "": the merchant
  path: string;
  place: string; // with the names of items
  value: Obj;
  base: Obj;
  set(value: Obj): void;
}

const join = (path: string, name: string) => (path ? path + "." + name : name);

/** Members are the settings of an object that stand in a section. */
export function Members({ section, of, path, place, value, base, set }: ObjectProps) {
  const { description } = useEditing();
  return (
    <>
      {membersOf(description.rows, of).map((row) => {
        const name = nameOf(row);
        const props: FieldProps = {
          row,
          path: join(path, name),
          place: join(place, name),
          value: value[name],
          base: base[name],
          set: (changed) => set(withMember(value, name, changed)),
        };
        const own = row.section === section;
        if (row.kind === "items")
          return own || inside(description.rows, row, section) ? (
            <Items key={name} {...props} section={section} own={own} />
          ) : null;
        if (row.kind === "group")
          return own || inside(description.rows, row, section) ? (
            <Group key={name} {...props} section={section} />
          ) : null;
        if (!own) return null;
        if (row.kind === "credentials") return <Credentials key={name} {...props} mid={value} />;
        if (row.kind === "presets") return <Presets key={name} {...props} mid={value} />;
        return <Field key={name} {...props} />;
      })}
    </>
  );
}

/** Group is an object in the settings. */
function Group({ row, path, place, value, base, set, section }: FieldProps & { section: string }) {
  const { locked } = useEditing();
  const wallet = row.path.endsWith("pay") && row.path.includes("wallets.");
  const members = (
    <Members
      section={section}
      of={row.path}
      path={path}
      place={place}
      value={objectOf(value)}
      base={objectOf(base)}
      set={(changed) => set(Object.keys(changed).length ? changed : undefined)}
    />
  );
  if (row.path === "branding" || row.path === "wallets") return members;
  return (
    <fieldset class="group" id={fieldID(path)} tabIndex={-1}>
      <legend>{row.label}</legend>
      {row.help && <p class="soft hint">{row.help}</p>}
      {wallet && value === undefined ? (
        !locked && (
          <button type="button" onClick={() => set({ disabled: true })}>
            Set {row.label} up
          </button>
        )
      ) : (
        <>
          {members}
          {wallet && !locked && (
            <button type="button" class="danger quiet" onClick={() => set(undefined)}>
              Remove {row.label}
            </button>
          )}
        </>
      )}
    </fieldset>
  );
}

/**
 * Items is a list of objects. In a section of its own each can be added, moved and removed; in another one they are
 * headings.
 */
function Items({ row, path, place, value, base, set, section, own }: FieldProps & { section: string; own: boolean }) {
  const { description, locked } = useEditing();
  const list = listOf(value).map(objectOf);
  const known = listOf(base).map(objectOf);
  const key = row.key ?? "";
  const baseOf = (item: Obj, at: number) => (key ? known.find((one) => one[key] === item[key]) : known[at]) ?? {};
  const put = (at: number, item: Obj) => set(list.map((one, i) => (i === at ? item : one)));
  const add = (name: string) => set([...list, key ? { [key]: name } : {}]);
  const nameOfItem = (item: Obj, at: number) => textOf(item[key]) || String(at + 1);
  return (
    <fieldset class="group items" id={fieldID(path)} tabIndex={-1}>
      <legend>{row.label}</legend>
      {own && row.help && <p class="soft hint">{row.help}</p>}
      {list.map((item, at) => (
        <Item
          key={nameOfItem(item, at)}
          title={`${row.item} ${nameOfItem(item, at)}`}
          note={noteOf(item)}
          changed={!same(item, baseOf(item, at))}
          open={!own || list.length === 1}
          buttons={
            own && !locked ? (
              <p class="buttons">
                {at > 0 && (
                  <button
                    type="button"
                    onClick={() => set([...list.slice(0, at - 1), item, list[at - 1], ...list.slice(at + 1)])}
                  >
                    Move before {nameOfItem(list[at - 1]!, at - 1)}
                  </button>
                )}
                <button
                  type="button"
                  class="danger quiet"
                  onClick={() => set(list.length > 1 ? list.filter((_, i) => i !== at) : undefined)}
                >
                  Remove {row.item} {nameOfItem(item, at)}
                </button>
              </p>
            ) : null
          }
        >
          <Members
            section={section}
            of={row.path + "[]"}
            path={`${path}[${at}]`}
            place={`${place}[${key ? textOf(item[key]) : at}]`}
            value={item}
            base={baseOf(item, at)}
            set={(changed) => put(at, changed)}
          />
        </Item>
      ))}
      {own &&
        !locked &&
        (key === "id" && row.path === "forms" ? (
          <button type="button" onClick={() => add(crypto.randomUUID())}>
            Add {row.item}
          </button>
        ) : key ? (
          <Adding
            label={row.label}
            path={path}
            choices={key === "currency" ? (description.lists.currencies ?? []) : []}
            add={add}
            hint={`${key === "currency" ? "Currency" : key === "id" ? "Id" : "Name"} of another ${row.item}`}
          />
        ) : (
          <button type="button" onClick={() => add("")}>
            Add {row.item}
          </button>
        ))}
    </fieldset>
  );
}

// noteOf says in a word or two what an item is, beside its name.
const noteOf = (item: Obj) => [textOf(item.connector), item.disabled === true && "closed"].filter(Boolean).join(" · ");

interface ItemProps {
  title: string;
  note: string;
  changed: boolean;
  open: boolean;
  buttons: preact.ComponentChildren;
  children: preact.ComponentChildren;
}

function Item({ title, note, changed, open, buttons, children }: ItemProps) {
  const [shown, setShown] = useState(open);
  return (
    <details class="item" open={shown} onToggle={(event) => setShown((event.currentTarget as HTMLDetailsElement).open)}>
      <summary>
        <bdi>{title}</bdi> {note && <span class="soft">{note}</span>}{" "}
        {changed && <strong class="changed">not published</strong>}
      </summary>
      {shown && children}
      {shown && buttons}
    </details>
  );
}

const hidden = { type: "password", autoComplete: "new-password" } as const;
const open = { type: "text", autoComplete: "off" } as const;

interface OfMID extends FieldProps {
  mid: Obj;
}

/** Credentials are those that the MID's connector declares. */
function Credentials({ path, place, value, base, set, mid }: OfMID) {
  const { description, locked, faults } = useEditing();
  const declared = description.connectors[textOf(mid.connector)]?.credentials ?? [];
  const all = objectOf(value);
  if (!declared.length) return null;
  return (
    <fieldset class="group" id={fieldID(path)} tabIndex={-1}>
      <legend>Credentials</legend>
      {declared.map(({ name, kind, values, required, secret, help, example }) => {
        const at = path + "." + name;
        const wrong = faults.get(at) ?? [];
        const now = textOf(all[name]);
        const put = (text: string) => {
          const changed = withMember(all, name, text === "" ? undefined : text);
          set(Object.keys(changed).length ? changed : undefined);
        };
        const common = {
          id: fieldID(at),
          disabled: locked,
          "aria-invalid": wrong.length > 0,
          "aria-describedby": fieldID(at) + "-hint",
        };
        return (
          <div key={name} class={"setting" + (now !== textOf(objectOf(base)[name]) ? " is-changed" : "")}>
            <label for={fieldID(at)}>
              {name}
              {required && <span class="soft"> (required)</span>}
            </label>
            {kind === "choice" ? (
              <select
                {...common}
                value={now}
                onChange={(event) => put((event.currentTarget as HTMLSelectElement).value)}
              >
                <option value="" />
                {values?.map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </select>
            ) : (
              <input
                {...common}
                {...(secret ? hidden : open)}
                value={now}
                onInput={(event) => put((event.currentTarget as HTMLInputElement).value)}
                spellcheck={false}
              />
            )}
            <p class="soft hint" id={fieldID(at) + "-hint"}>
              {help} {example && `Such as ${example}.`}
            </p>
            {secret && <StoredText place={place + "." + name} />}
            {wrong.length > 0 && <p class="wrong">{wrong.join(" ")}</p>}
          </div>
        );
      })}
    </fieldset>
  );
}

/** Presets are values of parameters of the MID's methods. */
function Presets({ path, value, base, set, mid }: OfMID) {
  const { description } = useEditing();
  const methods = listOf(mid.methods).map(textOf).filter((id) => description.presets[id]?.length);
  const all = objectOf(value);
  if (!methods.length) return null;
  const rowOf = (id: string, name: string): Row => ({
    path: `${id}.${name}`,
    kind: "text",
    label: `${id}: ${name}`,
    section: "",
  });
  const put = (id: string, name: string, text: Value) => {
    const own = withMember(objectOf(all[id]), name, text);
    const changed = withMember(all, id, Object.keys(own).length ? own : undefined);
    set(Object.keys(changed).length ? changed : undefined);
  };
  return (
    <fieldset class="group" id={fieldID(path)} tabIndex={-1}>
      <legend>Presets</legend>
      <p class="soft hint">Values of parameters that requests then need not have.</p>
      {methods.flatMap((id) =>
        description.presets[id]!.map(({ name }) => (
          <Field
            key={id + name}
            row={rowOf(id, name)}
            path={`${path}.${id}.${name}`}
            place=""
            value={objectOf(all[id])[name]}
            base={objectOf(objectOf(base)[id])[name]}
            set={(text) => put(id, name, text)}
          />
        )),
      )}
    </fieldset>
  );
}
