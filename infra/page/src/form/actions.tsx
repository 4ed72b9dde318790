// What the payer can do where there is no form, and what to quote about the payment.

import { Fragment } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { brandNames, brandOf } from "../fields/card";
import { messageOf } from "../look/message";
import type { Flow } from "../flow/flow";
import type { State } from "../flow/state";
import { mayGo } from "../flow/leave";
import { forWindow } from "../flow/window";
import { leadOf } from "../methods/lead";
import { fieldText, fill, formatTime, methodText, type Texts } from "../texts";
import { formatAmount } from "../texts/amount";
import type { Screen, ScreenPayment, ScreenShown } from "../service/screen";

interface ActionsProps {
  state: State;
  flow: Flow;
  texts: Texts;
}

/** Actions are the ways on, the most likely one filled. */
export function Actions({ state, flow, texts }: ActionsProps) {
  const { screen, told } = state;
  const note = useRef<HTMLParagraphElement>(null);
  useEffect(() => void (told && note.current?.focus()), [told]); // it takes the place of the button
  const shop = screen?.kind === "message";
  const text = messageOf(state);
  const way = screen?.go && !state.paid && (shop || screen.kind === "go") && mayGo(screen.go.url, location.href);
  const { merchant } = screen ?? {};
  const back =
    shop && merchant && screen.go?.url !== flow.world.page ? fill(texts.back_to, { merchant }) : undefined;
  return (
    <>
      {(shop || state.paid || ["checking_outcome", "checking_first"].includes(text)) && screen && (
        <Facts screen={screen} paid={text === "paid"} texts={texts} />
      )}
      {screen?.actions?.includes("paid") && state.busy !== "lost" && (
        <>
          {!told && (
            <button
              id="paid"
              type="button"
              class={leadOf(screen) ? "secondary" : "primary"}
              onClick={() => void flow.havePaid()}
            >
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
      {way && state.staying && flow.world.framed && <OpenWindow state={state} flow={flow} texts={texts} />}
      {way && screen.go && !(state.staying && flow.world.framed) && (
        <a
          id="continue"
          class={text === "window_done" ? "quiet" : "primary"}
          href={screen.go.url}
          target={screen.go.target}
          rel="noreferrer"
          title={back}
        >
          <span class="short">{back ?? texts.go_on}</span>
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

// Where a frame may open no window by itself, its payer can: by a link.
function OpenWindow({ state, flow, texts }: ActionsProps) {
  const { page } = flow.world;
  const open = (event: Event) => flow.open() && event.preventDefault();
  return (
    <a
      id="open_window"
      class={state.opened === "open" ? "secondary" : "primary"}
      href={page + forWindow}
      target="_blank"
      rel="noreferrer"
      onClick={open}
    >
      {texts.open_window}
    </a>
  );
}

/** shownIn is what the payer uses elsewhere. Of a frame that could open no window that is the address to open. */
export function shownIn({ screen, paid, staying, opened }: State, page: string): ScreenShown[] {
  const address = { id: "page_address", type: "copy", value: new URL(page + forWindow, location.href).href };
  if (staying && opened === "blocked") return [address];
  return (!paid && screen?.show) || [];
}

/** Facts are what to quote about a payment. */
export function Facts({ screen, paid, texts }: { screen: Screen; paid: boolean; texts: Texts }) {
  const { order, payee, payment } = screen;
  const rows: [label: string, value: string | undefined][] = [
    [fieldText(texts, "order_amount", ""), paid && order ? formatAmount(order, texts.tag) : ""],
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
