// Requests to providers without an outcome: under way, and those that wait for a person.

import { useState } from "preact/hooks";
import { inMode, linkTo, paymentLink, pick } from "./address";
import { ActDialog, type Act } from "./dialog";
import { Field, FilterForm, Hidden, merchantField } from "./form";
import { Cut, Empty, Further, Head, Money, Read, Sign, Time } from "./parts";
import { Table, type Column } from "./table";
import { ago, count, money } from "./text";
import type { Approval, ApprovalList, Done, Me, Open, Opens } from "./types";
import { may, merchantName, modeOf, useRead, useWorld } from "./world";

// The columns of both tables.
const order: Column<Open | Approval> = {
  name: "Order",
  kind: "clip id",
  cell: (one) => (
    <a class="row" href={paymentLink(one.payment_id, modeOf(one))} title={one.order}>
      <bdi>{one.order || one.payment_id}</bdi>
    </a>
  ),
};
const amount: Column<Open | Approval> = {
  name: "Amount",
  kind: "numeric",
  cell: (one) => <Money amount={one.amount} currency={one.currency} />,
};
const merchant = (me: Me): Column<Open | Approval> => ({
  name: "Merchant",
  kind: "clip",
  cell: (one) => <Cut text={merchantName(me, one.merchant)} />,
});

export function UnderWay() {
  const { me, place } = useWorld();
  const filter = pick(place.query, ["merchant", "mode", "cursor"]);
  const requests = useRead<Opens>("/under-way", filter);
  return (
    <>
      <Head title="Under way" again={requests}>
        Requests that were sent to a provider and are not decided, and what is due: the oldest first. The service looks
        each up by itself; what is marked late should have been done by now.
      </Head>
      {me.merchants.length > 1 && (
        <FilterForm view="under-way" query={place.query} button="Filter">
          <Hidden query={place.query} names={["mode"]} />
          <Field field={merchantField(me)} />
        </FilterForm>
      )}
      <Read of={requests}>
        {({ requests: all, cursor }) => (
          <>
            {all?.length ? (
              <Requests rows={all} caption="Requests under way, the oldest first" due />
            ) : (
              <Empty title="Nothing is under way.">
                <p>Every request has an outcome. What could not be found out waits under “Waiting for a person”.</p>
              </Empty>
            )}
            <Further view="under-way" query={place.query} cursor={cursor} />
          </>
        )}
      </Read>
    </>
  );
}

export function Waiting() {
  const { place, mode } = useWorld();
  const requests = useRead<Opens>("/waiting", pick(place.query, ["cursor"]));
  return (
    <>
      <Head title="Waiting for a person" again={requests}>
        Nobody could find out what became of these, the provider has told two different things, or money has arrived
        that does not count. Look it up once more, ask the provider with the reference, then settle it: what you decide
        counts, and stands in the audit log with your name.
      </Head>
      <Read of={requests}>
        {({ requests, cursor }) => {
          const all = (requests ?? []).filter((one) => modeOf(one) === mode);
          return (
            <>
              {all.length ? (
                <Requests rows={all} caption="Requests that wait for a person, the longest first" />
              ) : (
                <Empty title={cursor ? "None so far." : "Nothing waits for a person."} />
              )}
              <Further view="waiting" query={place.query} cursor={cursor} />
            </>
          );
        }}
      </Read>
      <ApprovalList />
    </>
  );
}

// ApprovalList has what people may not do alone, if there is any of that. The service decides who may approve it.
function ApprovalList() {
  const { me, mode } = useWorld();
  const approvals = useRead<ApprovalList>("/approvals");
  const [act, setAct] = useState<Act | null>(null);
  const all = approvals.value?.approvals?.filter((one) => modeOf(one) === mode);
  if (!all?.length) return null;
  const decide = (of: Approval, what: "approve" | "reject"): Act => {
    const does = `${of.do} of ${money(of.amount, of.currency)}`;
    return {
      title: what === "approve" ? "Approve what another person asks for" : "Reject what a person asks for",
      danger: what === "approve",
      button: () => (what === "approve" ? `Approve the ${does}` : `Reject the ${does}`),
      path: `/approvals/${of.id}/${what}`,
      body: () => ({}),
      done: (value) => (value as Done).text,
      children: (
        <p>
          {of.by} asks for a {does}, order <bdi>{of.order}</bdi>: “{of.reason}” {of.why}
        </p>
      ),
    };
  };
  const columns: (Column<Approval> | false)[] = [
    order,
    { name: "Act", cell: (one) => one.do },
    amount,
    me.merchants.length > 1 && merchant(me),
    { name: "Asked by", kind: "wide", cell: (one) => <><bdi>{one.by}</bdi> <Time at={one.at} soft /></> },
    { name: "Why", kind: "wide long", cell: (one) => <><bdi>{one.reason}</bdi> <span class="soft">{one.why}</span></> },
    {
      name: "Do",
      kind: "wide",
      cell: (one) =>
        one.state !== "waiting" ? (
          [one.state, one.decided_by && `by ${one.decided_by}`].filter(Boolean).join(" ")
        ) : may(me, "money", modeOf(one)) ? (
          <>
            {one.who !== me.who && (
              <button type="button" class="danger" onClick={() => setAct(decide(one, "approve"))}>
                Approve…
              </button>
            )}
            <button type="button" class="quiet" onClick={() => setAct(decide(one, "reject"))}>
              Reject…
            </button>
          </>
        ) : (
          <>until <Time at={one.until} /></>
        ),
    },
  ];
  return (
    <>
      <h2>Another person has to approve</h2>
      <p class="soft">These return more to payers than whoever asks may return alone. Whoever asks can’t approve it.</p>
      <Table
        caption="Acts that wait for another person, the latest first"
        columns={columns.filter((column) => column !== false)}
        rows={all}
        keyOf={({ id }) => id}
      />
      {act && <ActDialog act={act} close={() => setAct(null)} acted={approvals.again} />}
    </>
  );
}

function Requests({ rows, caption, due }: { rows: readonly Open[]; caption: string; due?: boolean }) {
  const { me, words } = useWorld();
  const acts = (due ? ["look-up"] : ["look-up", "settle"]) as string[];
  const link = (one: Open, act: string) =>
    linkTo(
      "payments",
      { ...inMode(modeOf(one)), do: act, reference: one.reference },
      one.payment_id,
    );
  const columns: (Column<Open> | false)[] = [
    order,
    {
      name: "Request",
      kind: "wide",
      cell: (one) => (
        <>
          {one.type} at <bdi title={one.connector}>{one.mid}</bdi>
        </>
      ),
    },
    amount,
    me.merchants.length > 1 && merchant(me),
    {
      name: due ? "Due" : "Unknown",
      kind: "wide",
      cell: (one) => {
        const at = (due && one.due_at) || one.unknown_since || one.sent_at;
        return (
          at && (
            <span title={at}>
              {one.late ? <Sign shape="bad">late, {ago(at, Date.now())}</Sign> : ago(at, Date.now())}{" "}
              <Time at={at} soft />
            </span>
          )
        );
      },
    },
    {
      name: "Why",
      kind: "wide long",
      cell: (one) =>
        [one.why, one.look_ups > 0 && `looked up ${one.look_ups === 1 ? "once" : count(one.look_ups, "time")}`]
          .filter(Boolean)
          .join("; "),
    },
    {
      name: "Do",
      kind: "wide",
      cell: (one) =>
        acts
          .filter((act) => may(me, act, modeOf(one)))
          .map((act) => (
            <a key={act} class="button" href={link(one, act)}>
              {words.acts[act]?.label ?? act}…
            </a>
          )),
    },
  ];
  return (
    <Table
      caption={caption}
      columns={columns.filter((column) => column !== false)}
      rows={rows}
      keyOf={(one) => one.payment_id + one.reference}
    />
  );
}
