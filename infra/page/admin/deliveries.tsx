// The callbacks of a payment, each with all its tries.

import { Callbacks, Copy, Sign, Time } from "./parts";
import { Table, type Column } from "./table";
import { amountText, count } from "./text";
import type { Delivery, Try } from "./types";
import { may, useWorld } from "./world";

export function Deliveries({ of, send }: { of: readonly Delivery[]; send(one: Delivery): void }) {
  if (of.length === 0) return <p>None yet: the merchant is told when something is decided.</p>;
  return (
    <ol class="deliveries">
      {of.map((one) => (
        <li key={one.seq}>
          <One delivery={one} send={send} />
        </li>
      ))}
    </ol>
  );
}

function One({ delivery, send }: { delivery: Delivery; send(one: Delivery): void }) {
  const { me, mode } = useWorld();
  const { seq, id, event, says, state, url, created_at, next_at, may_send, why_not } = delivery;
  const tries = delivery.tries ?? [];
  return (
    <>
      <p class="top">
        <strong>
          {seq}. <bdi title={event}>{says}</bdi>
        </strong>
        <Callbacks state={state} />
        <Time at={created_at} />
        {next_at && (
          <span>
            next try <Time at={next_at} />
          </span>
        )}
      </p>
      <p class="soft to">
        to <bdi>{url || "no address: the merchant has set none"}</bdi>
      </p>
      <p class="soft">
        webhook-id <Copy text={id} name="webhook-id" />
      </p>
      <details open={state !== "delivered" && tries.length > 0}>
        <summary>{count(tries.length, "try", "tries")}</summary>
        {tries.length > 0 && (
          <Table caption={`Tries of callback ${seq}`} columns={columns} rows={tries} keyOf={(_, at) => String(at)} />
        )}
      </details>
      {may(me, "callbacks", mode) && (
        <p>
          {may_send ? (
            <button type="button" onClick={() => send(delivery)}>
              Send again…
            </button>
          ) : (
            <span class="soft">{why_not}</span>
          )}
        </p>
      )}
    </>
  );
}

const columns: Column<Try>[] = [
  { name: "Time", cell: ({ at }) => <Time at={at} /> },
  {
    name: "Response",
    cell: ({ status, error }) => {
      const good = status !== undefined && status >= 200 && status < 300 && !error;
      return <Sign shape={good ? "ok" : "bad"}>{status || "none"}</Sign>;
    },
  },
  { name: "Took", kind: "numeric", cell: ({ ms }) => ms !== undefined && `${amountText(String(ms))} ms` },
  {
    name: "What came back",
    kind: "wide",
    cell: ({ error, response }) => (
      <>
        {error && <bdi>{error}</bdi>}
        {response && (
          <details>
            <summary>Its beginning</summary>
            <code>
              <bdi>{response}</bdi>
            </code>
          </details>
        )}
      </>
    ),
  },
];
