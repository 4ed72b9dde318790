// The charges that will follow a payment, in words.

import { formatAmount } from "./amount";
import type { ScreenOrder, ScreenSchedule } from "./screen";
import { fill, type Texts } from "./texts";

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
  const single = Object.hasOwn(texts.recurring.single, unit) ? texts.recurring.single[unit] : undefined;
  if (interval === 1 && single) return single;
  return fill(texts.recurring.several, { interval: formatUnits(interval, unit, texts.tag) });
}

function timesText(count: number, { tag, recurring }: Texts): string {
  if (count === 0) return recurring.endless;
  return count === 1 ? recurring.once : fill(recurring.times, { count: new Intl.NumberFormat([tag, "en"]).format(count) });
}

/** formatUnits shows a number of days, months or seconds; the browser knows every language's plurals. */
export function formatUnits(count: number, unit: string, language: string): string {
  return new Intl.NumberFormat([language, "en"], { style: "unit", unit, unitDisplay: "long" }).format(count);
}

function formatDay(day: string, language: string): string {
  return new Intl.DateTimeFormat([language, "en"], { dateStyle: "long", timeZone: "UTC" }).format(new Date(day + "T00:00:00Z"));
}
