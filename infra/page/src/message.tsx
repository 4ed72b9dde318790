// The one message that counts now: the page's own before the service's.

import type { State } from "./flow";
import { formatUnits } from "./schedule";
import { fill, messageText, type Texts } from "./texts";

function messageOf({ notice, busy, screen, staying }: State): string {
  if (notice) return notice;
  if (busy === "sending") return "";
  switch (screen?.kind) {
    case undefined:
      return "";
    case "form":
      return screen?.message?.text ?? "";
    case "wait": {
      const text = screen?.message?.text ?? "processing";
      return text === "processing" && screen?.show?.length ? "pay_elsewhere" : text;
    }
    case "go":
      return staying ? "continue_elsewhere" : "redirect";
    case "message":
      return screen?.message?.text ?? "technical_problem";
    default:
      return "technical_problem";
  }
}

export function Message({ state, texts }: { state: State; texts: Texts }) {
  const key = messageOf(state);
  if (key === "") return null;
  const { screen, notice } = state;
  const reason = notice ? undefined : screen?.message?.reason;
  return (
    <>
      <p class="text">{fill(messageText(texts, key), { time: formatUnits(state.retryIn, "second", texts.tag) })}</p>
      {reason && <p>{fill(texts.declined_reason, { reason })}</p>}
      {key === "declined" && screen?.kind === "form" && <p>{texts.declined_again}</p>}
    </>
  );
}

const good = ["paid"];
const calm = ["processing", "cancelled", "continue_elsewhere", "redirect", "connection_back", "pay_elsewhere", "partly_paid", "checking_payment", "try_now"];

/** tone is the class of the message: good, calm or bad. */
export function tone(state: State): string {
  const key = messageOf(state);
  return good.includes(key) ? "good" : calm.includes(key) ? "calm" : "bad";
}
