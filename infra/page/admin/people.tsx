// Who may do what, and who has done what.

import { useState } from "preact/hooks";
import { pick } from "./address";
import { read, type Failure as Failed } from "./api";
import { ActDialog, type Act, type Values } from "./dialog";
import { Field, FilterForm } from "./form";
import { Copy, Empty, Failure, Further, Head, Read, Sign, Time } from "./parts";
import { Table, type Column } from "./table";
import { count, decimalText, short } from "./text";
import type { Entry, FilterField, Grant, Limit, Session } from "./types";
import { mayAny, merchantName, useRead, useWorld } from "./world";

const roles: Record<string, string> = {
  viewer: "looks, with payers’ names and e-mail addresses masked",
  support: "explains, sends callbacks again, looks up, refunds",
  finance: "refunds, settles, sums up and exports",
  developer: "does with test payments what support does, sees live ones masked",
  admin: "everything but moving money",
};

const anyMerchant = "*";

export function Operators() {
  const { me } = useWorld();
  const grants = useRead<{ grants: Grant[] | null; limits: Limit[] }>("/operators");
  const [act, setAct] = useState<(Act & { again?: () => void }) | null>(null);
  const merchants = (ids: string[]) =>
    ids.includes(anyMerchant) ? "all" : ids.map((id) => merchantName(me, id)).join(", ");
  const revoke = (of: Grant): Act => ({
    title: "Revoke a role",
    danger: true,
    button: () => `Revoke ${of.role} of ${short(of.who)}`,
    path: "/operators/revoke",
    body: () => ({ who: of.who, role: of.role, merchants: of.merchants, mode: of.mode }),
    done: () => "Revoked. It counts from the next request on.",
    children: (
      <p>
        <bdi>{of.who}</bdi> is {of.role} for {merchants(of.merchants)}, {of.mode}.
      </p>
    ),
  });
  const columns: Column<Grant>[] = [
    { name: "Who", kind: "wide", cell: ({ who }) => <Copy text={who} name="who" label={short(who)} /> },
    { name: "Role", cell: ({ role }) => <span title={roles[role]}>{role}</span> },
    { name: "Merchants", kind: "wide", cell: (one) => merchants(one.merchants) },
    { name: "Payments", cell: ({ mode }) => (mode === "both" ? "live and test" : mode) },
    { name: "Given by", kind: "wide", cell: ({ by }) => short(by) },
    { name: "On", cell: ({ at }) => <Time at={at} /> },
    {
      name: "Do",
      kind: "wide",
      cell: (one) => (
        <button type="button" class="danger quiet" onClick={() => setAct(revoke(one))}>
          Revoke…
        </button>
      ),
    },
  ];
  return (
    <>
      <Head title="Operators" again={grants}>
        Who may see and do what. A change counts from the next request on. Administrators give roles for merchants and
        modes that are theirs; the last admin stays.
      </Head>
      {mayAny(me, "operators") && (
        <p>
          <button type="button" onClick={() => setAct(grantAct(me.merchants))}>
            Grant a role…
          </button>
        </p>
      )}
      <Read of={grants}>
        {({ grants: all }) =>
          all?.length ? (
            <Table
              caption="Roles that were granted"
              columns={columns}
              rows={all}
              keyOf={({ who, role, mode, merchants }) => [who, role, mode, merchants].join()}
            />
          ) : (
            <Empty title="Nobody has a role." />
          )
        }
      </Read>
      <h2>Roles</h2>
      <dl class="known">
        {Object.entries(roles).map(([role, does]) => (
          <div key={role}>
            <dt>{role}</dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <Read of={grants}>
        {({ limits }) => (
          <Limits all={limits} set={mayAny(me, "operators") ? (of) => setAct(limitAct(of)) : undefined} />
        )}
      </Read>
      <Sessions end={(of, again) => setAct({ ...endAct(of), again })} />
      {act && (
        <ActDialog
          act={act}
          close={() => setAct(null)}
          acted={() => {
            grants.again();
            act.again?.();
          }}
        />
      )}
    </>
  );
}

// Limits has what people may return to payers alone.
function Limits({ all, set }: { all: Limit[]; set: ((of?: Limit) => void) | undefined }) {
  const columns: (Column<Limit> | false | undefined)[] = [
    { name: "Role", cell: ({ role }) => role },
    { name: "Currency", cell: ({ currency }) => (currency === anyCurrency ? "all other" : currency) },
    { name: "At once", kind: "numeric", cell: ({ one, currency }) => decimalText(one, currency) },
    { name: "A person and day (UTC)", kind: "numeric", cell: ({ day, currency }) => decimalText(day, currency) },
    set && {
      name: "Do",
      kind: "wide",
      cell: (one) => (
        <button type="button" class="quiet" onClick={() => set(one)}>
          Change…
        </button>
      ),
    },
  ];
  return (
    <>
      <h2>Limits</h2>
      <p class="soft">
        What a role may return to payers alone, by refunds, voids of captured payments and money given back. Beyond that
        another person approves, under “Waiting for a person”. Nobody sets the limits of their own role.
      </p>
      {all.length > 0 && (
        <Table
          caption="Limits of roles"
          columns={columns.filter((column) => !!column)}
          rows={all}
          keyOf={({ role, currency }) => role + currency}
        />
      )}
      {set && (
        <p>
          <button type="button" onClick={() => set()}>
            Set a limit…
          </button>
        </p>
      )}
    </>
  );
}

const anyCurrency = "*";

const limitAct = (of?: Limit): Act => ({
  title: "Limit what a role may return",
  button: ({ role = "", one, day }) => (one || day ? `Limit ${role}` : `Take the limit of ${role} away`),
  path: "/operators/limit",
  body: ({ role, currency, one, day }) => ({ role, currency, ...(one && { one }), ...(day && { day }) }),
  wrong: ({ currency, one, day }) =>
    !currency ? "Name the currency." : !one !== !day ? "Name both amounts, or none to take the limit away." : "",
  done: () => "Set. It counts from the next request on.",
  fields: () => (
    <>
      <label>
        Role
        <select name="role">
          {["support", "finance", "developer", "admin"].map((role) => (
            <option key={role} selected={role === of?.role}>
              {role}
            </option>
          ))}
        </select>
      </label>
      <label>
        Currency, or * for all other ones, of which nothing may be returned
        <input name="currency" defaultValue={of?.currency} autoComplete="off" spellcheck={false} />
      </label>
      <label>
        At once
        <input name="one" defaultValue={of?.one} inputMode="decimal" autoComplete="off" />
      </label>
      <label>
        A person and day
        <input name="day" defaultValue={of?.day} inputMode="decimal" autoComplete="off" />
      </label>
    </>
  ),
});

const endAct = (of: Session): Act => ({
  title: "Sign somebody out",
  danger: true,
  button: () => `Sign out ${of.email ?? short(of.who)}`,
  path: "/sessions/end",
  body: () => ({ id: of.id }),
  done: () => "Signed out. It counts from the next request on.",
  children: (
    <p>
      <bdi>{of.email ?? of.who}</bdi> can sign in again as long as the sign-in provider lets them, and keeps the roles
      above.
    </p>
  ),
});

// Sessions has who is signed in. Whoever may not see that, or has nobody to see, is shown nothing.
function Sessions({ end }: { end: (of: Session, again: () => void) => void }) {
  const sessions = useRead<{ sessions: Session[]; more?: boolean }>("/sessions");
  if (!sessions.value?.sessions.length) return null;
  const columns: Column<Session>[] = [
    { name: "Who", kind: "wide", cell: ({ who, email }) => <Copy text={who} name="who" label={email ?? short(who)} /> },
    { name: "With", cell: ({ via }) => via },
    { name: "Since", cell: ({ started_at }) => <Time at={started_at} /> },
    { name: "Last active", cell: ({ used_at }) => <Time at={used_at} /> },
    {
      name: "Do",
      kind: "wide",
      cell: (one) => (
        <button type="button" class="danger quiet" onClick={() => end(one, sessions.again)}>
          Sign out…
        </button>
      ),
    },
  ];
  return (
    <>
      <h2>Signed in</h2>
      <Table
        caption="People who are signed in"
        columns={columns}
        rows={sessions.value.sessions}
        keyOf={({ id }) => id}
      />
      {sessions.value.more && <p class="soft">There are more.</p>}
    </>
  );
}

const chosen = (values: Values) =>
  Object.keys(values).flatMap((name) => (name.startsWith("merchant/") ? [name.slice("merchant/".length)] : []));

function grantAct(merchants: { id: string; name: string }[]): Act {
  return {
    title: "Grant a role",
    button: ({ who, role }) => `Grant ${role ?? ""}${who ? " to " + short(who) : ""}`,
    path: "/operators/grant",
    body: (values) => ({
      who: values.who,
      role: values.role,
      merchants: values.all ? [anyMerchant] : chosen(values),
      mode: values.mode,
    }),
    wrong: (values) => {
      if (!values.who) return "Name the person: the ARN of an AWS user or role, or the name of a person who signs in.";
      return values.all || chosen(values).length ? "" : "Choose at least one merchant, or all.";
    },
    done: () => "Granted. It counts from the next request on.",
    fields: () => (
      <>
        <label>
          Who
          <input name="who" autoComplete="off" spellcheck={false} aria-describedby="who-hint" />
        </label>
        <p class="soft hint" id="who-hint">
          As AWS knows them: an ARN such as arn:aws:iam::123456789012:user/ann, or one that ends with /* for all who
          assume a role. Who signs in has a name that begins with oidc/. People see their own at the foot of this page,
          or after they have signed in.
        </p>
        <label>
          Role
          <select name="role">
            {Object.entries(roles).map(([role, does]) => (
              <option key={role} value={role}>
                {role}: {does}
              </option>
            ))}
          </select>
        </label>
        <label>
          Payments
          <select name="mode">
            <option value="live">live</option>
            <option value="test">test</option>
            <option value="both">live and test</option>
          </select>
        </label>
        <fieldset>
          <legend>Merchants</legend>
          <label class="choice">
            <input type="checkbox" name="all" /> all, also those to come
          </label>
          {merchants.map(({ id, name }) => (
            <label key={id} class="choice">
              <input type="checkbox" name={"merchant/" + id} /> <bdi>{name || id}</bdi>
            </label>
          ))}
        </fieldset>
      </>
    ),
  };
}

const days: FilterField[] = [
  { name: "from", label: "From", kind: "day" },
  { name: "until", label: "Until", kind: "day" },
];

export function Audit() {
  const { me, place } = useWorld();
  const filter = pick(place.query, ["from", "until", "cursor"]);
  const entries = useRead<{ entries: Entry[] | null; cursor?: string; searched_to: string }>("/audit", filter);
  const all = mayAny(me, "audit");
  const columns: Column<Entry>[] = [
    { name: "Time", cell: ({ at }) => <Time at={at} /> },
    {
      name: "Who",
      kind: "wide",
      cell: ({ who, role, via }) => (
        <span title={who}>{[short(who), [role, via].filter(Boolean).join(", ")].filter(Boolean).join(" · ")}</span>
      ),
    },
    { name: "Did", cell: ({ command }) => command },
    { name: "With", kind: "wide", cell: ({ what }) => <Copy text={what} name="what it was done with" /> },
    { name: "Reason", kind: "wide", cell: ({ reason }) => reason && <bdi>{reason}</bdi> },
    {
      name: "Changes",
      kind: "wide",
      cell: ({ changes }) =>
        changes?.length ? (
          <details>
            <summary>{count(changes.length, "change")}</summary>
            <ul>
              {changes.map((line, i) => (
                <li key={i}>{line}</li>
              ))}
            </ul>
          </details>
        ) : null,
    },
    {
      name: "Request",
      kind: "clip",
      cell: ({ request_id }) => request_id && <Copy text={request_id} name="request id" />,
    },
  ];
  return (
    <>
      <Head title="Audit" again={entries}>
        {all ? "Who has changed what, when and why." : "What you have changed, when and why."} Each entry is copied to
        where nobody can change it, so that a changed, missing or added one is found.
      </Head>
      <FilterForm view="audit" query={place.query} button="Filter">
        {days.map((field) => (
          <Field key={field.name} field={field} />
        ))}
      </FilterForm>
      {all && <Verify from={place.query.from ?? ""} />}
      <Read of={entries}>
        {({ entries: found, cursor, searched_to }) => (
          <>
            {found?.length ? (
              <Table
                caption="Entries of the audit log, the latest first"
                columns={columns}
                rows={found}
                keyOf={(_, at) => String(at)}
              />
            ) : (
              <Empty title="Nobody has changed anything." />
            )}
            <p class="soft">
              Searched to <Time at={searched_to} />
            </p>
            <Further view="audit" query={place.query} cursor={cursor} />
          </>
        )}
      </Read>
    </>
  );
}

interface Verified {
  entries: number;
  faults: string[];
  copies?: string;
  cursor?: string;
}

function Verify({ from }: { from: string }) {
  const [found, setFound] = useState<Verified | null>(null);
  const [failure, setFailure] = useState<Failed | null>(null);
  const [busy, setBusy] = useState(false);
  const verify = async () => {
    if (busy) return;
    setBusy(true);
    setFailure(null);
    setFound(null);
    const all: Verified = { entries: 0, faults: [], copies: "compared" };
    let cursor = "";
    do {
      const { value, failure } = await read<Verified>("/audit/verify", { from, cursor });
      if (failure) {
        setBusy(false);
        return setFailure(failure);
      }
      all.entries += value.entries;
      all.faults.push(...value.faults);
      if (value.copies !== "compared") all.copies = value.copies ?? "the API is of an older release";
      cursor = value.cursor ?? "";
    } while (cursor);
    setBusy(false);
    setFound(all);
  };
  return (
    <div class="verify">
      <button type="button" onClick={verify} aria-disabled={busy}>
        {busy ? "Verifying…" : from ? `Verify the log from ${from} on` : "Verify the whole log"}
      </button>
      <div role="status">
        {found && (
          <>
            {found.copies === "compared" ? (
              <Sign shape={found.faults.length ? "bad" : "ok"}>
                {count(found.entries, "entry", "entries")},{" "}
                {found.faults.length ? count(found.faults.length, "fault") : "none changed, missing or added"}
              </Sign>
            ) : (
              <Sign shape="bad">Not compared with locked copies: {found.copies}.</Sign>
            )}
            <ul>
              {found.faults.map((fault) => (
                <li key={fault}>{fault}</li>
              ))}
            </ul>
          </>
        )}
      </div>
      {failure && <Failure failure={failure} />}
    </div>
  );
}
