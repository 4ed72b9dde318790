// One field for each kind of setting. Each has its label, its help, its faults, and a mark if it is not published yet.

import type { ComponentChildren } from "preact";
import { createContext } from "preact";
import { useContext, useState } from "preact/hooks";
import { Sign } from "../parts";
import { count } from "../text";
import type { Certificate, SecretView, Uses } from "../types";
import {
  choicesOf,
  listOf,
  objectOf,
  same,
  textOf,
  withMember,
  type Description,
  type Obj,
  type Row,
  type Value,
} from "./rows";
import { daysLeft, endsSoon, isCounted, overlapText, usedText } from "./uses";

/** Stored is what is known of a secret that is stored. */
export type Stored = SecretView;

/** Editing is what all fields of a merchant have in common. */
export interface Editing {
  description: Description;
  faults: ReadonlyMap<string, readonly string[]>; // by path
  secrets: Readonly<Record<string, Stored>>; // by place
  locked: boolean; // nothing may be changed
}

export const EditingContext = createContext<Editing>(undefined as unknown as Editing);
export const useEditing = () => useContext(EditingContext);

export interface FieldProps {
  row: Row;
  path: string; // mappings[0].mids[1].weight
  place: string; // mappings[default].mids[card].weight
  value: Value;
  base: Value; // as it is published
  set(value: Value): void;
}

/** fieldID is the id of the field of a path, to which its fault leads. */
export const fieldID = (path: string) => "at-" + path.replace(/[^\w-]/g, "-");

/** faultsAt are the faults of a setting, also those of a text in its list or map. */
function faultsAt(faults: Editing["faults"], path: string): string[] {
  return [...faults].flatMap(([at, texts]) =>
    at === path || at.startsWith(path + "[") || at.startsWith(path + ".") ? texts : [],
  );
}

interface ShellProps extends Pick<FieldProps, "row" | "path" | "value" | "base"> {
  group?: boolean; // of several inputs
  children: ComponentChildren;
}

/** Shell is what stands around an input. */
function Shell({ row, path, value, base, group, children }: ShellProps) {
  const { faults } = useEditing();
  const wrong = faultsAt(faults, path);
  const changed = !same(value, base);
  const name = (
    <>
      {row.label}
      {row.required && <span class="soft"> (required)</span>}
      {changed && <strong class="changed"> not published</strong>}
    </>
  );
  const hints = (
    <>
      {(row.help || row.default) && (
        <p class="soft hint" id={fieldID(path) + "-hint"}>
          {row.help} {row.default && `Default: ${row.default}.`}
        </p>
      )}
      {wrong.length > 0 && (
        <p class="wrong" id={fieldID(path) + "-fault"}>
          {wrong.join(" ")}
        </p>
      )}
    </>
  );
  const shown =
    "setting" + (changed ? " is-changed" : "") + (row.kind === "switch" && !row.default ? " is-switch" : "");
  if (group) {
    return (
      <fieldset class={shown} id={fieldID(path)} tabIndex={-1} aria-describedby={described(row, path, wrong)}>
        <legend>{name}</legend>
        {children}
        {hints}
      </fieldset>
    );
  }
  return (
    <div class={shown}>
      <label for={fieldID(path)}>{name}</label>
      {children}
      {hints}
    </div>
  );
}

const described = (row: Row, path: string, wrong: readonly string[]) =>
  [(row.help || row.default) && fieldID(path) + "-hint", wrong.length > 0 && fieldID(path) + "-fault"]
    .filter(Boolean)
    .join(" ") || undefined;

/** Field is the field of a setting. */
export function Field(props: FieldProps) {
  const { row } = props;
  if (row.secret) return <Secret {...props} />;
  switch (row.kind) {
    case "switch":
      return <Switch {...props} />;
    case "choice":
      return <Choice {...props} />;
    case "texts":
    case "choices":
      return <Texts {...props} />;
    case "map":
      return row.path.endsWith(".labels") ? <Labels {...props} /> : <Entries {...props} />;
    case "credentials":
      return null; // drawn with the MID, whose connector declares them
    case "presets":
      return null;
    case "file":
      return <File {...props} />;
  }
  return <Text {...props} />;
}

// common are the attributes of every input.
function useCommon({ row, path }: FieldProps) {
  const { faults, locked } = useEditing();
  const wrong = faultsAt(faults, path);
  return {
    id: fieldID(path),
    disabled: locked || Boolean(row.set) || row.path === "id",
    "aria-invalid": wrong.length > 0,
    "aria-describedby": described(row, path, wrong),
  };
}

function Text(props: FieldProps) {
  const { row, value, set } = props;
  const common = useCommon(props);
  const typed = (event: InputEvent) => {
    const text = (event.currentTarget as HTMLInputElement).value;
    if (row.kind !== "number") return set(text === "" ? undefined : text);
    set(text === "" ? undefined : /^-?\d{1,15}$/.test(text) ? Number(text) : text);
  };
  return (
    <Shell {...props}>
      <input
        {...common}
        value={textOf(value)}
        onInput={typed}
        inputMode={
          row.kind === "number"
            ? "numeric"
            : row.kind === "amount"
              ? "decimal"
              : row.kind === "address"
                ? "url"
                : "text"
        }
        placeholder={row.kind === "time" ? "2026-11-23T14:20:00Z" : row.kind === "colour" ? "#0a7d4f" : undefined}
        autoComplete="off"
        spellcheck={false}
      />
    </Shell>
  );
}

function Switch(props: FieldProps) {
  const { row, value, set } = props;
  const common = useCommon(props);
  if (row.default) {
    const chosen = (event: Event) => set({ on: true, off: false }[(event.currentTarget as HTMLSelectElement).value]);
    return (
      <Shell {...props}>
        <select {...common} value={value === true ? "on" : value === false ? "off" : ""} onChange={chosen}>
          <option value="">default</option>
          <option value="on">on</option>
          <option value="off">off</option>
        </select>
      </Shell>
    );
  }
  return (
    <Shell {...props}>
      <input
        {...common}
        type="checkbox"
        checked={value === true}
        onChange={(event) => set((event.currentTarget as HTMLInputElement).checked || undefined)}
      />
    </Shell>
  );
}

function Choice(props: FieldProps) {
  const { row, value, set } = props;
  const { description } = useEditing();
  const choices = choicesOf(row, description);
  const now = textOf(value);
  return (
    <Shell {...props}>
      <select
        {...useCommon(props)}
        value={now}
        onChange={(event) => set((event.currentTarget as HTMLSelectElement).value || undefined)}
      >
        <option value="">{row.required ? "" : "default"}</option>
        {now && !choices.includes(now) && <option value={now}>{now}</option>}
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    </Shell>
  );
}

const fewChoices = 8; // which are drawn as boxes to tick

/** Texts is a list of texts or choices, whose order may count. */
function Texts(props: FieldProps) {
  const { row, path, value, set } = props;
  const { description, locked } = useEditing();
  const choices = choicesOf(row, description);
  const list = listOf(value).map(textOf);
  const put = (texts: readonly string[]) =>
    set(texts.length ? texts : value === undefined || row.path.endsWith(".return_schemes") ? [...texts] : undefined);
  if (choices.length && choices.length <= fewChoices && list.every((text) => choices.includes(text))) {
    return (
      <Shell {...props} group>
        <div class="boxes">
          {choices.map((choice) => (
            <label key={choice} class="choice">
              <input
                type="checkbox"
                disabled={locked}
                checked={list.includes(choice)}
                onChange={() => put(list.includes(choice) ? list.filter((text) => text !== choice) : [...list, choice])}
              />{" "}
              {choice}
            </label>
          ))}
        </div>
      </Shell>
    );
  }
  return (
    <Shell {...props} group>
      <ol class="picked">
        {list.map((text, at) => (
          <li key={text}>
            <bdi>{text}</bdi>
            {!locked && at > 0 && (
              <button
                type="button"
                class="plain"
                aria-label={`Move ${text} before ${list[at - 1]}`}
                onClick={() => put(swapped(list, at, at - 1))}
              >
                ←
              </button>
            )}
            {!locked && (
              <button
                type="button"
                class="plain"
                aria-label={`Remove ${text}`}
                onClick={() => put(list.filter((_, i) => i !== at))}
              >
                ×
              </button>
            )}
          </li>
        ))}
      </ol>
      {!locked && !row.set && (
        <Adding
          label={row.label}
          path={path}
          choices={choices.filter((choice) => !list.includes(choice))}
          add={(text) => put([...list, text])}
        />
      )}
    </Shell>
  );
}

function swapped<T>(list: readonly T[], a: number, b: number): T[] {
  const all = [...list];
  [all[a], all[b]] = [all[b]!, all[a]!];
  return all;
}

/** Adding is an input with a button that adds what was typed or chosen. */
export function Adding({
  label,
  path,
  choices,
  add,
  hint,
}: {
  label: string;
  path: string;
  choices: readonly string[];
  add(text: string): void;
  hint?: string;
}) {
  const [text, setText] = useState("");
  const done = () => {
    if (text.trim()) add(text.trim());
    setText("");
  };
  const typed = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    done();
  };
  const list = fieldID(path) + "-list";
  return (
    <p class="adding">
      <input
        aria-label={hint ?? `Add to ${label}`}
        placeholder={hint}
        list={choices.length ? list : undefined}
        value={text}
        onInput={(event) => setText((event.currentTarget as HTMLInputElement).value)}
        onKeyDown={typed}
        onBlur={() => choices.includes(text) && done()}
        autoComplete="off"
        spellcheck={false}
      />
      {choices.length > 0 && (
        <datalist id={list}>
          {choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
      <button type="button" onClick={done}>
        Add
      </button>
    </p>
  );
}

/** Entries is a map of texts. */
function Entries(props: FieldProps) {
  const { row, path, value, set } = props;
  const { description, locked } = useEditing();
  const all = objectOf(value);
  const put = (name: string, text: Value) => {
    const changed = withMember(all, name, text);
    set(Object.keys(changed).length ? changed : undefined);
  };
  return (
    <Shell {...props} group>
      {Object.keys(all).map((name) => (
        <Entry key={name} name={name} text={textOf(all[name])} path={path} put={put} />
      ))}
      {!locked && (
        <Adding
          label={row.label}
          path={path}
          choices={choicesOf(row, description).filter((name) => !(name in all))}
          add={(name) => put(name, "")}
        />
      )}
    </Shell>
  );
}

function Entry({
  name,
  text,
  path,
  put,
}: {
  name: string;
  text: string;
  path: string;
  put(name: string, text: Value): void;
}) {
  const { locked, faults } = useEditing();
  return (
    <p class="entry">
      <label for={fieldID(path + "." + name)}>
        <bdi>{name}</bdi>
      </label>
      <input
        id={fieldID(path + "." + name)}
        value={text}
        disabled={locked}
        aria-invalid={faults.has(path + "." + name)}
        onInput={(event) => put(name, (event.currentTarget as HTMLInputElement).value)}
        autoComplete="off"
      />
      {!locked && (
        <button type="button" class="plain" aria-label={`Remove ${name}`} onClick={() => put(name, undefined)}>
          ×
        </button>
      )}
    </p>
  );
}

/** Labels are those of a form: by field, then by language. */
function Labels(props: FieldProps) {
  const { row, path, value, set } = props;
  const { description, locked } = useEditing();
  const all = objectOf(value);
  const languages = description.lists.languages ?? [];
  const put = (field: string, labels: Obj | undefined) => {
    const changed = withMember(all, field, labels);
    set(Object.keys(changed).length ? changed : undefined);
  };
  return (
    <Shell {...props} group>
      {Object.keys(all).map((field) => {
        const own = objectOf(all[field]);
        return (
          <fieldset key={field} class="sub">
            <legend>
              <bdi>{field}</bdi>
            </legend>
            {Object.keys(own).map((language) => (
              <Entry
                key={language}
                name={language}
                text={textOf(own[language])}
                path={`${path}.${field}`}
                put={(name, text) => {
                  const changed = withMember(own, name, text);
                  put(field, Object.keys(changed).length ? changed : undefined);
                }}
              />
            ))}
            {!locked && (
              <Adding
                label={field}
                path={`${path}.${field}`}
                choices={languages.filter((one) => !(one in own))}
                add={(language) => put(field, { ...own, [language]: "" })}
              />
            )}
          </fieldset>
        );
      })}
      {!locked && (
        <Adding
          label={row.label}
          path={path}
          choices={choicesOf(row, description).filter((field) => !(field in all))}
          add={(field) => put(field, {})}
        />
      )}
    </Shell>
  );
}

/** File is a PEM text: pasted, or of a file. */
function File(props: FieldProps) {
  const { row, value, set } = props;
  const common = useCommon(props);
  const chosen = async (event: Event) => {
    const file = (event.currentTarget as HTMLInputElement).files?.[0];
    if (file) set(await file.text());
  };
  return (
    <Shell {...props}>
      <textarea
        {...common}
        rows={3}
        value={textOf(value)}
        onInput={(event) => set((event.currentTarget as HTMLTextAreaElement).value || undefined)}
        spellcheck={false}
        autoComplete="off"
      />
      {!common.disabled && (
        <input type="file" aria-label={`File of ${row.label}`} accept=".pem,.cer,.crt,.key" onChange={chosen} />
      )}
    </Shell>
  );
}

/** StoredText says what is stored of a key or secret, and where uses are given, when it was used. */
export function StoredText({ place, uses }: { place: string; uses?: Uses | null }) {
  const stored = useEditing().secrets[place];
  if (!stored) return <p class="soft hint">Nothing is stored.</p>;
  const day = (at: string | undefined) => at?.slice(0, 10);
  const overlap = uses && isCounted(place) && overlapText(place, stored, uses, Date.now());
  return (
    <>
      <p class="soft hint">
        Stored since {day(stored.since)}
        {stored.fingerprint && (
          <>
            , fingerprint <code>{stored.fingerprint}</code>
          </>
        )}
        {uses && `, ${usedText(place, stored, uses)}`}
        {stored.old_until && `; the one before is good until ${day(stored.old_until)}`}.
        {!place.endsWith("_key") && " It is not shown."}
      </p>
      {overlap && <p class="hint">{overlap}</p>}
      {stored.certificate && <CertificateText place={place} certificate={stored.certificate} />}
    </>
  );
}

/** CertificateText says what the certificate beside a wallet's key says. */
function CertificateText({ place, certificate }: { place: string; certificate: Certificate }) {
  const { subject, issuer, serial, merchant_identifier: merchant, until } = certificate;
  const days = daysLeft(certificate, Date.now());
  const ends =
    days < 0 ? `ended on ${until.slice(0, 10)}` : `ends on ${until.slice(0, 10)}, ${count(days, "day")} left`;
  return (
    <p class="soft hint">
      Certificate <bdi>{subject}</bdi>
      {merchant && (
        <>
          {" "}
          for <bdi>{merchant}</bdi>
        </>
      )}
      , issued by <bdi>{issuer}</bdi>, serial <code>{serial}</code>:{" "}
      {endsSoon(place, certificate, Date.now()) ? <Sign shape="bad">{ends}</Sign> : ends}
    </p>
  );
}

/** Secret is typed and never shown again. Left empty, what is stored stays. */
function Secret(props: FieldProps) {
  const { row, place, value, set } = props;
  const common = useCommon(props);
  const many = row.kind === "texts";
  const put = (text: string) => set(text === "" ? undefined : many ? [text] : text);
  const now = many ? textOf(listOf(value)[0]) : textOf(value);
  const isFile = row.kind === "file" || many;
  return (
    <Shell {...props} base={value}>
      {isFile ? (
        <textarea
          {...common}
          rows={2}
          value={now}
          onInput={(event) => put((event.currentTarget as HTMLTextAreaElement).value)}
          spellcheck={false}
          autoComplete="off"
        />
      ) : (
        <input
          {...common}
          type="password"
          value={now}
          onInput={(event) => put((event.currentTarget as HTMLInputElement).value)}
          autoComplete="new-password"
        />
      )}
      {now !== "" && <strong class="changed">It replaces what is stored.</strong>}
      <StoredText place={many ? place + "[0]" : place} />
    </Shell>
  );
}
