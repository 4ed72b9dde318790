// The charges that will follow a payment, in words.

import { fill, formatDay, formatUnits, plural, type Texts } from "../texts";
import { formatAmount } from "../texts/amount";
import type { ScreenOrder, ScreenSchedule } from "../service/screen";

/** scheduleText fills one of the catalogue's sentences about recurring charges. */
export function scheduleText(sentence: string, schedule: ScreenSchedule, order: ScreenOrder, texts: Texts): string {
  return fill(sentence, {
    amount: formatAmount({ ...order, amount: schedule.amount }, texts.tag),
    every: everyText(schedule, texts),
    start: formatDay(schedule.start, texts.tag),
    times: timesText(schedule.count ?? 0, texts),
  });
}

function everyText({ interval, unit }: ScreenSchedule, texts: Texts): string {
  const { single, several } = texts.recurring;
  if (interval === 1 && Object.hasOwn(single, unit)) return single[unit as keyof typeof single];
  return fill(several, { interval: formatUnits(interval, unit, texts) });
}

function timesText(count: number, { tag, recurring }: Texts): string {
  if (count === 0) return recurring.endless;
  return count === 1 ? recurring.once : plural(recurring.times, count, tag);
}
