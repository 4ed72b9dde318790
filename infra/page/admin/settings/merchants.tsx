// Merchants: the list of them, and the settings of one with what is typed and not published yet.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { linkTo } from "../address";
import { act, type Failure as Failed } from "../api";
import { ActDialog, type Act } from "../dialog";
import { Copy, Empty, Failure, Head, Read, Sign } from "../parts";
import { Table, type Column } from "../table";
import { count } from "../text";
import { may, mayAny, useRead, useWorld } from "../world";
import { rebased, store, stored, withoutSecrets, type Clash, type Draft, type Published } from "./draft";
import { Members } from "./editor";
import { EditingContext, fieldID } from "./fields";
import { History } from "./history";
import { NewMerchant } from "./new";
import { Picture } from "./picture";
import { liveMIDs, pathOf, publishing, type Checked } from "./publish";
import { same, textOf, type Description, type Obj } from "./rows";
import { Secrets } from "./secrets";
import { Start } from "./start";
import { Switches } from "./switches";

interface Listed {
  id: string;
  name: string;
  disabled?: boolean;
}

export function Merchants() {
  const { me, place } = useWorld();
  if (place.id === "new") return <NewMerchant />;
  if (place.id) return <Merchant key={place.id} id={place.id} />;
  return <All canAdd={may(me, "publish", "live")} />;
}

function All({ canAdd }: { canAdd: boolean }) {
  const merchants = useRead<{ merchants: Listed[] }>("/merchants");
  const columns: Column<Listed>[] = [
    { name: "Name", kind: "wide", cell: ({ id, name }) => <a href={linkTo("merchants", {}, id)}>{name || id}</a> },
    { name: "Id", kind: "wide", cell: ({ id }) => <Copy text={id} name="id" /> },
    {
      name: "State",
      cell: ({ disabled }) => <Sign shape={disabled ? "off" : "ok"}>{disabled ? "disabled" : "enabled"}</Sign>,
    },
  ];
  return (
    <>
      <Head title="Merchants" again={merchants}>
        Keys, mappings, MIDs and how the page looks. A published change counts within a minute.
      </Head>
      {canAdd && (
        <p>
          <a class="button" href={linkTo("merchants", {}, "new")}>
            New merchant
          </a>
        </p>
      )}
      <Read of={merchants}>
        {({ merchants: all }) =>
          all.length ? (
            <Table caption="Merchants" columns={columns} rows={all} keyOf={({ id }) => id} />
          ) : (
            <Empty title="There is no merchant yet." />
          )
        }
      </Read>
    </>
  );
}

const extra = ["Switches", "Secrets", "History"]; // views beside the sections

/** Merchant is one merchant: a section of its settings at a time. */
function Merchant({ id }: { id: string }) {
  const published = useRead<Published>("/merchants/" + encodeURIComponent(id));
  const description = useRead<Description>("/settings");
  if (!published.value || !description.value) {
    return (
      <>
        <Head title={id} />
        <Read of={published}>{() => null}</Read>
        <Read of={description}>{() => null}</Read>
      </>
    );
  }
  return <Editor id={id} published={published.value} description={description.value} again={published.again} />;
}

interface EditorProps {
  id: string;
  published: Published;
  description: Description;
  again(): void;
}

function Editor({ id, published, description, again }: EditorProps) {
  const { me, place } = useWorld();
  const section = place.query.section ?? (liveMIDs(published.settings) ? description.sections[0]! : "Start");
  const [draft, setDraft] = useState<Draft>(() => fresh(published));
  const [clashes, setClashes] = useState<Clash[]>([]);
  const [moved, setMoved] = useState(false);
  const [checked, setChecked] = useState<Checked | null>(null);
  const [failure, setFailure] = useState<Failed | null>(null);
  const [asked, setAsked] = useState<Act | null>(null);
  const locked = !mayAny(me, "settings");

  // What this browser has of a draft, or what is typed, is put on the settings that are published now.
  useEffect(() => {
    const before = stored(me.stack, id);
    const from = same(draft.base, draft.settings) && before ? before : draft;
    if (from.version === published.version) return setDraft(from);
    const next = rebased(from, published.version, published.settings);
    setMoved(!same(from.base, from.settings));
    setClashes(next.clashes);
    setDraft(next.draft);
  }, [published]);

  const changed = !same(draft.base, draft.settings);
  useEffect(() => store(me.stack, id, draft, description), [draft]);
  useChecks(id, draft, changed, setChecked, setFailure);

  const editing = useMemo(
    () => ({
      description,
      locked,
      faults: byPath(changed ? checked : null),
      secrets: published.secrets,
    }),
    [description, locked, checked, changed, published],
  );
  const set = (settings: Obj) => setDraft((before) => ({ ...before, settings }));
  const discard = () => {
    setClashes([]);
    setMoved(false);
    setDraft(fresh(published));
  };
  const publish = async () => {
    const answer = await act<Checked>(pathOf(id, "check"), crypto.randomUUID(), body(draft));
    setFailure(answer.failure ?? null);
    if (answer.failure) return;
    setChecked(answer.value);
    if (answer.value.faults.length) return focusFault(answer.value);
    setAsked(
      publishing(id, draft, answer.value, body(draft), {
        ...body(draft),
        settings: withoutSecrets(draft.settings, description),
      }),
    );
  };

  const sections = ["Start", ...description.sections, ...extra];
  return (
    <EditingContext.Provider value={editing}>
      <Head title={textOf(published.settings.name) || id}>
        <Copy text={id} name="id" /> {published.settings.disabled === true && <Sign shape="off">disabled</Sign>}
      </Head>
      <ul class="sections" aria-label="Sections">
        {sections.map((one) => (
          <li key={one}>
            <a href={linkTo("merchants", { section: one }, id)} aria-current={one === section ? "true" : undefined}>
              {one}
            </a>
          </li>
        ))}
      </ul>
      {moved && (
        <div class="notice" role="status">
          <p>
            <strong>Somebody has published other settings meanwhile.</strong> What you typed is kept, on top of them.
          </p>
          {clashes.length > 0 && (
            <ul>
              {clashes.map(({ path, theirs }) => (
                <li key={path}>
                  You both changed <code>{path}</code>: yours stays, theirs was{" "}
                  <code>{JSON.stringify(theirs) ?? "nothing"}</code>.
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
      <h2>{section}</h2>
      {section === "Start" ? (
        <Start id={id} published={published} description={description} />
      ) : section === "Switches" ? (
        <Switches id={id} published={published} description={description} again={again} />
      ) : section === "History" ? (
        <History id={id} again={again} />
      ) : section === "Secrets" ? (
        <Secrets id={id} published={published} again={again} />
      ) : (
        <div class="settings">
          {section === "Page" && (
            <Picture id={id} branding={draft.settings.branding} name={textOf(draft.settings.name) || id} />
          )}
          <Members section={section} of="" path="" place="" value={draft.settings} base={draft.base} set={set} />
        </div>
      )}
      {changed && (
        <div class="unpublished">
          <p role="status">
            {checked ? count(checked.changes.length, "change") : "Changes"} not published
            {checked && checked.faults.length > 0 && (
              <>
                {" · "}
                <a
                  href={linkTo("merchants", { section }, id)}
                  onClick={(event) => (event.preventDefault(), focusFault(checked))}
                >
                  {count(checked.faults.length, "fault")}
                </a>
              </>
            )}
          </p>
          <p class="buttons">
            <button type="button" onClick={discard}>
              Discard
            </button>
            {mayAny(me, "publish") && (
              <button type="button" class="primary" onClick={publish}>
                Publish…
              </button>
            )}
          </p>
          {checked && checked.faults.length > 0 && <Faults id={id} checked={checked} description={description} />}
        </div>
      )}
      {failure && <Failure failure={failure} again={again} />}
      {asked && (
        <ActDialog
          act={asked}
          close={() => setAsked(null)}
          acted={(value) => {
            if (value === undefined) return again(); // others may have published meanwhile
            setMoved(false);
            setClashes([]);
            setDraft((before) => ({ ...before, settings: before.base }));
            again();
          }}
        />
      )}
    </EditingContext.Provider>
  );
}

const fresh = ({ version, settings }: Published): Draft => ({ version, base: settings, settings });

const body = ({ version, settings }: Draft) => ({ version, settings, whole: true });

const byPath = (checked: Checked | null) => {
  const all = new Map<string, string[]>();
  for (const { path, text } of checked?.faults ?? []) all.set(path, [...(all.get(path) ?? []), text]);
  return all;
};

const settleFor = 500; // ms without another change before a draft is checked

// useChecks has a draft checked after each change.
function useChecks(
  id: string,
  draft: Draft,
  changed: boolean,
  setChecked: (checked: Checked | null) => void,
  setFailure: (failure: Failed | null) => void,
): void {
  const last = useRef(0);
  useEffect(() => {
    if (!changed) return setChecked(null);
    const turn = ++last.current;
    const timer = setTimeout(async () => {
      const answer = await act<Checked>(pathOf(id, "check"), crypto.randomUUID(), body(draft));
      if (turn !== last.current) return;
      setFailure(answer.failure ?? null);
      if (!answer.failure) setChecked(answer.value);
    }, settleFor);
    return () => clearTimeout(timer);
  }, [draft, changed]);
}

// sectionOf is the section in which a fault stands.
function sectionOf(path: string, { rows }: Description): string {
  for (let at = path.replace(/\[\d+\]/g, "[]"); at; at = at.replace(/(\[\]|\.?[^.[\]]*)$/, "")) {
    const row = rows.find((row) => row.path === at);
    if (row) return row.section;
  }
  return "";
}

function Faults({ id, checked, description }: { id: string; checked: Checked; description: Description }) {
  return (
    <ul class="faults">
      {checked.faults.map(({ path, text }, at) => (
        <li key={at}>
          <a
            href={linkTo("merchants", { section: sectionOf(path, description) }, id)}
            onClick={() => setTimeout(() => focusAt(path))}
          >
            {path || "the settings"}
          </a>
          : {text}
        </li>
      ))}
    </ul>
  );
}

function focusFault({ faults }: Checked): void {
  if (faults[0]) focusAt(faults[0].path);
}

// focusAt moves the focus to a field, or to the group that it is in, and opens the items around it.
function focusAt(path: string): void {
  for (let at = path; at; at = at.replace(/(\[[^\]]*\]|\.?[^.[\]]*)$/, "")) {
    const field = document.getElementById(fieldID(at));
    if (!field) continue;
    for (let around = field.closest("details"); around; around = around.parentElement?.closest("details") ?? null)
      around.open = true;
    field.scrollIntoView({ block: "center" });
    return field.focus();
  }
}

