// Where callbacks go, and providers that fail: what is held back because of that, and how to let it go on.

import { useState } from "preact/hooks";
import { inMode, linkTo } from "./address";
import { ActDialog, type Act } from "./dialog";
import { Copy, Empty, Head, Read, Sign, Time } from "./parts";
import { known, shutName, switched } from "./switched";
import { Table, type Column } from "./table";
import { amountText } from "./text";
import type { Address, Circuit, Shut } from "./types";
import { may, merchantName, modeOf, useRead, useWorld } from "./world";

const now = () => new Date().toISOString();

export function Addresses() {
  const { me, mode } = useWorld();
  const addresses = useRead<{ addresses: Address[] | null }>("/addresses");
  const [act, setAct] = useState<Act | null>(null);
  const open = ({ url, ...of }: Address): Act => ({
    title: "Send to this address again now",
    button: () => "Send to it again",
    path: "/addresses/open",
    body: () => ({ merchant: of.merchant, mode: modeOf(of), url }),
    done: () => "Its callbacks are sent from now on. If it fails again, it is held back again.",
    children: known([
      ["Merchant", merchantName(me, of.merchant)],
      ["Address", url],
    ]),
  });
  const columns: Column<Address>[] = [
    { name: "Merchant", kind: "wide", cell: (one) => <bdi>{merchantName(me, one.merchant)}</bdi> },
    { name: "Address", kind: "wide", cell: ({ url }) => url && <Copy text={url} name="address" /> },
    {
      name: "State",
      kind: "wide",
      cell: ({ url, open_until, slow }) =>
        !url ? (
          <Sign shape="bad">none set</Sign>
        ) : open_until && open_until > now() ? (
          <>
            <Sign shape="bad">held back</Sign> until <Time at={open_until} />
          </>
        ) : (
          <Sign shape={slow ? "wait" : "ok"}>{slow ? "slow" : "sent to"}</Sign>
        ),
    },
    { name: "Parked", kind: "numeric", cell: ({ parked }) => amountText(String(parked)) },
    { name: "Waiting", kind: "numeric", cell: ({ waiting }) => amountText(String(waiting)) },
    { name: "Oldest", cell: ({ oldest }) => <Time at={oldest} /> },
    {
      name: "Do",
      kind: "wide",
      cell: (one) => (
        <>
          <a
            class="button"
            href={linkTo("callbacks", {
              url: one.url,
              merchant: one.merchant,
              ...inMode(modeOf(one)),
            })}
          >
            Callbacks
          </a>
          {one.open_until && one.open_until > now() && may(me, "callbacks", modeOf(one)) && (
            <button type="button" onClick={() => setAct(open(one))}>
              Send again…
            </button>
          )}
        </>
      ),
    },
  ];
  return (
    <>
      <Head title="Callback addresses" again={addresses}>
        Where undelivered callbacks go. An address that keeps failing is held back for some minutes, so that others are
        not delayed.
      </Head>
      <Read of={addresses}>
        {({ addresses }) => {
          const all = (addresses ?? []).filter((one) => modeOf(one) === mode);
          return all.length ? (
            <Table
              caption="Addresses of undelivered callbacks"
              columns={columns}
              rows={all}
              keyOf={(one) => one.merchant + modeOf(one) + one.url}
            />
          ) : (
            <Empty title="Every address works: no callback is undelivered." />
          );
        }}
      </Read>
      {act && <ActDialog act={act} close={() => setAct(null)} acted={addresses.again} />}
    </>
  );
}

export function Circuits() {
  const { me, words, mode } = useWorld();
  const circuits = useRead<{ circuits: Circuit[] | null; closed: Shut[] }>("/circuits");
  const [act, setAct] = useState<Act | null>(null);
  const close = (of: Circuit): Act => ({
    title: "Send payments to this MID again now",
    button: () => `Send to ${of.mid} again`,
    path: "/circuits/close",
    body: () => ({ merchant: of.merchant, mode: modeOf(of), mapping: of.mapping, mid: of.mid }),
    done: (value) =>
      (value as { closed: boolean }).closed
        ? "Payments go to it within seconds. If it fails again, it is left out again."
        : "It was taking payments already.",
    children: known([
      ["Merchant", merchantName(me, of.merchant)],
      ["Mapping", of.mapping],
      ["MID", of.mid],
    ]),
  });
  const shut: Column<Shut>[] = [
    {
      name: "Merchant",
      kind: "wide",
      cell: ({ merchant }) => (
        <a href={linkTo("merchants", { section: "Mappings and MIDs" }, merchant)}>{merchantName(me, merchant)}</a>
      ),
    },
    { name: "Mapping", cell: ({ mapping }) => mapping },
    { name: "Closed", cell: shutName },
    {
      name: "Do",
      kind: "wide",
      cell: (one) =>
        may(me, "publish", "live") && (
          <button type="button" onClick={() => setAct(switched(me, one, false))}>
            Open…
          </button>
        ),
    },
  ];
  const columns: Column<Circuit>[] = [
    { name: "Merchant", kind: "wide", cell: (one) => <bdi>{merchantName(me, one.merchant)}</bdi> },
    { name: "Mapping", cell: ({ mapping }) => mapping },
    { name: "MID", cell: ({ mid, connector }) => `${mid} (${connector})` },
    {
      name: "State",
      cell: ({ state }) => (
        <Sign shape={state === "open" ? "bad" : "wait"}>{state === "open" ? "left out" : "being tried"}</Sign>
      ),
    },
    { name: "Since", cell: ({ since }) => <Time at={since} minute /> },
    { name: "Tried again", cell: ({ until }) => <Time at={until} minute /> },
    { name: "Reason", kind: "wide", cell: ({ reason }) => words.reason_codes[reason]?.text ?? reason },
    {
      name: "Do",
      kind: "wide",
      cell: (one) => (
        <>
          {may(me, "circuits", modeOf(one)) && (
            <button type="button" onClick={() => setAct(close(one))}>
              Use again…
            </button>
          )}
          {may(me, "publish", "live") && (
            <button type="button" onClick={() => setAct(switched(me, { ...one, kind: "mid", name: one.mid }, true))}>
              Close…
            </button>
          )}
        </>
      ),
    },
  ];
  return (
    <>
      <Head title="Provider outages" again={circuits}>
        MIDs that payments are not sent to, because their provider keeps failing. Payments take the next MID of their
        routing meanwhile. Below them is what operators have closed.
      </Head>
      <Read of={circuits}>
        {({ circuits: found, closed }) => {
          const all = (found ?? []).filter((one) => modeOf(one) === mode);
          return (
            <>
              {all.length ? (
                <Table
                  caption="MIDs that are left out"
                  columns={columns}
                  rows={all}
                  keyOf={(one) => [one.merchant, modeOf(one), one.mapping, one.mid].join()}
                />
              ) : (
                <Empty title={closed.length ? "No MID is left out." : "Every MID takes payments."} />
              )}
              {closed.length > 0 && (
                <>
                  <h2>Closed by operators, live and test</h2>
                  <Table
                    caption="What operators have closed"
                    columns={shut}
                    rows={closed}
                    keyOf={(one) => [one.merchant, one.mapping, one.kind, one.name].join()}
                  />
                </>
              )}
            </>
          );
        }}
      </Read>
      {act && <ActDialog act={act} close={() => setAct(null)} acted={circuits.again} />}
    </>
  );
}
