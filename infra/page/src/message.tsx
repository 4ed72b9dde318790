// The one message that counts now: the page's own before the service's.

import type { State } from "./flow";
import { formatUnits } from "./schedule";
import type { ScreenReason } from "./screen";
import { fill, hasMessage, messageText, reasonText, type Texts } from "./texts";

function messageOf({ notice, busy, screen, staying }: State): string {
  if (notice) return notice;
  if (busy === "sending") return "";
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

export function Message({ state, texts }: { state: State; texts: Texts }) {
  const key = messageOf(state);
  if (key === "") return null;
  const { screen, notice } = state;
  const reason = notice ? undefined : screen?.message?.reason;
  return (
    <>
      <p class="text">{fill(messageText(texts, key), { time: formatUnits(state.retryIn, "second", texts.tag) })}</p>
      {reason && <Reason reason={reason} texts={texts} />}
      {key === "declined" && screen?.kind === "form" && <p>{texts.declined_again}</p>}
    </>
  );
}

// A provider's own words are shown as they are, in their language.
function Reason({ reason, texts }: { reason: ScreenReason; texts: Texts }) {
  const [before, after] = texts.declined_reason.split("{reason}");
  return (
    <p>
      {before}
      {reason.words ? <span lang={reason.language ?? ""}>{reason.words}</span> : reasonText(texts, reason)}
      {after}
    </p>
  );
}

const good = ["paid"];
const calm = ["processing", "cancelled", "continue_elsewhere", "redirect", "connection_back", "pay_elsewhere", "more_needed", "partly_paid", "checking_payment", "try_now"];

/** tone is the class of the message: good, calm or bad. */
export function tone(state: State): string {
  const key = messageOf(state);
  return good.includes(key) ? "good" : calm.includes(key) ? "calm" : "bad";
}
