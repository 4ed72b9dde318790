// What is blocked: cards, e-mail addresses and IP addresses, whose payments are declined.

import { useState } from "preact/hooks";
import { paymentLink, pick } from "./address";
import { ActDialog, type Act, type Values } from "./dialog";
import { Field, FilterForm, Hidden, merchantField } from "./form";
import { Copy, Empty, Head, Read, Time } from "./parts";
import { known } from "./switched";
import { Table, type Column } from "./table";
import { timeText } from "./text";
import type { Block, BlockList, Me, Mode } from "./types";
import { may, mayAny, merchantName, useRead, useWorld } from "./world";

const everybody = "*";

const kinds: Record<string, string> = { card: "card", email: "e-mail address", ip: "IP address" };

const whose = (me: Me, merchant: string) => (merchant === everybody ? "all merchants" : merchantName(me, merchant));

export function Blocks() {
  const { me, place, mode } = useWorld();
  const list = useRead<BlockList>("/blocks", { ...pick(place.query, ["merchant"]), mode });
  const [act, setAct] = useState<Act | null>(null);
  const columns: Column<Block>[] = [
    {
      name: "Blocked",
      kind: "wide",
      cell: ({ kind, value }) => (
        <>
          {kinds[kind]} <Copy text={value} name={kinds[kind] ?? kind} />
        </>
      ),
    },
    {
      name: "Merchant",
      kind: "wide",
      cell: (one) => (
        <>
          <bdi>{whose(me, one.merchant)}</bdi>
        </>
      ),
    },
    { name: "Until", cell: ({ until }) => <Time at={until} /> },
    { name: "Reason", kind: "wide", cell: ({ reason }) => reason && <bdi>{reason}</bdi> },
    { name: "By", kind: "wide", cell: ({ by }) => by },
    { name: "Since", cell: ({ at }) => <Time at={at} /> },
    {
      name: "Payment",
      cell: ({ payment_id, mode }) => payment_id && <a href={paymentLink(payment_id, mode)}>Open it</a>,
    },
    {
      name: "Do",
      kind: "wide",
      cell: (one) =>
        may(me, "blocks", one.mode) && (
          <button type="button" onClick={() => setAct(unblockAct(me, one))}>
            Unblock…
          </button>
        ),
    },
  ];
  return (
    <>
      <Head title="Blocked" again={list}>
        Cards, e-mail addresses and IP addresses whose payments are declined before anything is sent to a provider. The
        payer is told what anybody is told whose payment was declined. To block a card, open a payment that was made
        with it.
      </Head>
      {me.merchants.length > 1 && (
        <FilterForm view="blocks" query={place.query} button="Filter">
          <Hidden query={place.query} names={["mode"]} />
          <Field field={merchantField(me)} />
        </FilterForm>
      )}
      {mayAny(me, "blocks") && (
        <p>
          <button type="button" onClick={() => setAct(blockAct(me, { mode }))}>
            Block an address…
          </button>
        </p>
      )}
      <Read of={list}>
        {({ blocks, more }) => (
          <>
            {blocks.length ? (
              <Table
                caption="What is blocked, the latest first"
                columns={columns}
                rows={blocks}
                keyOf={({ id }) => id}
              />
            ) : (
              <Empty title="Nothing is blocked." />
            )}
            {more && <p class="soft">There are older ones: choose a merchant.</p>}
          </>
        )}
      </Read>
      {act && <ActDialog act={act} close={() => setAct(null)} acted={list.again} />}
    </>
  );
}

const unblockAct = (me: Me, of: Block): Act => ({
  title: "Unblock",
  button: () => `Unblock this ${kinds[of.kind]}`,
  path: "/blocks/remove",
  body: () => ({ merchant: of.merchant, mode: of.mode, id: of.id }),
  done: () => "Its payments are taken again within a minute.",
  children: known([
    [kinds[of.kind] ?? of.kind, of.value],
    ["Blocked at", whose(me, of.merchant)],
  ]),
});

const day = 86_400_000;
const inDays = (days: number) => timeText(new Date(Date.now() + days * day).toISOString()).slice(0, 10);

/** blockAct is the dialog that blocks what a payment was made with, or without a payment an address. */
export function blockAct(me: Me, of: { mode: Mode; merchant?: string; payment?: string; card?: boolean }): Act {
  const choices = Object.keys(kinds).filter((kind) => kind !== "card" || of.card);
  const all = me.grants.some(
    ({ merchants, mode }) => merchants.includes(everybody) && (mode === "both" || mode === of.mode),
  );
  const merchants = of.merchant ? me.merchants.filter(({ id }) => id === of.merchant) : me.merchants;
  return {
    title: of.payment ? "Block what it was paid with" : "Block an address",
    danger: true,
    button: ({ kind = "" }) => `Block the ${kinds[kind] ?? "address"}`,
    path: "/blocks/add",
    body: ({ kind, value, merchant, until }) => ({
      kind,
      merchant,
      until,
      mode: of.mode,
      ...(of.payment ? { payment_id: of.payment } : { value }),
    }),
    wrong: ({ kind, value, until }: Values) =>
      !kind
        ? "Choose what is to be blocked."
        : !of.payment && !value
          ? "Write the address."
          : until
            ? ""
            : "Choose the last day.",
    done: (value) =>
      `${(value as Block).value} is blocked, from within a minute on. What it has paid before stays as it is.`,
    fields: () => (
      <>
        <fieldset>
          <legend>What</legend>
          {choices.map((kind) => (
            <label key={kind} class="choice">
              <input type="radio" name="kind" value={kind} /> {kinds[kind]}
            </label>
          ))}
        </fieldset>
        {!of.payment && (
          <label>
            E-mail address, IP address, or a network such as 203.0.113.0/24
            <input name="value" autoComplete="off" spellcheck={false} />
          </label>
        )}
        <label>
          At
          <select name="merchant">
            {merchants.map(({ id }) => (
              <option key={id} value={id}>
                {whose(me, id)}
              </option>
            ))}
            {all && <option value={everybody}>all merchants</option>}
          </select>
        </label>
        <label>
          Last day (UTC)
          <input name="until" type="date" min={inDays(0)} defaultValue={inDays(90)} />
        </label>
      </>
    ),
  };
}
