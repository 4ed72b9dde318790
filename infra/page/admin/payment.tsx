// One payment: what its status means first, then what can be done, what is known, what happened, and the callbacks.

import { useEffect, useRef, useState } from "preact/hooks";
import { chainLink, linkTo, paymentLink } from "./address";
import { ActDialog, type Act } from "./dialog";
import { actOn, noteAct, sendAct } from "./acts";
import { blockAct } from "./blocks";
import { Deliveries } from "./deliveries";
import { Callbacks, Copy, Head, Money, Read, Status, statusOf, Time } from "./parts";
import { ago, localText, timeText } from "./text";
import type { Amount, Delivery, Done, Fact, Possible, View } from "./types";
import { may, merchantName, useRead, useWorld } from "./world";

const turns: Record<string, string> = {
  nobody: "Nobody’s: nothing more is due.",
  payer: "The payer’s.",
  merchant: "The merchant’s.",
  provider: "The provider’s.",
  service: "The service’s: it goes on by itself.",
  operator: "A person’s here: somebody has to decide.",
};

const seconds = [2, 5, 10, 20, 40, 70]; // after an act without an outcome

export function Payment({ id }: { id: string }) {
  const view = useRead<View>("/payments/" + encodeURIComponent(id));
  const [act, setAct] = useState<Act | null>(null);
  const { me, place, mode, words } = useWorld();
  const own = view.value?.row.mode ?? mode;
  useEffect(() => {
    if (own !== mode) location.replace(paymentLink(id, own));
  }, [own, mode]);
  // A link may name an act: its dialog opens, if it is possible now.
  const { do: wanted, reference } = place.query;
  useEffect(() => {
    const one = view.value?.possible?.find(
      ({ act, allowed, ...of }) => allowed && act === wanted && (!of.reference || of.reference === reference),
    );
    if (view.value && one) setAct(actOn(view.value, one, words));
  }, [wanted, reference, view.value === null]);
  // What is not decided yet is looked for until it may be.
  const later = useRef<ReturnType<typeof setTimeout>[]>([]);
  const acted = (value: unknown) => {
    view.again();
    later.current.forEach(clearTimeout);
    if ((value as Done | undefined)?.decided === false)
      later.current = seconds.map((s) => setTimeout(view.again, s * 1000));
  };
  useEffect(() => () => later.current.forEach(clearTimeout), []);
  const close = () => {
    setAct(null);
    if (wanted) location.replace(paymentLink(id, own));
  };
  return (
    <>
      <Head title={view.value?.row.order ? `Order ${view.value.row.order}` : "Payment"} again={view} />
      <Read of={view}>
        {(known) => (
          <>
            <Top view={known} />
            <div class="payment">
              <Meaning view={known} />
              <div class="side">
                <Acts view={known} open={setAct} />
                <Facts view={known} />
              </div>
              <Timeline view={known} note={may(me, "notes", own) ? () => setAct(noteAct(known.row.id, words)) : null} />
              <section class="callbacks" aria-labelledby="callbacks">
                <h2 id="callbacks">Callbacks</h2>
                <Deliveries
                  of={known.callbacks ?? []}
                  send={(one: Delivery) => setAct(sendAct(known.row.id, one, words))}
                />
              </section>
            </div>
          </>
        )}
      </Read>
      {act && <ActDialog act={act} close={close} acted={acted} />}
      <p class="hidden" role="status">
        {view.value &&
          `Status: ${statusOf(words, view.value.row.state, view.value.row.operation)?.label ?? view.value.row.state}`}
      </p>
    </>
  );
}

function Top({ view: { row, chain } }: { view: View }) {
  const { me } = useWorld();
  return (
    <p class="top">
      <Status state={row.state} operation={row.operation} />
      <strong>
        <Money amount={row.amount} currency={row.currency} />
      </strong>
      {row.refunded && (
        <span>
          refunded <Money amount={row.refunded} currency={row.currency} />
        </span>
      )}
      <span>
        <bdi>{merchantName(me, row.merchant)}</bdi>
      </span>
      <Copy text={row.id} name="payment id" />
      {row.callbacks && row.callbacks !== "delivered" && (
        <span>
          Callbacks: <Callbacks state={row.callbacks} />
        </span>
      )}
      {chain && <a href={chainLink(chain)}>Recurring chain</a>}
    </p>
  );
}

function Meaning({ view: { summary, row, amounts } }: { view: View }) {
  const { words } = useWorld();
  const reason = words.reason_codes[row.reason_code ?? ""];
  return (
    <section class="meaning" aria-labelledby="meaning">
      <h2 id="meaning">What this means</h2>
      <p class="means">{localText(summary.means, amounts)}</p>
      <dl>
        {row.reason_code && (
          <div>
            <dt>Reason</dt>
            <dd>
              {reason?.text ?? row.reason_code} <code>{row.reason_code}</code>
            </dd>
          </div>
        )}
        <div>
          <dt>Whose turn it is</dt>
          <dd>{turns[summary.turn] ?? summary.turn}</dd>
        </div>
        {summary.next && (
          <div>
            <dt>What happens next</dt>
            <dd>
              {localText(summary.next, amounts)}
              {summary.at && (
                <>
                  {" "}
                  <Time at={summary.at} both /> ({ago(summary.at, Date.now())})
                </>
              )}
            </dd>
          </div>
        )}
        {summary.retry && (
          <div>
            <dt>Would another try help</dt>
            <dd>{summary.retry}</dd>
          </div>
        )}
        <div class="tell">
          <dt>Tell the payer</dt>
          <dd>
            <Copy text={localText(summary.tell, amounts)} name="what to tell the payer" />
          </dd>
        </div>
      </dl>
    </section>
  );
}

function Acts({ view, open }: { view: View; open(act: Act): void }) {
  const { me, words } = useWorld();
  const { row } = view;
  const all = view.possible ?? [];
  const can = all.filter(({ allowed }) => allowed);
  const not = all.filter(({ allowed }) => !allowed);
  const key = ({ act, reference }: Possible) => act + (reference ?? "");
  return (
    <section class="acts" aria-labelledby="acts">
      <h2 id="acts">What can be done</h2>
      {can.length === 0 && <p>Nothing right now.</p>}
      {can.map((one) => (
        <div key={key(one)} class="can">
          <button
            type="button"
            class={words.acts[one.act]?.danger ? "danger quiet" : ""}
            onClick={() => open(actOn(view, one, words))}
          >
            {one.label}…
          </button>
          <p class="soft">{words.acts[one.act]?.does}</p>
        </div>
      ))}
      {may(me, "blocks", row.mode) && (
        <div class="can">
          <button
            type="button"
            class="danger quiet"
            onClick={() =>
              open(blockAct(me, { mode: row.mode, merchant: row.merchant, payment: row.id, card: Boolean(row.card) }))
            }
          >
            Block…
          </button>
          <p class="soft">Declines what this card, e-mail address or IP address pays later.</p>
        </div>
      )}
      {not.length > 0 && (
        <dl class="cannot">
          {not.map((one) => (
            <div key={key(one)}>
              <dt>{one.label}</dt>
              <dd>{localText(one.why || "Not possible now.", view.amounts)}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

// An id has no space and some digit.
const isID = (text: string) => /^(?=.*\d)\S{6,}$/.test(text);

// FactText is the text of a fact, of which an id at its beginning copies.
function FactText({ fact: { name, text }, amounts }: { fact: Fact; amounts: readonly Amount[] }) {
  const [first = "", ...rest] = text.split(", ");
  if (!isID(first)) return <bdi>{localText(text, amounts)}</bdi>;
  return (
    <>
      <Copy text={first} name={name} />
      {rest.length > 0 && " " + rest.join(", ")}
    </>
  );
}

function Facts({ view: { row, facts, amounts } }: { view: View }) {
  const of: [string, string | undefined][] = [
    ["payment id", row.id],
    ["e-mail", row.email],
    ["method", row.method],
    ["card", row.card],
    ["country", row.country],
    ["approval code", row.approval_code],
  ];
  const named = (facts ?? []).map(({ name, text }) => [name, text] as const);
  const own = of.filter(([name, text]) => text && !named.some(([other]) => other === name));
  return (
    <section class="facts" aria-labelledby="facts">
      <h2 id="facts">Facts</h2>
      <dl>
        {[...own, ...named].map(([name, text = ""], at) => (
          <div key={at}>
            <dt>{name}</dt>
            <dd>
              <FactText fact={{ name, text }} amounts={amounts} />
            </dd>
          </div>
        ))}
        <div>
          <dt>created</dt>
          <dd>
            <Time at={row.created_at} both />
          </dd>
        </div>
      </dl>
      <p>
        <a
          href={linkTo("payments", {
            merchant: row.merchant,
            mode: row.mode,
            from: row.created_at.slice(0, 10),
            until: row.created_at.slice(0, 10),
          })}
        >
          Other payments of this day
        </a>
      </p>
    </section>
  );
}

const written = "note"; // the kind of an event that people wrote

function Timeline({ view: { timeline, amounts }, note }: { view: View; note: (() => void) | null }) {
  const events = (timeline ?? []).map((event) => ({ ...event, day: timeText(event.at).slice(0, 10) }));
  return (
    <section class="timeline" aria-labelledby="timeline">
      <h2 id="timeline">What happened</h2>
      {events.length === 0 && <p>Nothing has happened yet.</p>}
      <ol>
        {events.flatMap(({ at, kind, text, details = [], said, day }, i) => [
          day !== events[i - 1]?.day && (
            <li key={day} class="day">
              {day}
            </li>
          ),
          <li key={i} class={kind}>
            <Time at={at} both clock />
            <span class="kind">{kind}</span>
            <span class="what">
              <bdi>{kind === written ? text : localText(text, amounts)}</bdi>
              {details.map((fact) => (
                <small key={fact.name} class="soft">
                  {fact.name} <FactText fact={fact} amounts={amounts} />
                </small>
              ))}
              {said && (
                <details class="soft">
                  <summary>Details</summary>
                  <bdi>{said}</bdi>
                </details>
              )}
            </span>
          </li>,
        ])}
      </ol>
      {note && (
        <p>
          <button type="button" onClick={note}>
            Add a note…
          </button>
        </p>
      )}
    </section>
  );
}
