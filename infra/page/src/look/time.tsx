// The time that is left to pay.

import { useEffect, useRef, useState } from "preact/hooks";
import { hasEnd, showsClock } from "../flow/clock";
import type { Texts } from "../texts";
import { formatLeft } from "../texts/amount";
import type { Screen } from "../service/screen";

interface TimeLeftProps {
  screen: Screen | null;
  received: number;
  texts: Texts;
  onZero(): void;
}

/** TimeLeft asks again when the time is over; a timer is not announced each second. */
export function TimeLeft({ screen, received, texts, onZero }: TimeLeftProps) {
  const ends = received + (screen?.expires_in_ms ?? 0);
  const running = hasEnd(screen);
  const [now, setNow] = useState(Date.now());
  const asked = useRef(false);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => {
      setNow(Date.now());
      if (Date.now() < ends || asked.current) return;
      asked.current = true;
      onZero();
    }, 1000);
    return () => clearInterval(timer);
  }, [running, ends]);
  const left = ends - now;
  if (!showsClock(screen, left)) return null;
  return (
    <p class="time" role="timer">
      {texts.time_left} <bdi>{formatLeft(left)}</bdi>
    </p>
  );
}
