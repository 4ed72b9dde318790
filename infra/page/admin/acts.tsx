// The dialogs of a payment, each made of what the service says is possible.

import type { Act } from "./dialog";
import { Money } from "./parts";
import { add, isAmount, money, utc } from "./text";
import type { Describe, Done, Possible, Undelivered, View } from "./types";

// What verdicts mean, for whoever settles a request.
const meanings: Record<string, string> = {
  approved: "The provider has done it: the money has moved.",
  declined: "The provider has not done it: no money has moved.",
  "give-back": "The provider has done it, and the money is to go back to the payer.",
  accept: "What the provider has reported at last counts.",
  close: "Nothing follows from what the provider has reported: it was put right elsewhere.",
};

/** actOn is the dialog of an act on a payment. */
export function actOn(view: View, one: Possible, words: Describe): Act {
  const { row } = view;
  const { act, label, amount = "", partial, reference, verdicts } = one;
  const of = ({ amount: given = amount }: Record<string, string>) => (isAmount(given) ? given : "");
  return {
    title: label,
    danger: Boolean(words.acts[act]?.danger),
    path: `/payments/${encodeURIComponent(row.id)}/${act}`,
    button: (values) => {
      const moved = !verdicts || values.verdict === "approved" ? money(of(values), row.currency) : "";
      return [label, verdicts && values.verdict && `as ${values.verdict}`, moved].filter(Boolean).join(" ");
    },
    body: (values) => ({
      ...(reference && { reference }),
      ...(values.verdict && { verdict: values.verdict }),
      // Of a settlement the amount is optional: without one it is what the provider has said, or was asked for.
      ...(values.stop && { stop_schedule: true }),
      ...(partial && values.amount && !(verdicts && values.amount === amount) && { amount: values.amount }),
    }),
    wrong: (values) => {
      if (verdicts && !values.verdict) return "Choose what the outcome was.";
      if (!partial) return "";
      if (!of(values)) return "Write the amount with digits and a point, such as 12.50.";
      return amount && add(amount, "-" + of(values)).startsWith("-") ? `At most ${money(amount, row.currency)} is possible.` : "";
    },
    done: (value) => (value as Done).text + ((value as Done).decided === false ? " This view shows the outcome as soon as it is known." : ""),
    children: (
      <>
        <p>{words.acts[act]?.does}</p>
        <dl class="known">
          <div>
            <dt>Order</dt>
            <dd>
              <bdi>{row.order}</bdi>
            </dd>
          </div>
          {amount && (
            <div>
              <dt>{partial ? "At most" : "Amount"}</dt>
              <dd>
                <Money amount={amount} currency={row.currency} />
              </dd>
            </div>
          )}
          {reference && (
            <div>
              <dt>Reference</dt>
              <dd>
                <bdi>{reference}</bdi>
              </dd>
            </div>
          )}
        </dl>
      </>
    ),
    fields: (
      <>
        {verdicts && (
          <fieldset>
            <legend>What was the outcome at the provider?</legend>
            {verdicts.map((verdict) => (
              <label key={verdict} class="choice">
                <input type="radio" name="verdict" value={verdict} />
                <span>
                  {verdict} <span class="soft">{meanings[verdict]}</span>
                </span>
              </label>
            ))}
          </fieldset>
        )}
        {partial && (
          <label>
            Amount in {row.currency}
            <input name="amount" inputMode="decimal" defaultValue={amount} autoComplete="off" />
          </label>
        )}
        {act === "refund" && view.chain?.state === "running" && (
          <label class="choice">
            <input type="checkbox" name="stop" />
            <span>
              Also stop the schedule <span class="soft">It charges {money(view.chain.amount, row.currency)} next on {utc(view.chain.next_at ?? "")}.</span>
            </span>
          </label>
        )}
      </>
    ),
  };
}

/** sendAct is the dialog that has one callback sent again. */
export function sendAct(paymentID: string, { seq, event, url }: Pick<Undelivered, "seq" | "event" | "url">, words: Describe): Act {
  return {
    title: words.acts.send?.label ?? "Send the callback",
    button: () => "Send it again",
    path: `/payments/${encodeURIComponent(paymentID)}/callbacks/${seq}/send`,
    body: () => ({}),
    done: () => "It is being sent. The next try shows here in some seconds.",
    children: (
      <>
        <p>{words.acts.send?.does}</p>
        <p>
          {event}, to <bdi>{url || "an address that the merchant has to set first"}</bdi>
        </p>
      </>
    ),
  };
}
