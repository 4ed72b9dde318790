// The dialogs of a payment, each made of what the service says is possible.

import type { Act } from "./dialog";
import { Money } from "./parts";
import { isAmount, money } from "./text";
import type { Delivery, Describe, Done, Possible, View } from "./types";

/** actOn is the dialog of an act on a payment. */
export function actOn(view: View, one: Possible, words: Describe): Act {
  const { row } = view;
  const { act, label, amount = "", partial, reference, verdicts } = one;
  const of = (values: Record<string, string>) => values.amount || amount;
  return {
    title: label,
    danger: Boolean(words.acts[act]?.danger),
    path: `/payments/${encodeURIComponent(row.id)}/${act}`,
    button: (values) => [label, verdicts && values.verdict && `as ${values.verdict}`, money(of(values), row.currency)].filter(Boolean).join(" "),
    body: (values) => ({
      ...(reference && { reference }),
      ...(values.verdict && { verdict: values.verdict }),
      ...(partial && values.amount && { amount: values.amount }),
    }),
    wrong: (values) => {
      if (verdicts && !values.verdict) return "Choose what the outcome was.";
      return partial && !isAmount(values.amount ?? "") ? "Write the amount with digits and a point, such as 12.50." : "";
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
                <input type="radio" name="verdict" value={verdict} /> {verdict}
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
      </>
    ),
  };
}

/** sendAct is the dialog that has one callback sent again. */
export function sendAct(paymentID: string, { seq, event, url }: Pick<Delivery, "seq" | "event" | "url">): Act {
  return {
    title: "Send this callback again",
    button: () => "Send it again",
    path: `/payments/${encodeURIComponent(paymentID)}/callbacks/${seq}/send`,
    body: () => ({}),
    done: () => "It is being sent. The next try shows here in some seconds.",
    children: (
      <p>
        {event}, to <bdi>{url || "an address that the merchant has to set first"}</bdi>
      </p>
    ),
  };
}
