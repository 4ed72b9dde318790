// The time that is left, and its end: said before it comes, with more time where the payer can have it.

import { useRef, useState } from "preact/hooks";
import { timeLeft } from "../look/time";
import { hasEnd, showsClock } from "../flow/clock";
import type { Flow } from "../flow/flow";
import type { State } from "../flow/state";
import { fill, formatTime, type Texts } from "../texts";

const soon = 2 * 60_000; // how long before the end it is said
const toldFor = 8000; // how long the new end is told

interface ClockProps {
  state: State;
  flow: Flow;
  left: number; // milliseconds
  texts: Texts;
}

/** Clock is not announced each second, but its end is. */
export function Clock(props: ClockProps) {
  const { state, left, texts } = props;
  return (
    <>
      {showsClock(state.screen, left) && (
        <p class="time" role="timer">
          {texts.time_left} <bdi>{timeLeft(left, texts)}</bdi>
        </p>
      )}
      {state.screen?.kind === "form" && hasEnd(state.screen) && <MoreTime {...props} />}
    </>
  );
}

// MoreTime stands over the page when a form's time is almost over. It takes no focus.
function MoreTime({ state: { screen, busy }, flow, left, texts }: ClockProps) {
  const { expires_in_ms = 0, more_time_ms = 0, expires_at = "", lifetime_ms = 0 } = screen ?? {};
  const near = left > 0 && left <= soon;
  const inTime = left > expires_in_ms - more_time_ms;
  const [given, setGiven] = useState(false);
  const from = useRef<EventTarget | null>(null); // had the focus before the button
  const ask = async () => {
    if (busy !== "no") return;
    await flow.post("/more-time");
    if (from.current instanceof HTMLElement) from.current.focus();
    if ((flow.state.screen?.lifetime_ms ?? 0) <= lifetime_ms) return;
    setGiven(true);
    setTimeout(() => setGiven(false), toldFor);
  };
  const time = given && formatTime(expires_at, texts.tag);
  const text = time ? fill(texts.more_time_given, { time }) : near && texts.ends_soon;
  return (
    <div class={text ? "soon shown" : "soon"}>
      <p role="status">{text}</p>
      {near && !given && more_time_ms > 0 && inTime && (
        <button
          id="more_time"
          type="button"
          class="secondary"
          aria-disabled={busy !== "no"}
          onFocus={(event) => (from.current = event.relatedTarget)}
          onClick={() => void ask()}
        >
          {texts.more_time}
        </button>
      )}
    </div>
  );
}
