// What the payer takes along: on paper, in the calendar, on the phone.

import { useState } from "preact/hooks";
import { amountAndUnit } from "../texts/amount";
import { fill, formatTime, shownText, type Texts } from "../texts";
import { useDrawn } from "../service/drawn";
import type { Screen, ScreenMethod, ScreenShown } from "../service/screen";
import { calendarOf } from "./calendar";
import { inHand } from "./lead";
import { save } from "./save";

declare const ROWS_FILE: string; // written by build.mjs

interface TakeProps {
  screen: Screen;
  page: string; // the address of this page
  texts: Texts;
}

/** Take is there where the payer has until some day to pay elsewhere. */
export function Take({ screen, page, texts }: TakeProps) {
  const { show = [], order, merchant = "" } = screen;
  const until = show.find(({ type }) => type === "deadline");
  if (!until || !order) return null;
  const address = new URL(page, location.href).href;
  const remind = () => {
    const amount = amountAndUnit(order.amount, order.currency, texts.tag).filter(Boolean).join(" ");
    const lines = show.filter(({ type }) => ["text", "copy", "amount", "deadline"].includes(type));
    const entry = calendarOf({
      id: address,
      title: [fill(texts.pay, { amount }), merchant].filter(Boolean).join(" – "),
      details: lines.map((one) => `${shownText(texts, one.id)}: ${valueOf(one, texts)}`).join("\n"),
      address,
      at: new Date(until.value),
      now: new Date(),
    });
    save("payment.ics", new Blob([entry], { type: "text/calendar" }));
  };
  return (
    <div class="take">
      <button id="calendar" type="button" class="quiet" onClick={remind}>
        {texts.to_calendar}
      </button>
      <button id="print" type="button" class="quiet" onClick={() => window.print()}>
        {texts.print}
      </button>
    </div>
  );
}

function valueOf({ type, value, currency = "" }: ScreenShown, texts: Texts): string {
  if (type === "deadline") return formatTime(value, texts.tag);
  return type === "amount" ? amountAndUnit(value, currency, texts.tag).filter(Boolean).join(" ") : value;
}

const onPhones = ["phone", "qr", "wallet"]; // icons of methods that are paid with a phone

/** HandOff opens the page on the payer's phone, by a code that it scans from this screen. */
export function HandOff({ method, page, texts }: { method: ScreenMethod; page: string; texts: Texts }) {
  const [open, setOpen] = useState(false);
  const [code] = useDrawn(open, ROWS_FILE, () => globalThis.checkoutRows);
  if (inHand() || !onPhones.includes(method.icon)) return null;
  return (
    <details class="hand-off" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="quiet">{texts.hand_off}</summary>
      <p class="help">{texts.hand_off_text}</p>
      {code && <code.PageCode page={new URL(page, location.href).href} label={texts.hand_off} />}
    </details>
  );
}
