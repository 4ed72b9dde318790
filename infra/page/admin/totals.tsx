// The totals of what is filtered: sums by currency, reasons of declines, all groups, and the export of the same lines.

import { useEffect, useState } from "preact/hooks";
import type { Query } from "./address";
import { read, type Failure as Failed } from "./api";
import { addTotals, every, joinedCSV, noTotals } from "./pages";
import { Failure, Money } from "./parts";
import { Bar, Table, type Column } from "./table";
import { amountText, count, share } from "./text";
import type { Decline, Group, Sum, Totals as Sums } from "./types";
import { useWorld } from "./world";

export function Totals({ filter }: { filter: Query }) {
  const [sums, setSums] = useState<Sums | null>(null);
  const [cursor, setCursor] = useState("");
  const [failure, setFailure] = useState<Failed | null>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    setFailure(null);
    const ask = (from: string) => read<Sums>("/totals", { ...filter, cursor: from }, stop.signal);
    const told = (sum: Sums, next: string) => {
      if (stop.signal.aborted) return;
      setSums(sum);
      setCursor(next);
    };
    const start = cursor && sums ? sums : noTotals; // after a failure it goes on where it was
    void every(start, ask, addTotals, told, {
      cursorOf: (part) => part.cursor ?? "",
      from: start === sums ? cursor : "",
    }).then((failed) => !stop.signal.aborted && setFailure(failed));
    return () => stop.abort();
  }, [turn]);
  return (
    <section class="totals" aria-label="Totals" aria-busy={!sums || cursor !== ""}>
      {failure && <Failure failure={failure} again={() => setTurn(turn + 1)} />}
      {!sums && !failure && <p class="late soft">Adding up…</p>}
      {sums && (
        <>
          <p class="soft" role="status">
            {count(sums.lines, "transaction")} {filter.from ? "" : "of the last day "}added up
            {cursor && ", more are being added…"}
            {!filter.from && ". Choose From for those of other days."}
          </p>
          {sums.lines === 0 ? <p>There are no transactions to add up.</p> : <Tables sums={sums} />}
          <Export filter={filter} />
        </>
      )}
    </section>
  );
}

function Tables({ sums }: { sums: Sums }) {
  const declines = sums.declines ?? [];
  const most = Math.max(0, ...declines.map((one) => one.count));
  return (
    <>
      <Table
        caption="Sums by currency"
        columns={sumColumns.filter(({ name }) => name !== "Paid out" || sums.sums?.some((one) => one.paid_out))}
        rows={sums.sums ?? []}
        keyOf={({ currency }) => currency}
      />
      {declines.length > 0 && (
        <>
          <h2>Why payments were declined</h2>
          <Table
            caption="Reasons of declines, the most frequent first"
            columns={declineColumns(most)}
            rows={declines}
            keyOf={(one) => one.reason_code + one.text}
          />
        </>
      )}
      <details>
        <summary>By day, method and MID</summary>
        <Table
          caption="Totals by day, currency, method, MID and type"
          columns={groupColumns}
          rows={sums.groups ?? []}
          keyOf={(_, at) => String(at)}
        />
      </details>
    </>
  );
}

const number = (n: number) => amountText(String(n));

const sumColumns: Column<Sum>[] = [
  { name: "Currency", cell: ({ currency }) => currency },
  { name: "Paid", kind: "numeric", cell: ({ paid, currency }) => <Money amount={paid} currency={currency} /> },
  {
    name: "Returned",
    kind: "numeric",
    cell: ({ returned, currency }) => <Money amount={returned} currency={currency} />,
  },
  { name: "Paid out", kind: "numeric", cell: (one) => <Money amount={one.paid_out ?? "0"} currency={one.currency} /> },
  { name: "Net", kind: "numeric", cell: ({ net, currency }) => <Money amount={net} currency={currency} /> },
  { name: "Attempts", kind: "numeric", cell: ({ attempts }) => number(attempts) },
  { name: "Accepted", kind: "numeric", cell: ({ accepted }) => number(accepted) },
  {
    name: "Acceptance",
    kind: "numeric",
    cell: ({ accepted, attempts }) => (
      <>
        {share(accepted, attempts)} <Bar part={accepted} of={attempts} />
      </>
    ),
  },
];

const declineColumns = (most: number): Column<Decline>[] => [
  { name: "Reason", kind: "wide", cell: ({ text, reason_code }) => text || reason_code },
  { name: "Code", cell: ({ reason_code }) => <code>{reason_code}</code> },
  {
    name: "Count",
    kind: "numeric",
    cell: (one) => (
      <>
        {number(one.count)} <Bar part={one.count} of={most} />
      </>
    ),
  },
];

const groupColumns: Column<Group>[] = [
  { name: "Day", cell: ({ day }) => <time dateTime={day}>{day}</time> },
  { name: "Method", cell: ({ method }) => method },
  { name: "MID", cell: ({ mid }) => mid },
  { name: "Type", cell: ({ type }) => type },
  { name: "Succeeded", kind: "numeric", cell: ({ succeeded }) => number(succeeded) },
  { name: "Failed", kind: "numeric", cell: ({ failed }) => number(failed) },
  { name: "Amount", kind: "numeric", cell: ({ amount, currency }) => <Money amount={amount} currency={currency} /> },
  { name: "Moved", kind: "numeric", cell: ({ moved, currency }) => <Money amount={moved} currency={currency} /> },
];

// Export has the browser save all lines, however many answers they come in.
function Export({ filter }: { filter: Query }) {
  const { mode } = useWorld();
  const [said, setSaid] = useState("");
  const [failure, setFailure] = useState<Failed | null>(null);
  const save = (format: "csv" | "jsonl") => async () => {
    setFailure(null);
    setSaid("Exporting…");
    let text = "";
    const failed = await every(
      "",
      (cursor) => read<string>("/export", { ...filter, format, cursor }, undefined, "text"),
      joinedCSV,
      (sum) => {
        text = sum;
        setSaid(`${Math.round(sum.length / 1024)} KB so far…`);
      },
      { cursorOf: (_, next) => next },
    );
    setFailure(failed);
    setSaid(failed ? "" : "Exported. The audit log has an entry of it.");
    if (!failed)
      download(text, `transactions-${mode}.${format}`, format === "csv" ? "text/csv" : "application/x-ndjson");
  };
  return (
    <p class="export">
      <button type="button" onClick={save("csv")}>
        Export as CSV
      </button>{" "}
      <button type="button" onClick={save("jsonl")}>
        Export as JSON lines
      </button>{" "}
      <span class="soft" role="status">
        {said}
      </span>
      {failure && <Failure failure={failure} />}
    </p>
  );
}

function download(text: string, name: string, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
