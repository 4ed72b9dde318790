// Recurring chains: those whose schedule charges again, and one with its terms, charges and acts.

import { useState } from "preact/hooks";
import { chainLink, paymentLink, pick } from "./address";
import { ActDialog, type Act } from "./dialog";
import { Field, FilterForm, Hidden, merchantField } from "./form";
import { Copy, Cut, Empty, Further, Head, Money, Read, Status, Time } from "./parts";
import { Table, type Column } from "./table";
import { isAmount, localText, money, timeText, type Named } from "./text";
import type { Chain as ChainView, ChainCharge, ChainDone, ChainItem, ChainList, ChainPossible } from "./types";
import { merchantName, useRead, useWorld } from "./world";

export function Chains() {
  const { me, place } = useWorld();
  const list = useRead<ChainList>("/chains", pick(place.query, ["merchant", "mode", "cursor"]));
  const columns: (Column<ChainItem> | false)[] = [
    {
      name: "Initial order",
      kind: "clip id",
      cell: (one) => (
        <a class="row" href={chainLink(one)} title={one.order}>
          <bdi>{one.order}</bdi>
        </a>
      ),
    },
    { name: "Next charge", kind: "wide", cell: (one) => one.next_at && <Time at={one.next_at} both /> },
    { name: "Amount", kind: "numeric", cell: (one) => <Money amount={one.amount} currency={one.currency} /> },
    { name: "Interval", kind: "wide", cell: (one) => one.interval },
    { name: "Charges made", kind: "numeric", cell: (one) => one.charges_made },
    me.merchants.length > 1 && {
      name: "Merchant",
      kind: "clip",
      cell: (one) => <Cut text={merchantName(me, one.merchant)} />,
    },
  ];
  return (
    <>
      <Head title="Recurring" again={list}>
        Chains whose schedule charges again, the next to be charged first. Find any other chain by one of its payments.
      </Head>
      {me.merchants.length > 1 && (
        <FilterForm view="chains" query={place.query} button="Filter">
          <Hidden query={place.query} names={["mode"]} />
          <Field field={merchantField(me)} />
        </FilterForm>
      )}
      <Read of={list}>
        {({ chains, cursor }) => (
          <>
            {chains.length ? (
              <Table
                caption="Recurring chains, by next charge"
                columns={columns.filter((one) => one !== false)}
                rows={chains}
                keyOf={({ id }) => id}
              />
            ) : (
              <Empty title="No schedule charges again here." />
            )}
            <Further view="chains" query={place.query} cursor={cursor} />
          </>
        )}
      </Read>
    </>
  );
}

const charges: Column<ChainCharge>[] = [
  { name: "Time", kind: "wide", cell: (one) => <Time at={one.at} both /> },
  { name: "Amount", kind: "numeric", cell: (one) => <Money amount={one.amount} currency={one.currency} /> },
  { name: "Status", cell: (one) => <Status state={one.status} /> },
  { name: "Reason", kind: "wide", cell: (one) => one.reason_code },
];

export function Chain({ id }: { id: string }) {
  const chain = useRead<ChainView>("/chains/" + encodeURIComponent(id));
  const [act, setAct] = useState<Act | null>(null);
  const { me } = useWorld();
  const order = (mode: string): Column<ChainCharge> => ({
    name: "Order",
    kind: "wide",
    cell: (one) => (
      <a class="row" href={paymentLink(one.payment_id, mode)} title={one.order}>
        <bdi>{one.order}</bdi>
      </a>
    ),
  });
  return (
    <>
      <Head title={chain.value ? `Recurring chain of ${chain.value.order}` : "Recurring chain"} again={chain} />
      <Read of={chain}>
        {(known) => (
          <>
            <p class="top">
              <strong>{known.state.replace("_", " ")}</strong>
              <span>
                <bdi>{merchantName(me, known.merchant)}</bdi>
              </span>
              <Copy text={known.id} name="id of the initial payment" />
            </p>
            <div class="payment">
              <section class="meaning" aria-labelledby="meaning">
                <h2 id="meaning">What this means</h2>
                <p class="means">{localText(known.means, amountsOf(known))}</p>
                {known.next.length > 0 && (
                  <ul>
                    {known.next.map((date) => (
                      <li key={date}>
                        <Time at={date} both />
                      </li>
                    ))}
                  </ul>
                )}
              </section>
              <div class="side">
                <Possible chain={known} open={setAct} />
                <section class="facts" aria-labelledby="facts">
                  <h2 id="facts">Terms</h2>
                  <dl>
                    {known.terms.map(({ name, text }) => (
                      <div key={name}>
                        <dt>{name}</dt>
                        <dd>
                          <bdi>{localText(text, amountsOf(known))}</bdi>
                        </dd>
                      </div>
                    ))}
                  </dl>
                </section>
              </div>
              <section class="timeline" aria-labelledby="timeline">
                <h2 id="timeline">Who did what</h2>
                <ol>
                  {known.events.map(({ at, text, reason }, i) => (
                    <li key={i}>
                      <Time at={at} both />
                      <span class="kind">{i ? "schedule" : "start"}</span>
                      <span class="what">
                        <bdi>{localText(text, amountsOf(known))}</bdi> {reason && <small class="soft">{reason}</small>}
                      </span>
                    </li>
                  ))}
                </ol>
              </section>
              <section class="callbacks" aria-labelledby="charges">
                <h2 id="charges">Charges</h2>
                <Table
                  caption="Charges, the latest first"
                  columns={[order(known.mode), ...charges]}
                  rows={known.charges}
                  keyOf={(one) => one.payment_id}
                />
                {known.more && <p>There are older charges: find them by the order.</p>}
              </section>
            </div>
          </>
        )}
      </Read>
      {act && <ActDialog act={act} close={() => setAct(null)} acted={() => chain.again()} />}
    </>
  );
}

function Possible({ chain, open }: { chain: ChainView; open(act: Act): void }) {
  return (
    <section class="acts" aria-labelledby="acts">
      <h2 id="acts">What can be done</h2>
      {chain.possible.map((one) =>
        one.allowed ? (
          <div key={one.act} class="can">
            <button type="button" class="danger quiet" onClick={() => open(dialog(chain, one))}>
              {one.label}…
            </button>
            <p class="soft">{one.does}</p>
          </div>
        ) : (
          <dl key={one.act} class="cannot">
            <div>
              <dt>{one.label}</dt>
              <dd>{one.why}</dd>
            </div>
          </dl>
        ),
      )}
    </section>
  );
}

// amountsOf are the amounts that the texts of a chain name.
const amountsOf = (chain: ChainView): Named[] => [chain, ...chain.charges];

// dialog asks for an act on a schedule.
function dialog(chain: ChainView, { act, label, does }: ChainPossible): Act {
  const { id, amount = "", currency } = chain;
  const name = { move: "day", lower: "amount" }[act as string];
  return {
    title: label,
    danger: true,
    path: `/chains/${encodeURIComponent(id)}/${act}`,
    button: (values) =>
      [label, name && (values.day || (isAmount(values.amount ?? "") && "to " + money(values.amount, currency)))]
        .filter(Boolean)
        .join(" "),
    body: (values) => (name ? { [name]: values[name] } : {}),
    wrong: (values) => {
      if (act === "lower" && !isAmount(values.amount ?? ""))
        return "Write the amount with digits and a point, such as 12.50.";
      return act === "move" && !values.day ? "Choose a day in the future." : "";
    },
    done: (value) => {
      const { text, amount } = value as ChainDone;
      return localText(text, [...amountsOf(chain), { amount, currency }]);
    },
    children: (
      <>
        <p>{does}</p>
        {name && (
          <p>
            Each charge takes <Money amount={amount} currency={currency} /> now.
          </p>
        )}
      </>
    ),
    fields: () => name && (
      <label>
        {act === "move" ? "Day" : `Amount in ${currency}`}
        {act === "move" ? (
          <input name="day" type="date" min={timeText(new Date(Date.now() + 86_400_000).toISOString()).slice(0, 10)} />
        ) : (
          <input name="amount" inputMode="decimal" autoComplete="off" />
        )}
      </label>
    ),
  };
}
