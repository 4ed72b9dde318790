// Formatting a field while it is typed in: the caret stays at what was typed, and the browser's undo takes it back.

/** Format is how a text is written, while it is typed sign by sign or else. */
export type Format = (text: string, typing: boolean) => string;

const isSign = (c = "") => /[\p{L}\p{N}]/u.test(c);
const signs = (text: string) => [...text].filter(isSign).length;

/**
 * beforeInput does what the payer is about to do, formatted, as one step of the browser's undo. A separator that is
 * deleted takes the character beyond it along.
 */
export function beforeInput(event: InputEvent, format: Format): void {
  const { inputType, data } = event;
  const deletes = /^deleteContent(Back|For)ward$/.test(inputType);
  if (!deletes && (!/^insert(Text|FromPaste)$/.test(inputType) || data === null)) return;
  const input = event.target as HTMLInputElement;
  const { value } = input;
  let from = input.selectionStart ?? value.length;
  let to = input.selectionEnd ?? from;
  let passed = false;
  if (deletes && from === to) {
    const back = inputType.includes("Back");
    if (back ? from === 0 : to === value.length) return;
    const next = () => value.charAt(back ? --from : to++);
    while (!isSign(next()) && from > 0 && to < value.length) passed = true;
  }
  const head = value.slice(0, from) + (deletes ? "" : data);
  const whole = head + value.slice(to);
  const text = format(whole, inputType === "insertText");
  if (text === whole && !passed) return;
  event.preventDefault();
  write(input, text, to === value.length ? text.length : placeAfter(text, signs(head)));
}

/** keepCaret formats what was filled in, or typed in a way of which the browser tells nothing beforehand. */
export function keepCaret(input: HTMLInputElement, text: string): void {
  const { value, selectionStart } = input;
  const caret = selectionStart ?? value.length;
  if (value !== text)
    write(input, text, caret === value.length ? text.length : placeAfter(text, signs(value.slice(0, caret))));
}

/** write changes only what differs. An assignment would spoil the browser's undo. */
export function write(input: HTMLInputElement, text: string, caret: number): void {
  const { value } = input;
  let start = 0;
  while (start < value.length && value[start] === text[start]) start++;
  const least = Math.min(value.length, text.length) - start;
  let end = 0;
  while (end < least && value.at(-1 - end) === text.at(-1 - end)) end++;
  const focused = document.activeElement === input;
  if (focused) input.setSelectionRange(start, value.length - end);
  const middle = text.slice(start, text.length - end);
  if (value !== text && !(focused && document.execCommand(middle ? "insertText" : "delete", false, middle))) {
    input.value = text;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
  if (focused) input.setSelectionRange(caret, caret);
}

// placeAfter is the place right after so many letters and digits.
function placeAfter(text: string, count: number): number {
  let place = 0;
  for (let seen = 0; place < text.length && seen < count; place++) if (isSign(text.charAt(place))) seen++;
  return place;
}
