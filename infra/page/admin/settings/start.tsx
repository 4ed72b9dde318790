// The way of a merchant to its first payment: what takes it, where the shop is told, a trial as a payer, and what live
// payments get.

import { useEffect, useRef, useState } from "preact/hooks";
import { linkTo, paymentLink } from "../address";
import { act, type Failure as Failed } from "../api";
import { sendAct } from "../acts";
import { Attempt } from "../attempt";
import { Deliveries } from "../deliveries";
import { ActDialog, type Act } from "../dialog";
import { Copy, Failure, Read, Sign, Status } from "../parts";
import { count, localText, money } from "../text";
import type { Mode, View } from "../types";
import { may, useRead, useWorld } from "../world";
import { Integrate } from "./integrate";
import type { Published } from "./draft";
import type { Offer } from "./offer";
import { liveMIDs } from "./publish";
import { textOf, type Description } from "./rows";

interface Props {
  id: string;
  published: Published;
  description: Description;
}

export function Start({ id, published, description }: Props) {
  const { place } = useWorld();
  const { amount = "10.00", currency = "EUR", country = "", payment_id } = place.query;
  const asked = { amount, currency, country };
  const { settings } = published;
  const to = textOf(settings.test_notification_url);
  const takes = liveMIDs(settings);
  const change = (name: string, value: string) =>
    location.replace(linkTo("merchants", { section: "Start", ...asked, [name]: value.trim().toUpperCase() }, id));
  return (
    <ol class="steps">
      <li>
        <h3>A MID that takes payments</h3>
        <p>
          <Sign shape={takes ? "ok" : "off"}>{takes ? `${count(takes, "MID")} open` : "There is none yet."}</Sign>{" "}
          <a href={linkTo("merchants", { section: "Mappings and MIDs" }, id)}>Mappings and MIDs</a>
        </p>
      </li>
      <li>
        <h3>An address that is told</h3>
        <p>
          <Sign shape={to ? "ok" : "off"}>
            {to ? <bdi>{to}</bdi> : "There is none yet: without it, each session has to name one."}
          </Sign>{" "}
          <a href={linkTo("merchants", { section: "Keys and addresses" }, id)}>Keys and addresses</a>
        </p>
      </li>
      <li>
        <h3>A trial</h3>
        <p class="soft">With the test key: you pay as a payer would, and no money moves.</p>
        <div class="asked">
          <label>
            Amount
            <input
              value={amount}
              inputMode="decimal"
              autoComplete="off"
              onChange={(event) => change("amount", (event.currentTarget as HTMLInputElement).value)}
            />
          </label>
          <label>
            Currency
            <input
              value={currency}
              list="trial-currencies"
              autoComplete="off"
              onChange={(event) => change("currency", (event.currentTarget as HTMLInputElement).value)}
            />
          </label>
          <label>
            Country of the payer
            <input
              value={country}
              list="trial-countries"
              autoComplete="off"
              placeholder="any"
              onChange={(event) => change("country", (event.currentTarget as HTMLInputElement).value)}
            />
          </label>
          <Choices id="trial-currencies" all={description.lists.currencies} />
          <Choices id="trial-countries" all={description.lists.countries} />
        </div>
        <Offered id={id} mode="test" asked={asked} />
        <Try id={id} asked={asked} />
        {payment_id && <Trial id={payment_id} />}
      </li>
      <li>
        <h3>The shop</h3>
        <Integrate id={id} keys={settings} />
      </li>
      <li>
        <h3>Live payments</h3>
        <p class="soft">The shop takes real payments as soon as it uses the live key.</p>
        <Offered id={id} mode="live" asked={asked} />
      </li>
    </ol>
  );
}

const Choices = ({ id, all = [] }: { id: string; all: readonly string[] | undefined }) => (
  <datalist id={id}>
    {all.map((one) => (
      <option key={one} value={one} />
    ))}
  </datalist>
);

interface Asked {
  amount: string;
  currency: string;
  country: string;
}

// Offered says which methods a payer gets, or why none.
function Offered({ id, mode, asked }: { id: string; mode: Mode; asked: Asked }) {
  const { me } = useWorld();
  if (!may(me, "settings", mode)) return null;
  return <Explained path="/offer" query={{ merchant: id, mode, ...asked }} asked={asked} />;
}

function Explained({ path, query, asked }: { path: string; query: Record<string, string>; asked: Asked }) {
  const offer = useRead<Offer>(path, query);
  const sum = money(asked.amount, asked.currency);
  return (
    <Read of={offer}>
      {({ methods, mids, warnings }) => (
        <>
          <p>{methods.length ? `A payer of ${sum} is offered:` : `A payer of ${sum} is offered nothing.`}</p>
          <ul>
            {methods.map(({ id, label, mids }) => (
              <li key={id}>
                {label} <span class="soft">by {mids.map(({ mid }) => mid).join(", ")}</span>
              </li>
            ))}
          </ul>
          {mids.some(({ takes }) => !takes) && (
            <details>
              <summary>MIDs that do not take it</summary>
              <ul>
                {mids
                  .filter(({ takes }) => !takes)
                  .map(({ mapping, mid, reasons }) => (
                    <li key={mapping + "/" + mid}>
                      {mapping}, {mid}: {reasons.map(({ text }) => text).join(" ")}
                    </li>
                  ))}
              </ul>
            </details>
          )}
          {warnings.map((text) => (
            <p key={text} class="wrong">
              {text}
            </p>
          ))}
        </>
      )}
    </Read>
  );
}

// Try leads to the page where somebody pays, which leads back to this view.
function Try({ id, asked }: { id: string; asked: Asked }) {
  const attempt = useRef<Attempt>(undefined);
  attempt.current ??= new Attempt(act, () => crypto.randomUUID());
  const [failure, setFailure] = useState<Failed | null>(null);
  const [busy, setBusy] = useState(false);
  const begin = async () => {
    if (busy) return;
    setBusy(true);
    const return_url = location.origin + location.pathname + linkTo("merchants", { section: "Start", ...asked }, id);
    const { amount, currency, country } = asked;
    const answer = await attempt.current!.send<{ redirect_url: string }>("/try", {
      merchant: id,
      amount,
      currency,
      ...(country && { country }),
      return_url,
      reason: "trial of the settings",
    });
    setBusy(false);
    setFailure(answer.failure ?? null);
    if (!answer.failure) location.assign(answer.value.redirect_url);
  };
  return (
    <>
      <p class="buttons">
        <button type="button" class="primary" aria-disabled={busy} onClick={begin}>
          Pay {money(asked.amount, asked.currency)} as a test
        </button>
      </p>
      {failure && <Failure failure={failure} />}
    </>
  );
}

const every = 2000; // ms
const longest = 60; // times that it is read again

// Trial is what became of a trial, until the shop has been told.
function Trial({ id }: { id: string }) {
  const { words } = useWorld();
  const view = useRead<View>("/payments/" + encodeURIComponent(id));
  const [asked, setAsked] = useState<Act | null>(null);
  const times = useRef(0);
  const callbacks = view.value?.callbacks ?? [];
  const over = callbacks.length > 0 && callbacks.every(({ state }) => state === "delivered" || state === "parked");
  useEffect(() => {
    if (over || view.busy || ++times.current > longest) return;
    const timer = setTimeout(view.again, every);
    return () => clearTimeout(timer);
  }, [over, view.busy]);
  return (
    <section class="trial" aria-label="What became of the trial">
      <Read of={view}>
        {({ row, summary, amounts, callbacks }) => (
          <>
            <p class="top" role="status">
              <Status state={row.state} />
              <a href={paymentLink(row.id, row.mode)}>{row.order}</a>
              <Copy text={row.id} name="payment id" />
            </p>
            <p>{localText(summary.means, amounts)}</p>
            <Deliveries of={callbacks ?? []} send={(one) => setAsked(sendAct(row.id, one, words))} />
          </>
        )}
      </Read>
      {asked && <ActDialog act={asked} close={() => setAsked(null)} acted={view.again} />}
    </section>
  );
}
