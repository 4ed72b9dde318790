// The dialogs of a payment, each made of what the service says is possible.

import type { Act, Values } from "./dialog";
import { Money } from "./parts";
import { add, decimalText, isAmount, localText, money, utc } from "./text";
import type { Describe, Done, Needs, Possible, Sent, Undelivered, View } from "./types";

/** actOn is the dialog of an act on a payment. */
export function actOn(view: View, one: Possible, words: Describe): Act {
  const { row } = view;
  if (one.needs) return settleAct(view, one, one.needs, words);
  const { act, label, amount = "", partial, reference } = one;
  const of = ({ amount: given = amount }: Record<string, string>) => (isAmount(given) ? given : "");
  return {
    title: label,
    danger: Boolean(words.acts[act]?.danger),
    path: `/payments/${encodeURIComponent(row.id)}/${act}`,
    button: (values) => [label, money(of(values), row.currency)].filter(Boolean).join(" "),
    body: (values) => ({
      ...(reference && { reference }),
      ...(partial && values.amount && { amount: values.amount }),
      ...(values.stop && { stop_schedule: true }),
    }),
    wrong: (values) => {
      if (!partial) return "";
      if (!of(values)) return wrongAmount;
      return amount && add(amount, "-" + of(values)).startsWith("-")
        ? `At most ${money(amount, row.currency)} is possible.`
        : "";
    },
    done: doneOf(view),
    children: known(view, one, words),
    fields: () => (
      <>
        {partial && <AmountField currency={row.currency} amount={amount} />}
        {act === "refund" && view.chain?.state === "running" && (
          <label class="choice">
            <input type="checkbox" name="stop" />
            <span>
              Also stop the schedule{" "}
              <span class="soft">
                It charges {money(view.chain.amount, row.currency)} next on {utc(view.chain.next_at ?? "")}.
              </span>
            </span>
          </label>
        )}
      </>
    ),
  };
}

/** settleAct is the dialog of a request that a person decides. Each verdict asks for what it needs. */
function settleAct(view: View, one: Possible, needs: readonly Needs[], words: Describe): Act {
  const needsOf = (values: Values) => needs.find(({ verdict }) => verdict === values.verdict);
  return {
    title: one.label,
    danger: Boolean(words.acts[one.act]?.danger),
    path: `/payments/${encodeURIComponent(view.row.id)}/${one.act}`,
    button: (values) => {
      const { verdict, currency, amount } = needsOf(values) ?? {};
      const moved = currency && (values.amount ?? amount);
      return [one.label, verdict && `as ${verdict}`, moved && isAmount(moved) && money(moved, currency)]
        .filter(Boolean)
        .join(" ");
    },
    body: ({ verdict, amount, transfer }) => ({
      ...(one.reference && { reference: one.reference }),
      verdict,
      // The amount that stands there already need not be named.
      ...(amount && amount !== needs.find((one) => one.verdict === verdict)?.amount && { amount }),
      ...(transfer && { transfer }),
    }),
    wrong: (values) => {
      const need = needsOf(values);
      if (!need) return "Choose what you decide.";
      if (!need.currency) return "";
      if (!isAmount(values.amount ?? "")) return wrongAmount;
      if (need.most && add(need.most, "-" + values.amount).startsWith("-"))
        return `At most ${money(need.most, need.currency)} is possible.`;
      return need.transfer && !values.transfer ? "Write the reference of the payment that returned it." : "";
    },
    done: doneOf(view),
    children: known(view, one, words),
    fields: (values) => {
      const need = needsOf(values);
      return (
        <>
          <fieldset>
            <legend>What do you decide?</legend>
            {needs.map(({ verdict, means }) => (
              <label key={verdict} class="choice">
                <input type="radio" name="verdict" value={verdict} />
                <span>
                  {verdict} <span class="soft">{means}</span>
                </span>
              </label>
            ))}
          </fieldset>
          {need?.currency && (
            <AmountField key={need.verdict} currency={need.currency} amount={need.amount} most={need.most} />
          )}
          {need?.transfer && (
            <label>
              Reference of the payment that returned it
              <input name="transfer" maxLength={120} required autoComplete="off" />
            </label>
          )}
        </>
      );
    },
  };
}

const wrongAmount = "Write the amount with digits and a point, such as 12.50.";

const doneOf =
  ({ amounts, row: { currency } }: View) =>
  (value: unknown) => {
    const { text, decided, amount, left } = value as Done;
    const named = [...(amounts ?? []), { amount, currency }, { amount: left, currency }];
    return localText(text, named) + (decided === false ? " This view shows the outcome as soon as it is known." : "");
  };

function AmountField({
  currency,
  amount,
  most,
}: {
  currency: string;
  amount: string | undefined;
  most?: string | undefined;
}) {
  return (
    <label>
      Amount in {currency}
      {most && `, at most ${decimalText(most, currency)}`}
      <input name="amount" inputMode="decimal" defaultValue={amount} autoComplete="off" />
    </label>
  );
}

/** known is what the dialog of an act shows of the payment. */
function known({ row }: View, { act, amount, partial, reference, needs }: Possible, words: Describe) {
  return (
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
            <dt>{partial && !needs ? "At most" : "Amount"}</dt>
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
  );
}

const longestNote = 500; // characters, as the API takes it

/** noteAct is the dialog that writes a note about a payment. */
export function noteAct(paymentID: string, words: Describe): Act {
  const line = ({ text = "" }: Record<string, string>) => text.replace(/\s+/g, " ");
  return {
    title: words.acts.note?.label ?? "Add a note",
    button: () => "Add the note",
    path: `/payments/${encodeURIComponent(paymentID)}/note`,
    reasonless: true,
    body: (values) => ({ text: line(values) }),
    wrong: (values) => (line(values) ? "" : "Write the note first."),
    done: () => "The note stands in what happened.",
    children: <p>{words.acts.note?.does}</p>,
    fields: () => (
      <>
        <label>
          Note
          <textarea name="text" rows={4} maxLength={longestNote} required aria-describedby="note-hint" />
        </label>
        <p class="soft hint" id="note-hint">
          At most {longestNote} characters, no card number and no security code.
        </p>
      </>
    ),
  };
}

/** sendAct is the dialog that has one callback sent again. */
export function sendAct(
  paymentID: string,
  { seq, event, url }: Pick<Undelivered, "seq" | "event" | "url">,
  words: Describe,
): Act {
  return {
    title: words.acts.send?.label ?? "Send the callback",
    button: () => "Send it again",
    path: `/payments/${encodeURIComponent(paymentID)}/callbacks/${seq}/send`,
    body: () => ({}),
    done: (value) => {
      const { text, try: made, decided } = value as Sent;
      return (
        text +
        (made?.response ? ` Its response begins: ${made.response}` : "") +
        (decided ? "" : " This view shows the try as soon as it is made.")
      );
    },
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
