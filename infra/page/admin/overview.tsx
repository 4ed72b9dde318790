// The overview: what waits for operators, each with its oldest, and today's charges by the hour beside a week before.

import { useEffect, useState } from "preact/hooks";
import { inMode, linkTo, paymentLink, pick, type Query } from "./address";
import { read } from "./api";
import { Field, FilterForm, Hidden, merchantField } from "./form";
import { Empty, Head, Read, Sign, Time } from "./parts";
import { isUsed } from "./session";
import { Bar, Table, type Column } from "./table";
import { ago, amountText, share, timeText } from "./text";
import type { Charges, Hour, HourList, Mode, Overview as All, OverviewItem } from "./types";
import { merchantName, useRead, useWorld } from "./world";

const every = 60_000; // ms between two readings of the menu's counters

const listeners = new Set<(all: All) => void>();

// Where each kind is listed.
const views: Record<string, [view: string, query?: Query]> = {
  waiting: ["waiting"],
  approvals: ["waiting"],
  parked: ["callbacks", { callbacks: "parked" }],
  addresses: ["addresses"],
  circuits: ["circuits"],
  closed: ["circuits"],
  disputes: ["payments", { status: "chargeback" }],
};

// The kinds that the menu counts: what operators have closed themselves, and disputes, are none of its views' work.
const counted = ["waiting", "approvals", "parked", "addresses", "circuits"];

/** useCounts are the menu's counters by view, of live or test payments. A page that is hidden, or that nobody uses,
 * reads none: what it requests by itself must not keep its access alive. */
export function useCounts(mode: Mode, told: boolean): Record<string, string> {
  const [all, setAll] = useState<All | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    setAll(null);
    const ask = async () => {
      const answer = await read<All>("/overview", inMode(mode), stop.signal);
      if (answer.value && !stop.signal.aborted) setAll(answer.value);
    };
    listeners.add(setAll);
    if (!told) void ask();
    const timer = setInterval(() => !document.hidden && isUsed() && void ask(), every);
    return () => {
      stop.abort();
      clearInterval(timer);
      listeners.delete(setAll);
    };
  }, [mode]);
  const sums: Record<string, [count: number, more: boolean]> = {};
  for (const { kind, count, more } of all?.items ?? []) {
    const [view] = views[kind] ?? [""];
    const [before, unfinished] = sums[view] ?? [0, false];
    if (counted.includes(kind)) sums[view] = [before + count, unfinished || Boolean(more)];
  }
  return Object.fromEntries(
    Object.entries(sums).flatMap(([view, [n, more]]) => (n ? [[view, amountText(String(n)) + (more ? "+" : "")]] : [])),
  );
}

export function Overview() {
  const { me, place } = useWorld();
  const filter = pick(place.query, ["merchant", "mode"]);
  const all = useRead<All>("/overview", { ...filter, day: timeText(new Date().toISOString()).slice(0, 10) });
  useEffect(() => {
    if (all.value && !filter.merchant) listeners.forEach((tell) => tell(all.value as All));
  }, [all.value]);
  return (
    <>
      <Head title="Overview" again={all}>
        What waits for somebody, and what fails.
      </Head>
      {me.merchants.length > 1 && (
        <FilterForm view="" query={place.query} button="Filter">
          <Hidden query={place.query} names={["mode"]} />
          <Field field={merchantField(me)} />
        </FilterForm>
      )}
      <Read of={all}>
        {({ at, items, hours }) => (
          <>
            <Table
              caption="What waits or fails"
              columns={columns(filter, at, (id) => merchantName(me, id))}
              rows={items}
              keyOf={({ kind }) => kind}
            />
            {hours && <ByHour of={hours} />}
          </>
        )}
      </Read>
    </>
  );
}

const columns = (filter: Query, at: string, named: (merchant: string) => string): Column<OverviewItem>[] => [
  {
    name: "What",
    kind: "wide",
    cell: ({ kind, label, oldest, payment_id, merchant, name }) => {
      const [view = "", query = {}] = views[kind] ?? [];
      return (
        <>
          <a href={linkTo(view, { ...query, ...filter })}>{label}</a>
          {oldest && (
            <p class="soft">
              The oldest since <Time at={oldest} minute /> ({ago(oldest, Date.parse(at))})
              {merchant && (
                <>
                  {": "}
                  {payment_id ? (
                    <a href={paymentLink(payment_id, filter.mode ?? "")}>a payment</a>
                  ) : (
                    <bdi>{name}</bdi>
                  )}{" "}
                  of <bdi>{named(merchant)}</bdi>
                </>
              )}
            </p>
          )}
        </>
      );
    },
  },
  {
    name: "Count",
    cell: ({ count, more }) => (
      <Sign shape={count || more ? "wait" : "ok"}>{(more ? "at least " : "") + amountText(String(count))}</Sign>
    ),
  },
];

function ByHour({ of: { hours, counted_from } }: { of: HourList }) {
  const some = hours.some(({ charges, week_before }) => charges.ended + week_before.ended > 0);
  return (
    <>
      <h2>Charges today, by the hour</h2>
      <p class="soft">
        Charges that have ended, without payouts, beside the same hour a week before. The last hour is compared until
        the same minute.
        {counted_from && (
          <>
            {" "}
            There are too many to count hours before <Time at={counted_from} minute />. A single merchant’s take less,
            and the totals of payments have all.
          </>
        )}
      </p>
      {some ? (
        <>
          <Chart hours={hours} />
          <details>
            <summary>All numbers</summary>
            <Table
              caption="Charges by the hour, the latest first"
              columns={hourColumns}
              rows={[...hours].reverse()}
              keyOf={({ at }) => at}
            />
          </details>
        </>
      ) : (
        <Empty title="No charge has ended in these hours, today or a week before." />
      )}
    </>
  );
}

// For each hour the chart has two bars: what was accepted a week before, and today before all charges that ended. The
// table below it has the numbers.
const slot = { width: 10, height: 100 };

function Chart({ hours }: { hours: readonly Hour[] }) {
  const slots = Math.max(24, hours.length); // of a day, which may have an hour more
  const most = Math.max(1, ...hours.flatMap(({ charges, week_before }) => [charges.ended, week_before.accepted]));
  const bar = (of: string, x: number, n: number) => {
    const height = (slot.height * n) / most;
    return <rect class={of} x={x} y={slot.height - height} width={slot.width * 0.4} height={height} />;
  };
  const sum = (of: (hour: Hour) => number) => number(hours.reduce((n, hour) => n + of(hour), 0));
  const [today, before] = [sum(({ charges }) => charges.accepted), sum(({ week_before }) => week_before.accepted)];
  const start = Date.parse(hours[0]?.at ?? "");
  const label = (hour: number) => timeText(new Date(start + hour * 3_600_000).toISOString()).slice(11, 16);
  return (
    <figure class="chart">
      <p class="most" aria-hidden="true">
        {number(most)}
      </p>
      <svg
        viewBox={`0 0 ${slots * slot.width} ${slot.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Accepted charges by the hour: ${today} today, ${before} in the same hours a week before`}
      >
        {hours.map(({ at, charges, week_before }, i) => (
          <g key={at}>
            {bar("before", i * slot.width, week_before.accepted)}
            {bar("ended", (i + 0.45) * slot.width, charges.ended)}
            {bar("today", (i + 0.45) * slot.width, charges.accepted)}
          </g>
        ))}
      </svg>
      <p class="hours" aria-hidden="true">
        {[0, 6, 12, 18].map((hour) => (
          <time key={hour}>{label(hour)}</time>
        ))}
      </p>
      <figcaption>
        <span class="today">{today} accepted today</span> <span class="ended">of all that ended</span>{" "}
        <span class="before">{before} accepted a week before</span>
      </figcaption>
    </figure>
  );
}

const number = (n: number) => amountText(String(n));

function Accepted({ of: { ended, accepted } }: { of: Charges }) {
  return (
    <>
      {number(accepted)} {ended > 0 && <span class="soft">{share(accepted, ended)}</span>}
      <Bar part={accepted} of={ended} />
    </>
  );
}

const hourColumns: Column<Hour>[] = [
  { name: "From", cell: ({ at }) => <Time at={at} clock minute /> },
  { name: "Ended", kind: "numeric", cell: ({ charges }) => number(charges.ended) },
  { name: "Accepted", kind: "numeric", cell: ({ charges }) => <Accepted of={charges} /> },
  { name: "Week before", kind: "numeric", cell: ({ week_before }) => number(week_before.ended) },
  { name: "Accepted then", kind: "numeric", cell: ({ week_before }) => <Accepted of={week_before} /> },
];
