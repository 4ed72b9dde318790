// The seconds of a screen that has an end.

import { useEffect, useState } from "preact/hooks";
import { hasEnd, showsClock } from "../flow/clock";
import type { Flow } from "../flow/flow";
import type { State } from "../flow/state";
import { languageOf, type Texts } from "../texts";
import { loadRest } from "../texts/load";

const soon = 180_000; // before the end, what is said of it is fetched

interface TimerProps {
  state: State;
  flow: Flow;
  texts: Texts;
}

/** Timer asks again when the time is over. What it shows of that comes with the rest. */
export function Timer({ state, flow, texts }: TimerProps) {
  const { screen, received } = state;
  const ends = received + (screen?.expires_in_ms ?? 0);
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!hasEnd(screen)) return;
    let asked = false;
    const timer = setInterval(() => {
      const left = ends - Date.now();
      setNow(Date.now());
      if (left < soon || showsClock(screen, left)) void loadRest(languageOf(screen));
      if (left <= 0 && !asked) void flow.refresh();
      asked ||= left <= 0;
    }, 1000);
    return () => clearInterval(timer);
  }, [ends]);
  const after = globalThis.checkoutAfter;
  return after ? <after.Clock state={state} flow={flow} left={ends - now} texts={texts} /> : null;
}
