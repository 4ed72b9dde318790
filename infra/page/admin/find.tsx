// Find: one field, whatever is in the hand.

import { useEffect } from "preact/hooks";
import { linkTo, paymentLink, pick } from "./address";
import { Field, FilterForm, Hidden, merchantField } from "./form";
import { PaymentsTable } from "./payments";
import { Empty, Further, Head, Read, Time } from "./parts";
import { count } from "./text";
import type { FilterField, Found } from "./types";
import { useRead, useWorld } from "./world";

const handles: [name: string, where: string, example: string][] = [
  ["Order number", "In the shop’s confirmation or e-mail, and in the merchant’s own system.", "A-2026-10442"],
  ["E-mail address", "The one that the payer gave the shop.", "ada@pens.example"],
  ["Name, phone number, IP address", "As the payer gave them, or the shop.", "Ada Lovelace"],
  [
    "Last four digits and the day",
    "On the payer’s card; the day as in the shop’s confirmation. A mask of the card does, too.",
    "4242 23 Nov",
  ],
  ["Amount and the day", "On the payer’s statement or the shop’s receipt.", "€12.50 yesterday"],
  ["Approval code and the day", "Six characters on a receipt or a bank’s statement.", "T12345 2026-11-23"],
  ["RRN", "Twelve digits that a bank names when somebody asks about a payment.", "632814002751"],
  ["Payment id", "In the merchant’s callbacks and in the answers of the API, as payment_public_id.", ""],
  ["Session id", "In the address of the checkout page, behind session=. The whole address does, too.", ""],
  [
    "Provider’s id, references",
    "In the provider’s own portal and reports; references of refunds and captures, too.",
    "",
  ],
  ["Card token", "In the merchant’s callbacks, where cards are saved.", ""],
  ["webhook-id", "A header of each callback, in the log of the merchant’s server.", ""],
  ["Request id", "The header X-Request-Id of an answer, also in an error’s message.", ""],
];

const day: FilterField = { name: "day", label: "Day", kind: "day" };

const modes: FilterField = { name: "mode", label: "Payments", kind: "choice", choices: ["live", "test"] };

export function Find() {
  const { query } = useWorld().place;
  return query.q ? <Results q={query.q} /> : <Start />;
}

function Start() {
  return (
    <>
      <Head title="Find a payment">
        Type what you have into the field above: press <kbd>/</kbd> from anywhere. One field takes all of these.
      </Head>
      <dl class="handles">
        {handles.map(([name, where, example]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {where} {example && <code>{example}</code>}
            </dd>
          </div>
        ))}
      </dl>
      <p class="soft">
        Nothing in the hand? <a href={linkTo("payments")}>List payments</a> of a day and filter them.
      </p>
    </>
  );
}

function Results({ q }: { q: string }) {
  const { me, place } = useWorld();
  const { mode = "", day: on } = place.query;
  const found = useRead<Found>("/find", pick(place.query, ["q", "merchant", "mode", "day", "cursor"]));
  // The one that was found is shown at once. Going back leads to where the person was before.
  const all = found.value?.rows ?? [];
  useEffect(() => {
    if (all.length === 1 && all[0] && !found.value?.cursor && !place.query.cursor)
      location.replace(paymentLink(all[0].id, all[0].mode));
  }, [found.value]);
  return (
    <>
      <Head title={`Find “${q}”`} again={found} />
      <Read of={found}>
        {({ rows, by, cursor, note, searched, searched_to }) => (
          <>
            <p class="lead">
              {by && `Looked for it as ${by}${mode && `, in ${mode} payments alone`}${on ? `, on ${on}` : ""}. `}
              {note}
            </p>
            {rows?.length ? (
              <PaymentsTable rows={rows} />
            ) : (
              <Empty title={cursor ? "Nothing so far." : "Nothing was found."}>
                <ul>
                  <li>Check for missing or mistaken characters: a handle has to be whole.</li>
                  <li>
                    Last four digits, amounts and approval codes are searched payment by payment, from now on back: a
                    day below ends that sooner.
                  </li>
                  <li>
                    A payer who never came to the checkout page left nothing here. Ask for another handle, or{" "}
                    <a href={linkTo("payments")}>list the payments of the day</a>.
                  </li>
                </ul>
              </Empty>
            )}
            {searched_to && (
              <p class="soft" role="status">
                {searched ? `${count(searched, "payment")} searched, ` : "Searched "}
                {cursor ? "back to " : "all since "}
                <Time at={searched_to} both />
              </p>
            )}
            <Further view="find" query={place.query} cursor={cursor} label="Search further back" />
            <FilterForm view="find" query={place.query} button="Find there">
              <Hidden query={place.query} names={["q"]} />
              <Field field={day} />
              {me.merchants.length > 1 && <Field field={merchantField(me)} />}
              <Field field={modes} />
            </FilterForm>
          </>
        )}
      </Read>
    </>
  );
}
