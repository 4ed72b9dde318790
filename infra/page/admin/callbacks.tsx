// Callbacks that were not delivered: how many first, then the first of them; one or all that are filtered are sent
// again.

import { useEffect, useRef, useState } from "preact/hooks";
import { linkTo, paymentLink, pick, type Query } from "./address";
import { act, type Failure as Failed } from "./api";
import { sendAct } from "./acts";
import { Attempt } from "./attempt";
import { ActDialog, Dialog, ReasonField, valuesOf, type Act } from "./dialog";
import { Chosen, Field, FilterForm, Hidden, merchantField } from "./form";
import { every } from "./pages";
import { Callbacks as State, Cut, Empty, Failure, Further, Head, Read, Time } from "./parts";
import { Table, type Column } from "./table";
import { ago, amountText, count, utc, zone } from "./text";
import type { BulkSent, Deliveries, FilterField, Undelivered } from "./types";
import { may, merchantName, modeOf, useRead, useWorld } from "./world";

const others: FilterField[] = [
  { name: "callbacks", label: "State", kind: "choice", choices: ["parked", "waiting"] },
  { name: "url", label: "Address", kind: "text" },
  { name: "from", label: "From", kind: "day" },
  { name: "until", label: "Until", kind: "day" },
];

const names = ["merchant", "mode", ...others.map(({ name }) => name)];

export function Callbacks() {
  const { me, words, place, mode } = useWorld();
  const { query } = place;
  const filter = pick(query, names);
  const undelivered = useRead<Deliveries>("/callbacks", pick(query, [...names, "cursor"]));
  const [dialog, setDialog] = useState<Act | "all" | null>(null);
  const fields = me.merchants.length > 1 ? [merchantField(me), ...others] : others;
  const send = may(me, "callbacks", mode);
  const total = ({ parked, waiting }: Deliveries) =>
    query.callbacks === "parked" ? parked : query.callbacks === "waiting" ? waiting : parked + waiting;
  return (
    <>
      <Head title="Callbacks not delivered" again={undelivered}>
        Waiting ones are tried again by themselves. Parked ones failed at every time of their schedule, or had no
        address: send them again when the shop works. A payment’s own view has its callbacks with every try.
      </Head>
      <FilterForm view="callbacks" query={query} button="Filter">
        <Hidden query={query} names={["mode"]} />
        {fields.map((field) => (
          <Field key={field.name} field={field} />
        ))}
      </FilterForm>
      <Chosen view="callbacks" query={query} fields={fields} me={me} />
      <Read of={undelivered}>
        {(known) => (
          <>
            <p class="counts">
              <State state="parked" count={amountText(String(known.parked))} />
              <State state="waiting" count={amountText(String(known.waiting))} />
              {send && total(known) > 0 && !known.more && (
                <button type="button" onClick={() => setDialog("all")}>
                  Send all {amountText(String(total(known)))} again…
                </button>
              )}
              {known.more && (
                <span>
                  There are at least so many: choose a merchant, an address or days to count them, and to send them
                  again.
                </span>
              )}
            </p>
            {known.callbacks?.length ? (
              <List
                rows={known.callbacks}
                send={send ? (one) => setDialog(sendAct(one.payment_id, one, words)) : null}
              />
            ) : known.cursor ? (
              <p>None so far.</p>
            ) : (
              <Empty title="All callbacks are delivered.">
                <p>
                  Or none is like this filter. If a shop says that it got none,{" "}
                  <a href={linkTo("find")}>find the payment</a>: its view shows each try and what the shop answered.
                </p>
              </Empty>
            )}
            <Further view="callbacks" query={query} cursor={known.cursor} />
          </>
        )}
      </Read>
      {dialog === "all" && undelivered.value && (
        <SendAll
          filter={{ ...filter, mode }}
          total={total(undelivered.value)}
          close={() => setDialog(null)}
          acted={undelivered.again}
        />
      )}
      {dialog && dialog !== "all" && <ActDialog act={dialog} close={() => setDialog(null)} acted={undelivered.again} />}
    </>
  );
}

function List({ rows, send }: { rows: readonly Undelivered[]; send: ((one: Undelivered) => void) | null }) {
  const { me } = useWorld();
  const columns: (Column<Undelivered> | false)[] = [
    {
      name: "Event",
      kind: "wide",
      cell: (one) => (
        <a class="row" href={paymentLink(one.payment_id, modeOf(one))}>
          <bdi>{one.event}</bdi>
        </a>
      ),
    },
    { name: "Happened", cell: (one) => <Time at={one.created_at} /> },
    { name: "State", cell: (one) => <State state={one.state} /> },
    {
      name: "Next try, or parked",
      cell: ({ at }) => (
        <time dateTime={at} title={utc(at)}>
          {ago(at, Date.now())}
        </time>
      ),
    },
    me.merchants.length > 1 && {
      name: "Merchant",
      kind: "clip",
      cell: (one) => <Cut text={merchantName(me, one.merchant)} />,
    },
    { name: "Address", kind: "clip", cell: (one) => <Cut text={one.url || "none set"} /> },
    {
      name: "Last try",
      kind: "wide",
      cell: ({ tries, last_try: last = "" }) => (
        <bdi>
          {count(tries, "try", "tries")}
          {last && ": " + last}
        </bdi>
      ),
    },
    send !== null && {
      name: "Do",
      kind: "wide",
      cell: (one) => (
        <button type="button" onClick={() => send(one)}>
          Send again…
        </button>
      ),
    },
  ];
  return (
    <Table
      caption="Callbacks that are not delivered"
      columns={columns.filter((column) => column !== false)}
      rows={rows}
      keyOf={(one) => one.payment_id + "/" + one.seq}
    />
  );
}

// SendAll sends part after part; each part is one request with a key of its own.
function SendAll({ filter, total, close, acted }: { filter: Query; total: number; close(): void; acted(): void }) {
  const attempt = useRef<Attempt>(undefined);
  attempt.current ??= new Attempt(act, () => crypto.randomUUID());
  const stop = useRef(false);
  const [expected] = useState(total);
  const [state, setState] = useState<"asked" | "runs" | "stopped" | "done">("asked");
  const [at, setAt] = useState({ sent: 0, cursor: "", reason: "" });
  const [failure, setFailure] = useState<Failed | null>(null);
  const [wrong, setWrong] = useState("");
  const text = (n: number) => amountText(String(n));
  useEffect(() => () => void (stop.current = true), []);

  const run = async (event: SubmitEvent) => {
    event.preventDefault();
    if (state === "runs" || state === "done") return;
    const reason = at.reason || (valuesOf(event.currentTarget as HTMLFormElement).reason ?? "");
    setWrong(reason ? "" : "Say why, in a few words: it stands in the audit log.");
    if (!reason) return;
    event.submitter?.focus();
    stop.current = false;
    setFailure(null);
    setState("runs");
    let cursor = at.cursor;
    const ask = (from: string) =>
      attempt.current!.send<BulkSent>("/callbacks/send", {
        ...filter,
        zone: zone(),
        expected,
        ...(from && { cursor: from }),
        reason,
      });
    const failed = await every(
      at.sent,
      ask,
      (sum, part) => sum + part.sent,
      (sent, next) => {
        cursor = next;
        setAt({ sent, cursor: next, reason });
      },
      { cursorOf: (part) => part.cursor ?? "", from: at.cursor, stopped: () => stop.current },
    );
    setFailure(failed);
    const began = cursor !== "" || attempt.current!.unknown;
    setState(failed ? (began ? "stopped" : "asked") : cursor ? "stopped" : "done");
    acted();
  };

  return (
    <Dialog title={`Send ${count(expected, "callback")} again`} close={close} busy={false}>
      <form onSubmit={run} noValidate>
        <p>
          Each is sent once, in the order of its payment’s events, and slowly enough for the shop. What was delivered
          meanwhile is left out. Closing this dialog stops after the part that is being sent.
        </p>
        <div class="fields" inert={state !== "asked"}>
          <ReasonField />
        </div>
        {state !== "asked" && <progress value={at.sent} max={expected} aria-label="Callbacks that are being sent" />}
        <div role="status">
          {wrong && <p class="wrong">{wrong}</p>}
          {state === "runs" && (
            <p>
              {text(at.sent)} of {text(expected)} are being sent…
            </p>
          )}
          {state === "stopped" && (
            <p>
              Stopped after {text(at.sent)} of {text(expected)}. Continue: none is sent twice.
            </p>
          )}
          {state === "done" && <p class="said">{count(at.sent, "callback is", "callbacks are")} being sent.</p>}
        </div>
        {failure && <Failure failure={failure} />}
        <p class="buttons">
          {(state === "asked" || state === "stopped") && (
            <button class="primary">
              {state === "asked" ? `Send ${count(expected, "callback")} again` : "Continue"}
            </button>
          )}
          {state === "runs" ? (
            <button type="button" onClick={() => (stop.current = true)}>
              Stop
            </button>
          ) : (
            <button type="button" onClick={close}>
              {state === "done" ? "Close" : "Cancel"}
            </button>
          )}
        </p>
      </form>
    </Dialog>
  );
}
