// Payments: the list with its filters, further pages, and the totals of what is filtered.

import { useEffect, useState } from "preact/hooks";
import { inMode, linkTo, paymentLink, pick, without, type Query } from "./address";
import { read, type Failure as Failed } from "./api";
import { Chosen, Field, FilterForm, Hidden, merchantField } from "./form";
import { Refunds } from "./refunds";
import { Callbacks, Cut, Empty, Failure, Head, Money, Read, Sign, Status, Time } from "./parts";
import { Table, type Column } from "./table";
import { Totals } from "./totals";
import { count, decimalText, zone } from "./text";
import type { Circuit, Describe, FilterField, Listing, Row, Shut } from "./types";
import { may, merchantName, modeOf, useRead, useWorld } from "./world";

const shownAtOnce = ["from", "until", "merchant", "status"];

export function Payments() {
  const { me, words, place, mode } = useWorld();
  const { query } = place;
  const fields = words.filters.map((field) => (field.name === "merchant" ? merchantField(me) : labelled(field, words)));
  const offered = fields.filter(({ name }) => name !== "mode" && (name !== "merchant" || me.merchants.length > 1));
  const filter = pick(query, ["mode", ...fields.map(({ name }) => name)]);
  const more = offered.filter(({ name }) => !shownAtOnce.includes(name));
  // Lists of hundreds of choices are drawn once they are asked for.
  const [drawn, setDrawn] = useState(more.some(({ name }) => query[name]));
  const list = useRead<Listing>("/payments", filter);
  const sums = may(me, "sums", mode);
  const draw = (field: FilterField) => <Field key={field.name} field={field} />;
  return (
    <>
      <Head title="Payments" again={list}>
        The latest first. Days are of your time zone, {zone()}. Whoever has a number or an e-mail address finds faster
        with <kbd>/</kbd>.
      </Head>
      <FilterForm view="payments" query={query} button="Filter">
        <Hidden query={query} names={["mode", "totals"]} />
        {offered.filter(({ name }) => shownAtOnce.includes(name)).map(draw)}
        <details open={more.some(({ name }) => query[name])} onToggle={() => setDrawn(true)}>
          <summary>More filters</summary>
          <div class="fields">{drawn && more.map(draw)}</div>
        </details>
      </FilterForm>
      <Chosen view="payments" query={query} fields={offered} me={me} />
      <Notices />
      {sums && (
        <p>
          <a href={linkTo("payments", query.totals ? without(query, "totals") : { ...query, totals: "shown" })}>
            {query.totals ? "Hide the totals of these payments" : "Show the totals of these payments, and export them"}
          </a>
        </p>
      )}
      {may(me, "money", mode) && !query.refunds && Object.keys(without(filter, "mode")).length > 0 && (
        <p>
          <a href={linkTo("payments", { ...query, refunds: "new" })}>Refund these payments…</a>
        </p>
      )}
      {sums && query.totals && <Totals key={JSON.stringify(filter)} filter={filter} />}
      {query.refunds ? (
        <Refunds key={JSON.stringify(filter)} filter={{ ...filter, mode }} query={query} />
      ) : (
        <Read of={list}>{(first) => <Pages key={list.at} first={first} filter={filter} query={query} />}</Read>
      )}
    </>
  );
}

// Notices says that something takes no payments, and where to look.
function Notices() {
  const { mode } = useWorld();
  const found = useRead<{ circuits: Circuit[] | null; closed: Shut[] }>("/circuits").value;
  const left = found?.circuits?.filter((one) => modeOf(one) === mode).length;
  const said = [
    left &&
      count(left, "MID is", "MIDs are") + " left out, because a provider keeps failing",
    found?.closed.length &&
      count(found.closed.length, "MID, method or country is", "MIDs, methods and countries are") +
        " closed by operators",
  ].filter(Boolean);
  if (!said.length) return null;
  return (
    <p>
      <Sign shape="wait">
        <a href={linkTo("circuits", inMode(mode))}>{said.join("; ")}</a>
      </Sign>
    </p>
  );
}

// labelled has the words of statuses and reasons for their codes.
function labelled(field: FilterField, { statuses, reason_codes }: Describe): FilterField {
  const label = (value: string) =>
    field.name === "status"
      ? statuses[value]?.label
      : field.name === "reason_code"
        ? reason_codes[value]?.text
        : undefined;
  const choices = field.choices?.map((one) =>
    typeof one === "string" ? { value: one, label: label(one) ?? one } : one,
  );
  return choices ? { ...field, choices } : field;
}

// Pages has the first page and those that were asked for after it: how many these are is in the address.
function Pages({ first, filter, query }: { first: Listing; filter: Query; query: Query }) {
  const [list, setList] = useState(first);
  const [pages, setPages] = useState(1);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failed | null>(null);
  const rows = list.rows ?? [];
  const more = async () => {
    setBusy(true);
    const answer = await read<Listing>("/payments", { ...filter, cursor: list.cursor ?? "" });
    setBusy(false);
    setFailure(answer.failure ?? null);
    if (answer.failure) return;
    setList({
      ...answer.value,
      rows: [...rows, ...(answer.value.rows ?? [])],
      searched: list.searched + answer.value.searched,
    });
    history.replaceState(
      history.state,
      "",
      linkTo("payments", { ...query, pages: String(Math.max(pages + 1, Number(query.pages) || 1)) }),
    );
    setPages(pages + 1);
  };
  // After Back, or of a link that somebody has sent, as many pages are read as were shown.
  useEffect(() => {
    if (list.cursor && pages < Number(query.pages)) void more();
  }, [pages]);
  return (
    <>
      {rows.length > 0 ? (
        <PaymentsTable rows={rows} />
      ) : (
        <Empty title={list.cursor ? "Nothing so far." : "No payment is like this."}>
          <p>Remove a filter, choose other days, or look in {filter.mode === "test" ? "live" : "test"} payments.</p>
        </Empty>
      )}
      {list.note && <p>{list.note}</p>}
      <p class="further" role="status">
        <span class="soft">
          {count(rows.length, "payment")} shown. {count(list.searched, "payment")} searched,{" "}
          {list.cursor ? "back to" : "all since"} <Time at={list.searched_to} both />
        </span>{" "}
        {list.cursor && (
          <button type="button" onClick={more} aria-disabled={busy}>
            {busy ? "Searching…" : "Search further back"}
          </button>
        )}
      </p>
      {failure && <Failure failure={failure} again={more} />}
    </>
  );
}

// Amount is what was asked for, and below it what of that was refunded.
function Amount({ row: { amount, currency, refunded } }: { row: Row }) {
  return (
    <>
      <Money amount={amount} currency={currency} />
      {refunded && (
        <small class="soft">
          <br />
          refunded {decimalText(refunded, currency)}
        </small>
      )}
    </>
  );
}

/** PaymentsTable is a list of payments, each a link to its own view. */
export function PaymentsTable({ rows }: { rows: readonly Row[] }) {
  const { me, words, mode } = useWorld();
  const named = (name: string, label: string) => words.columns.find((column) => column.name === name)?.label ?? label;
  const several = me.merchants.length > 1;
  const columns: (Column<Row> | false)[] = [
    { name: named("created_at", "Time"), cell: (row) => <Time at={row.created_at} minute /> },
    {
      name: named("order", "Order"),
      kind: "clip id",
      cell: (row) => (
        <a class="row" href={paymentLink(row.id, row.mode)} title={row.order}>
          <bdi>{row.order || row.id}</bdi>
        </a>
      ),
    },
    {
      name: named("state", "Status"),
      cell: (row) => (
        <>
          <Status state={row.state} operation={row.operation} />{" "}
          {row.mode !== mode && (
            <strong class={row.mode === "test" ? "test-word" : ""}>{row.mode.toUpperCase()}</strong>
          )}
        </>
      ),
    },
    { name: named("amount", "Amount"), kind: "numeric", cell: (row) => <Amount row={row} /> },
    {
      name: named("method", "Method"),
      cell: (row) => (
        <>
          {row.method} {row.card && <span class="soft">··{row.card.slice(-4)}</span>}
        </>
      ),
    },
    {
      name: named("email", "E-mail"),
      kind: "clip",
      cell: (row) => row.email && <Cut text={row.email} />,
    },
    several && {
      name: named("merchant", "Merchant"),
      kind: "clip",
      cell: (row) => <Cut text={merchantName(me, row.merchant)} />,
    },
    { name: named("callbacks", "Callbacks"), cell: (row) => row.callbacks && <Callbacks state={row.callbacks} /> },
  ];
  return (
    <Table
      caption="Payments, the latest first"
      columns={columns.filter((column) => column !== false)}
      rows={rows}
      keyOf={({ id }) => id}
    />
  );
}
