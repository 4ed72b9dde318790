// The time that is left to pay.

import { useEffect, useRef, useState } from "preact/hooks";
import { hasEnd, showsClock } from "../flow/clock";
import { formatUnits, type Texts } from "../texts";
import type { Screen } from "../service/screen";

/**
 * timeLeft is in days or hours, and in the last hour mm:ss. It is never longer than what is left, so 00:00 is the last
 * second.
 */
export function timeLeft(ms: number, texts: Texts): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [days, hours] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600)];
  if (hours > 0) return days > 0 ? formatUnits(days, "day", texts) : formatUnits(hours, "hour", texts);
  return [seconds / 60, seconds % 60].map((part) => String(Math.floor(part)).padStart(2, "0")).join(":");
}

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
      {texts.time_left} <bdi>{timeLeft(left, texts)}</bdi>
    </p>
  );
}
