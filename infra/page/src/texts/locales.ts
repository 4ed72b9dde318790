// How a language is written by Intl. Chromium has no data of Kazakh and Azerbaijani, although it says that it supports
// them: their numbers, dates and plurals are those of a language that writes them alike.

import { codeOf } from "./language";
import type { Plural, Texts } from "./texts";

const numberLocales: Record<string, string> = { kk: "ru", az: "de", ar: "ar-u-nu-latn" };
const withoutData = ["kk", "az"];

/**
 * locales are what Intl gets for a language of the page: as it is written in the payer's region, and as English where
 * Intl does not know it. The region is that of the browser's first locale of this language, else that of its first
 * locale.
 */
export function locales(tag: string, preferred: readonly string[] = navigator.languages): string[] {
  const own = preferred.find((locale) => codeOf(locale) === codeOf(tag)) ?? preferred[0];
  return [new Intl.Locale(numberLocales[tag] ?? tag, regionOf(own)).toString(), "en"];
}

function regionOf(locale = ""): Intl.LocaleOptions {
  try {
    const { region } = new Intl.Locale(locale);
    return region ? { region } : {};
  } catch {
    return {}; // no locale, whatever the browser says
  }
}

/** plural fills in the text of a count. */
export function plural(forms: Plural, count: number, tag: string): string {
  return formOf(forms, count, tag).replace("{count}", new Intl.NumberFormat(locales(tag)).format(count));
}

/** formOf is the form of a text for a count. */
export function formOf(forms: Plural, count: number, tag: string): string {
  const category = withoutData.includes(tag)
    ? count === 1
      ? "one"
      : "other"
    : new Intl.PluralRules([tag, "en"]).select(count);
  return forms[category] ?? forms.other;
}

/** formatDay shows a day, yyyy-mm-dd. */
export function formatDay(day: string, tag: string): string {
  return formatDate(new Date(day + "T00:00:00Z"), tag, { dateStyle: "long", timeZone: "UTC" });
}

/** formatTime shows a day and a time of the payer's place; what is no time is shown as it is. */
export function formatTime(time: string, tag: string): string {
  const at = new Date(time);
  return isNaN(at.getTime()) ? time : formatDate(at, tag, { dateStyle: "long", timeStyle: "short" });
}

// A day that money is due on is of one calendar everywhere: some browsers have another one for Saudi Arabia.
function formatDate(at: Date, tag: string, { timeZone, ...style }: Intl.DateTimeFormatOptions): string {
  const two = "2-digit" as const;
  const digits = { day: two, month: two, year: "numeric" as const, ...(style.timeStyle && { hour: two, minute: two }) };
  const without = withoutData.includes(tag);
  const options = { ...(without ? digits : style), timeZone, calendar: "gregory" };
  return new Intl.DateTimeFormat(without ? "ru" : locales(tag), options).format(at);
}

/** formatUnits shows a number of days, months or seconds; a unit without texts is named as the browser names it. */
export function formatUnits(count: number, unit: string, { tag, units }: Texts): string {
  if (Object.hasOwn(units, unit)) return plural(units[unit as keyof typeof units], count, tag);
  const style = { style: "unit", unit, unitDisplay: "long" } as const;
  return new Intl.NumberFormat(withoutData.includes(tag) ? [tag, "en"] : locales(tag), style).format(count);
}
