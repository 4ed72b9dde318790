// Refunds of all payments that are filtered: they are counted, a person agrees, and each is refunded, once.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { linkTo, paymentLink, without, type Query } from "./address";
import { act, read, type Failure as Failed } from "./api";
import { ReasonField, valuesOf } from "./dialog";
import { every } from "./pages";
import { Empty, Failure, Money, Sign } from "./parts";
import {
  grouped,
  isOld,
  lineOf,
  mostRefunds,
  patiently,
  refundAll,
  type Batch,
  type Group,
  type Line,
  type Result,
} from "./batch";
import { Table, type Column } from "./table";
import { count, money } from "./text";
import type { ApprovalList, Listing, Row, Shape, View } from "./types";
import { useWorld } from "./world";

interface RefundsProps {
  filter: Query;
  query: Query;
}

/** Refunds counts anew, or goes on with the list that the address names, if this tab has begun it. */
export function Refunds({ filter, query }: RefundsProps) {
  const chosen = JSON.stringify(filter);
  const [batch, setBatch] = useState(() => stored(query.refunds ?? "", chosen));
  const begin = (reason: string, lines: Line[]) => {
    const begun: Batch = { id: crypto.randomUUID(), at: Date.now(), filter: chosen, reason, lines };
    store(begun);
    history.replaceState(history.state, "", linkTo("payments", { ...query, refunds: begun.id }));
    setBatch(begun);
  };
  const close = linkTo("payments", without(query, "refunds"));
  return (
    <section class="totals refunds" aria-labelledby="refunds-title">
      <h2 id="refunds-title" tabIndex={-1}>
        Refund these payments
      </h2>
      {batch ? (
        <Work key={batch.id} begun={batch} fresh={batch.id !== query.refunds} close={close} />
      ) : (
        <Count filter={filter} begin={begin} close={close} />
      )}
    </section>
  );
}

const nameOf = (id: string) => "refunds." + id;

function stored(id: string, filter: string): Batch | null {
  const batch = JSON.parse(sessionStorage.getItem(nameOf(id)) ?? "null") as Batch | null;
  return batch?.filter === filter ? batch : null;
}

const pause = (seconds: number) => new Promise((resume) => setTimeout(resume, seconds * 1000));

const store = (batch: Batch) => sessionStorage.setItem(nameOf(batch.id), JSON.stringify(batch));

interface Counted {
  lines: Line[];
  more: boolean; // there are more than are refunded at once
}

function Count({ filter, begin, close }: { filter: Query; begin(reason: string, lines: Line[]): void; close: string }) {
  const { words } = useWorld();
  const [counted, setCounted] = useState<Counted | null>(null);
  const [at, setAt] = useState("");
  const [failure, setFailure] = useState<Failed | null>(null);
  const [turn, setTurn] = useState(0);
  const [wrong, setWrong] = useState("");
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    setFailure(null);
    const all = async (): Promise<Failed | null> => {
      const asked = new Set<string>();
      const waits = ({ approvals }: ApprovalList) =>
        approvals.forEach((one) => one.state === "waiting" && one.do === "refund" && asked.add(one.payment_id));
      const stopped = () => signal.aborted;
      const readOne = <T,>(path: string, asking: Query = {}) =>
        patiently(() => read<T>(path, asking, signal), { pause, stopped });
      const cursorOf = ({ cursor = "" }: { cursor?: string }) => cursor;
      const failed = await every(
        null,
        (cursor) => readOne<ApprovalList>("/approvals", { cursor }),
        (_, part) => (waits(part), null),
        () => {},
        { cursorOf, stopped },
      );
      if (failed) return failed;
      let rows: Row[] = [];
      const settled = () => rows.filter(({ state }) => state === "settled");
      const enough = () => signal.aborted || settled().length > mostRefunds;
      const list = (cursor: string) => readOne<Listing>("/payments", { ...filter, limit: "500", cursor });
      const told = (sum: Row[]) => setAt(`${count((rows = sum).length, "payment")} listed…`);
      const unlisted = await every<Listing, Row[]>([], list, (sum, part) => [...sum, ...part.rows], told, {
        cursorOf,
        stopped: enough,
      });
      if (unlisted) return unlisted;
      const more = settled().length > mostRefunds;
      if (more) rows = rows.slice(0, rows.indexOf(settled()[mostRefunds]!));
      const lines: Line[] = [];
      for (const [n, row] of rows.entries()) {
        if (signal.aborted) return null;
        const view = row.state === "settled" ? await readOne<View>(`/payments/${encodeURIComponent(row.id)}`) : null;
        if (view?.failure) return view.failure;
        lines.push(lineOf(row, words, view?.value ?? null, asked));
        if (n % 10 === 9) setAt(`${n + 1} of ${count(rows.length, "payment")} counted…`);
      }
      setCounted({ lines, more });
      return null;
    };
    void all().then((failed) => !signal.aborted && setFailure(failed));
    return () => stop.abort();
  }, [turn]);
  if (failure) return <Failure failure={failure} again={() => setTurn(turn + 1)} />;
  if (!counted) {
    return (
      <p class="late" role="status">
        Counting… {at} <a href={close}>Cancel</a>
      </p>
    );
  }
  const tried = counted.lines.filter(({ why }) => !why);
  const sums = grouped(tried, () => "To refund");
  const left = grouped(
    counted.lines.filter(({ why }) => why).map((line) => ({ ...line, currency: "" })),
    ({ why = "" }) => why,
  );
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const { reason = "" } = valuesOf(event.currentTarget as HTMLFormElement);
    setWrong(reason ? "" : "Say why, in a few words: it stands in the audit log.");
    if (reason) begin(reason, tried);
  };
  return (
    <form onSubmit={send} noValidate>
      {tried.length > 0 ? (
        <Sums caption="What would be refunded, by currency" groups={sums} />
      ) : (
        <Empty title="None of these payments can be refunded now." />
      )}
      {counted.more && (
        <p>
          There are more. These are the latest {mostRefunds} that are paid: choose fewer days, or refund the rest
          afterwards.
        </p>
      )}
      {left.length > 0 && (
        <>
          <p>Left out:</p>
          <ul>
            {left.map(({ name, payments }) => (
              <li key={name}>
                {count(payments, "payment")}: {name}
              </li>
            ))}
          </ul>
        </>
      )}
      {tried.length > 0 && (
        <>
          <p>
            All that is left of each is refunded, one payment after the other. What goes beyond your limits waits for
            another person. Schedules of recurring chains go on.
          </p>
          <div class="fields">
            <ReasonField />
          </div>
        </>
      )}
      {wrong && (
        <p class="wrong" role="alert">
          {wrong}
        </p>
      )}
      <p class="buttons">
        {tried.length > 0 && (
          <button class="danger">
            Refund{" "}
            {[count(tried.length, "payment"), ...sums.map(({ sum, currency }) => money(sum, currency))].join(", ")}
          </button>
        )}
        <a href={close}>Cancel</a>
      </p>
    </form>
  );
}

// Work refunds a list that was begun. After the page was loaded again it waits until somebody continues.
function Work({ begun, fresh, close }: { begun: Batch; fresh: boolean; close: string }) {
  const { mode } = useWorld();
  const [batch, setBatch] = useState(begun);
  const [runs, setRuns] = useState(false);
  const [failure, setFailure] = useState<Failed | null>(null);
  const stop = useRef(false);
  const { lines } = batch;
  const done = lines.filter(({ result }) => result).length;
  const finished = done === lines.length;
  const old = isOld(batch, Date.now());
  const run = async () => {
    stop.current = false;
    setRuns(true);
    setFailure(null);
    const told = (now: Batch) => {
      store(now);
      setBatch(now);
    };
    const failed = await refundAll(batch, { act, told, pause, stopped: () => stop.current });
    setRuns(false);
    setFailure(failed);
  };
  // The button that had the focus is gone.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) document.getElementById("refunds-title")?.focus();
  }, [runs]);
  useEffect(() => {
    if (fresh) void run();
    return () => void (stop.current = true);
  }, []);
  return (
    <>
      <progress value={done} max={lines.length} aria-label="Payments that are done" />
      <p role="status">
        {runs
          ? `${done} of ${count(lines.length, "payment")} done…`
          : finished
            ? `All ${count(lines.length, "payment")} are done.`
            : old
              ? `Stopped after ${done} of ${count(lines.length, "payment")}, more than 23 hours ago. \
Close this, and count anew: what was refunded is left out.`
              : `Stopped after ${done} of ${count(lines.length, "payment")}. Continue: none is refunded twice.`}
      </p>
      {failure && <Failure failure={failure} />}
      <p class="buttons">
        {runs ? (
          <button type="button" onClick={() => (stop.current = true)}>
            Stop
          </button>
        ) : (
          <>
            {!finished && !old && (
              <button type="button" class="primary" onClick={run}>
                Continue
              </button>
            )}
            <a href={close}>Close</a>
          </>
        )}
      </p>
      <Sums
        caption="What became of the payments, by currency"
        groups={grouped(lines, ({ result }) => (result ? named[result].name : "Not tried"))}
      />
      {done > 0 && (
        <Table
          caption="What became of each payment"
          columns={columns(mode)}
          rows={lines.filter(({ result }) => result)}
          keyOf={({ id }) => id}
        />
      )}
    </>
  );
}

const named: Record<Result, { name: string; shape: Shape }> = {
  refunded: { name: "Refunded", shape: "ok" },
  undecided: { name: "No outcome yet", shape: "wait" },
  waiting: { name: "Waits for another person", shape: "wait" },
  refused: { name: "Refused", shape: "bad" },
};

const columns = (mode: string): Column<Line>[] => [
  {
    name: "Order",
    kind: "wide",
    cell: ({ id, order }) => (
      <a class="row" href={paymentLink(id, mode)}>
        <bdi>{order || id}</bdi>
      </a>
    ),
  },
  { name: "Amount", kind: "numeric", cell: ({ amount, currency }) => <Money amount={amount} currency={currency} /> },
  { name: "Result", cell: ({ result }) => result && <Sign shape={named[result].shape}>{named[result].name}</Sign> },
  { name: "What became of it", kind: "wide", cell: ({ text }) => text },
];

function Sums({ caption, groups }: { caption: string; groups: readonly Group[] }) {
  return <Table caption={caption} columns={sumColumns} rows={groups} keyOf={({ name, currency }) => name + currency} />;
}

const sumColumns: Column<Group>[] = [
  { name: "Result", cell: ({ name }) => name },
  { name: "Payments", kind: "numeric", cell: ({ payments }) => String(payments) },
  { name: "Amount", kind: "numeric", cell: ({ sum, currency }) => <Money amount={sum} currency={currency} /> },
];
