// How a language is written by Intl. Chromium has no data of Kazakh and Azerbaijani, although it says that it supports
// them: their numbers, dates and plurals are those of a language that writes them alike.

import type { Plural, Texts } from "./texts";

const numberLocales: Record<string, string> = { kk: "ru", az: "de", ar: "ar-u-nu-latn" };
const withoutData = ["kk", "az"];

/** locales are what Intl gets for a language: one that it does not know is written as English. */
export function locales(tag: string): string[] {
  return [numberLocales[tag] ?? tag, "en"];
}

/** plural fills in the text of a count. */
export function plural(forms: Plural, count: number, tag: string): string {
  const category = withoutData.includes(tag)
    ? count === 1
      ? "one"
      : "other"
    : new Intl.PluralRules([tag, "en"]).select(count);
  return (forms[category] ?? forms.other).replace("{count}", new Intl.NumberFormat(locales(tag)).format(count));
}

/** formatDay shows a day, yyyy-mm-dd. */
export function formatDay(day: string, tag: string): string {
  const style: Intl.DateTimeFormatOptions = withoutData.includes(tag)
    ? { day: "2-digit", month: "2-digit", year: "numeric" }
    : { dateStyle: "long" };
  const locale = withoutData.includes(tag) ? "ru" : locales(tag);
  return new Intl.DateTimeFormat(locale, { ...style, timeZone: "UTC" }).format(new Date(day + "T00:00:00Z"));
}

/** formatTime shows a day and a time of the payer's place; what is no time is shown as it is. */
export function formatTime(time: string, tag: string): string {
  const at = new Date(time);
  if (isNaN(at.getTime())) return time;
  const style: Intl.DateTimeFormatOptions = withoutData.includes(tag)
    ? { day: "2-digit", month: "2-digit", year: "numeric", hour: "2-digit", minute: "2-digit" }
    : { dateStyle: "long", timeStyle: "short" };
  return new Intl.DateTimeFormat(withoutData.includes(tag) ? "ru" : locales(tag), style).format(at);
}

/** formatUnits shows a number of days, months or seconds; a unit without texts is named as the browser names it. */
export function formatUnits(count: number, unit: string, { tag, units }: Texts): string {
  if (Object.hasOwn(units, unit)) return plural(units[unit as keyof typeof units], count, tag);
  return new Intl.NumberFormat([tag, "en"], { style: "unit", unit, unitDisplay: "long" }).format(count);
}
