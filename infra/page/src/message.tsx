// The one message that counts now: the page's own before the service's.

import type { State } from "./flow";
import { Icon } from "./icons";
import type { ScreenReason } from "./screen";
import { fill, formatUnits, hasMessage, messageText, reasonText, textOf, type Texts } from "./texts";

export function messageOf({ notice, busy, screen, staying, still, paid }: State): string {
  if (notice) return notice;
  if (paid) return "paid";
  if (busy === "sending" || still) return "";
  switch (screen?.kind) {
    case undefined:
      return "";
    case "form":
      return screen?.message?.text ?? "";
    case "wait":
      return waitText(screen?.message?.text);
    case "go":
      return staying ? "continue_elsewhere" : "redirect";
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

/** Message stands at the form, or alone with a drawn sign where there is no form. */
export function Message({ state, alone, texts }: { state: State; alone: boolean; texts: Texts }) {
  const key = messageOf(state);
  if (key === "") return null;
  const { screen, notice, paid } = state;
  const reason = notice || paid ? undefined : screen?.message?.reason;
  const merchant = screen?.merchant ?? "";
  const time = formatUnits(state.retryIn, "second", texts);
  return (
    <>
      {alone && <Sign of={key} state={state} />}
      {alone && textOf(texts.headings, key) && <h2>{textOf(texts.headings, key)}</h2>}
      <p class="text">{paid ? fill(texts.taking_back, { merchant }) : fill(messageText(texts, key), { time })}</p>
      {reason && <Reason reason={reason} texts={texts} />}
      {key === "declined" && screen?.kind === "form" && <p>{texts.declined_again}</p>}
    </>
  );
}

const awaited = ["processing", "checking_payment"];
const signs: Record<string, string> = { continue_elsewhere: "leave", redirect: "leave", framed: "leave", cancelled: "cross", expired: "clock" };

// A clock while something is awaited, a tick or a cross when it is decided.
function Sign({ of: key, state }: { of: string; state: State }) {
  const usual = { good: "tick", calm: "clock", bad: "warning" }[tone(state)];
  return (
    <span class={awaited.includes(key) ? "sign turning" : "sign"} aria-hidden="true">
      <Icon name={signs[key] ?? usual} />
    </span>
  );
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

const good = ["paid"];
const calm = ["processing", "cancelled", "continue_elsewhere", "redirect", "connection_back", "pay_elsewhere", "more_needed", "partly_paid", "checking_payment", "try_now", "framed"];

/** tone is the class of the message: good, calm or bad. */
export function tone(state: State): "good" | "calm" | "bad" {
  const key = messageOf(state);
  return good.includes(key) ? "good" : calm.includes(key) ? "calm" : "bad";
}
