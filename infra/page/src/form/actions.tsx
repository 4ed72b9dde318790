// What the payer can do where there is no form, and what to quote about the payment.

import { Fragment } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { brandNames, brandOf } from "../fields/card";
import { messageOf } from "../look/message";
import type { Flow, State } from "../flow/flow";
import { mayGo, mayOpen } from "../flow/leave";
import { fieldTexts, fill, formatTime, methodText, type Texts } from "../texts";
import { formatAmount } from "../texts/amount";
import type { Screen, ScreenPayment } from "../service/screen";

interface ActionsProps {
  state: State;
  flow: Flow;
  texts: Texts;
}

/** Actions are the ways on, the most likely one filled. */
export function Actions({ state, flow, texts }: ActionsProps) {
  const { screen } = state;
  const [told, setTold] = useState(false);
  const note = useRef<HTMLParagraphElement>(null);
  useEffect(() => void (told && note.current?.focus()), [told]); // it takes the place of the button
  const shop = screen?.kind === "message";
  const text = messageOf(state);
  const way = screen?.go && !state.paid && (shop || screen.kind === "go") && mayGo(screen.go.url, location.href);
  const linked = screen?.fields || screen?.show?.some(({ type, value }) => ["link", "qr"].includes(type) && mayOpen(value));
  const confirm = () => {
    setTold(true);
    void flow.refresh();
  };
  return (
    <>
      {(shop || state.paid || ["checking_outcome", "checking_first"].includes(text)) && screen && (
        <Facts screen={screen} paid={text === "paid"} texts={texts} />
      )}
      {screen?.actions?.includes("paid") && state.busy !== "lost" && (
        <>
          {!told && (
            <button id="paid" type="button" class={linked ? "secondary" : "primary"} onClick={confirm}>
              {texts.have_paid}
            </button>
          )}
          {told && (
            <p ref={note} tabIndex={-1} class="note">
              {texts.have_paid_told}
            </p>
          )}
        </>
      )}
      {way && screen.go && (
        <a id="continue" class="primary" href={screen.go.url} target={screen.go.target} rel="noreferrer">
          {shop && screen.merchant ? fill(texts.back_to, { merchant: screen.merchant }) : texts.go_on}
        </a>
      )}
      {shop && screen.message?.text === "paid" && (
        <button id="print" type="button" class="quiet" onClick={() => window.print()}>
          {texts.print}
        </button>
      )}
    </>
  );
}

/** WaysOut are below everything else: another way to pay, and none. */
export function WaysOut({ state: { screen, busy }, flow, texts }: ActionsProps) {
  const ways: [id: string, action: string, text: string, run: () => Promise<void>][] = [
    ["another", "another", texts.another_way, () => flow.another()],
    ["close", "cancel", texts.close, () => flow.cancel()],
  ];
  return (
    <>
      {ways.map(
        ([id, action, text, run]) =>
          screen?.actions?.includes(action) && (
            <button key={id} id={id} type="button" class="quiet" disabled={busy !== "no"} onClick={() => void run()}>
              {text}
            </button>
          ),
      )}
    </>
  );
}

function Facts({ screen, paid, texts }: { screen: Screen; paid: boolean; texts: Texts }) {
  const { order, payee, payment } = screen;
  const rows: [label: string, value: string | undefined][] = [
    [fieldTexts(texts, "order_amount", "").label, paid && order ? formatAmount(order, texts.tag) : ""],
    [texts.groups.recipient ?? "", paid ? payee : ""],
    [texts.paid_with, payment && paidWith(payment, texts)],
    [texts.paid_at, payment && formatTime(payment.at, texts.tag)],
    [texts.reference, order?.number],
  ];
  const known = rows.filter(([, value]) => value);
  return known.length > 0 ? (
    <dl class="facts">
      {known.map(([label, value]) => (
        <Fragment key={label}>
          <dt>{label}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </Fragment>
      ))}
    </dl>
  ) : null;
}

function paidWith({ method, mask = "" }: ScreenPayment, texts: Texts): string {
  const brand = brandOf(mask.replace(/\D.*/, ""));
  const name = brand ? brandNames[brand] : methodText(texts, method);
  return mask ? `${name} \u2066•••• ${mask.slice(-4)}\u2069` : name;
}
