// The time that is left to pay.

import { formatUnits, type Texts } from "../texts";

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
