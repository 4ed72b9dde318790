// The one message that counts now: the page's own before the service's.

import type { State } from "../flow/state";
import { fill, formatUnits, hasMessage, messageText, reasonText, textOf, type Texts } from "../texts";
import type { Screen, ScreenReason } from "../service/screen";
import { Support } from "./foot";

export function messageOf({ notice, busy, screen, staying, opened, still, paid }: State): string {
  if (notice) return notice;
  if (paid) return "paid";
  if ((busy === "sending" && !screen?.fields) || still) return "";
  switch (screen?.kind) {
    case undefined:
      return "";
    case "form":
      return screen?.message?.text ?? "";
    case "wait":
      return askedFirst(screen, waitText(screen?.message?.text));
    case "go":
      return !staying ? "redirect" : opened ? "window_" + opened : "continue_elsewhere";
    case "message":
      return screen?.message?.text ?? "technical_problem";
    default:
      return "technical_problem";
  }
}

// A text that the page does not know is no reason to stop waiting.
function waitText(key = "processing"): string {
  return hasMessage(key) ? key : "processing";
}

// Where an account is chosen first, the code is no heading.
function askedFirst({ fields = [] }: Screen, key: string): string {
  return key === "enter_code" && fields[0]?.options ? "choose_account" : key;
}

/** headingOf is the heading of a message that stands alone, and what the payer's list of tabs says of any. */
export function headingOf(state: State, texts: Texts): string {
  const key = messageOf(state);
  return wordsFor(texts.headings, key === "declined" ? "too_many_declines" : key, state.screen);
}

/** Message stands at the form, or alone with a drawn sign where there is no form. */
export function Message({ state, alone, texts }: { state: State; alone: boolean; texts: Texts }) {
  const key = messageOf(state);
  if (key === "") return null;
  const { screen, notice, paid } = state;
  const reason = notice || paid ? undefined : screen?.message?.reason;
  const toldWhatToDo = reason && !reason.words; // by the catalogue's text of the reason
  const merchant = screen?.merchant ?? "";
  const heading = alone && headingOf(state, texts);
  const own = wordsFor(texts.messages, key, screen);
  const after = globalThis.checkoutAfter;
  const time = state.retryIn > 0 ? formatUnits(state.retryIn, "second", texts) : "";
  return (
    <>
      {alone && after && <after.Sign state={state} />}
      {heading && <h2>{heading}</h2>}
      <p class={paid ? "text short" : "text"}>
        {paid ? fill(texts.taking_back, { merchant }) : fill(own || messageText(texts, key), { time })}
      </p>
      {screen && !notice && outlives(key, screen) && <p>{texts.may_close}</p>}
      {reason && <Reason reason={reason} texts={texts} />}
      {screen && contacts.includes(key) && <Support screen={screen} texts={texts} />}
      {key.startsWith("declined") && screen?.kind === "form" && !toldWhatToDo && <p>{texts.declined_again}</p>}
      {!notice && screen?.last_try && <p>{texts.last_try}</p>}
    </>
  );
}

// What can be paid for longer than a day outlives this session. A voucher's message has the same words.
function outlives(key: string, { kind, show = [] }: Screen): boolean {
  return kind === "wait" && key !== "voucher_issued" && show.some(({ type }) => type === "deadline");
}

// A payout or a transfer has words of its own where those of a payment do not fit.
function wordsFor(part: Record<string, string>, key: string, screen: Screen | null): string {
  return textOf(part, key + "_" + screen?.operation) || textOf(part, key);
}

// A provider's own words are shown as they are, in their language.
function Reason({ reason, texts }: { reason: ScreenReason; texts: Texts }) {
  const [before, after] = texts.declined_reason.split("{reason}");
  return (
    <p>
      {before}
      {reason.words ? <bdi lang={reason.language ?? ""}>{reason.words}</bdi> : reasonText(texts, reason)}
      {after}
    </p>
  );
}

const contacts = ["paid_too_little", "paid_too_late"]; // whose texts say that the payer should contact the shop
const good = ["paid"];
const bad = [
  "declined",
  "declined_elsewhere",
  "too_many_declines",
  "expired",
  "paid_too_little",
  "paid_too_late",
  "unknown_session",
  "technical_problem",
  "too_many",
  "check_fields",
  "connection_lost",
  "service_problem",
  "not_sent",
  "code_wrong",
];

/** tone is the class of the message: good, calm or bad. */
export function tone(state: State): "good" | "calm" | "bad" {
  const key = messageOf(state);
  return good.includes(key) ? "good" : bad.includes(key) ? "bad" : "calm";
}
