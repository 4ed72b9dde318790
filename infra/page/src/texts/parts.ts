// A catalogue in two parts: what a form says at once, and what is said after it. The page comes with the first; the second
// is fetched when the payer begins to fill the form in, or when a screen needs it.

import type { Screen } from "../service/screen";
import type { Texts } from "./texts";

const later: (keyof Texts)[] = [
  "reasons", "recurring", "shown", "declined_reason", "declined_again", "copy", "copied", "copy_failed",
  "use_another_card", "have_paid", "back_to", "reference", "print", "another_way", "have_paid_told", "paid_at",
  "paid_with", "network_warning", "last_try", "may_close", "leave_ask", "leave_text", "leave_yes", "leave_no", "open_window",
];

// What the page says of itself, and of a way that leads elsewhere at once.
const soon = [
  "not_sent", "service_problem", "technical_problem", "continue_elsewhere", "redirect", "too_many", "try_now", "check_fields",
  "connection_lost", "connection_back", "unknown_session", "framed", "paid",
];

/** partsOf are the two parts of a catalogue. */
export function partsOf(texts: Texts): [first: Partial<Texts>, rest: Partial<Texts>] {
  const parts: [Partial<Texts>, Partial<Texts>] = [{}, {}];
  for (const [key, part] of Object.entries(texts)) {
    if (key !== "headings" && key !== "messages") Object.assign(parts[later.includes(key as keyof Texts) ? 1 : 0], { [key]: part });
    else for (const at of [0, 1]) Object.assign(parts[at]!, { [key]: among(part as Record<string, string>, at === 0) });
  }
  return parts;
}

function among(part: Record<string, string>, first: boolean): Record<string, string> {
  return Object.fromEntries(Object.entries(part).filter(([key]) => soon.includes(key) === first));
}

/** needsRest: a way that leads elsewhere does not wait for it. */
export function needsRest({ kind, message, schedule }: Screen): boolean {
  return kind === "form" ? !!(message || schedule) : kind !== "go";
}
