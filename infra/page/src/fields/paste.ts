// A card that is pasted whole: its number and its expiry date.

import { formatExpiry, formatNumber, parseExpiry, validNumber } from "./card";
import { write } from "./caret";

// Year first, month and year, both without a sign between them, a month's name.
const dates = [
  /20\d\d\D\d\d?(?:\D\d\d?)?/,
  /\d\d? ?[/.-] ?(?:20)?\d\d/,
  /\d{4}/,
  /\p{L}{3,}\.? ?(?:20)?\d\d(?! ?[/.-])/u,
];
const date = new RegExp(`^\\D*?(${dates.map(({ source }) => source).join("|")})(?!\\d)`, "u");

/** cardIn finds a card's number and its expiry date in a text, null where there are not both. */
export function cardIn(text: string): { number: string; expiry: string } | null {
  for (const { index } of text.matchAll(/\d(?!\d)/g)) {
    const number = text.slice(0, index + 1);
    const expiry = formatExpiry(date.exec(text.slice(index + 1))?.[1] ?? "");
    if (validNumber(number) && parseExpiry(expiry)) return { number: formatNumber(number), expiry };
  }
  return null;
}

/** pasteCard fills in both where a text with both is pasted into the number. A security code is nothing to paste. */
export function pasteCard(event: ClipboardEvent): void {
  const input = event.target as HTMLInputElement;
  const beside = input.closest(".box")?.querySelector<HTMLInputElement>("[autocomplete=cc-exp]");
  const found = cardIn(event.clipboardData?.getData("text") ?? "");
  if (!found || !beside) return;
  event.preventDefault();
  write(input, found.number, found.number.length);
  write(beside, found.expiry, found.expiry.length);
}
