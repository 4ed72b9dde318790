// Formatting a field while it is typed in, without losing the caret.

import { digitsOf } from "./card";

/** The digits before the caret stay before it; separators don't count. */
export function keepCaret(input: HTMLInputElement, formatted: string): void {
  const caret = input.selectionStart ?? input.value.length;
  const atEnd = caret >= input.value.length;
  const before = digitsOf(input.value.slice(0, caret)).length;
  if (input.value === formatted) return;
  input.value = formatted;
  if (document.activeElement !== input) return;
  const place = atEnd ? formatted.length : placeAfter(formatted, before);
  input.setSelectionRange(place, place);
}

/** placeAfter is the place right after so many digits. */
export function placeAfter(text: string, digits: number): number {
  let place = 0;
  for (let seen = 0; place < text.length && seen < digits; place++) if (/\d/.test(text.charAt(place))) seen++;
  return place;
}

/** When only a separator was deleted, the digit beyond it was meant. */
export function withoutDigit(before: string, now: HTMLInputElement, inputType: string): string {
  const forward = inputType === "deleteContentForward";
  if ((!forward && inputType !== "deleteContentBackward") || digitsOf(before) !== digitsOf(now.value)) return now.value;
  const digits = digitsOf(now.value);
  const at = digitsOf(now.value.slice(0, now.selectionStart ?? 0)).length - (forward ? 0 : 1);
  if (at < 0 || at >= digits.length) return now.value;
  if (!forward) {
    const place = placeAfter(now.value, at);
    now.setSelectionRange(place, place);
  }
  return digits.slice(0, at) + digits.slice(at + 1);
}
