// All catalogues by the codes of checkout_language, for the build and the tests: the page comes with the first part of one, and
// fetches the rest. A new language is two files, here and in names, and a row in both lists.

import ar from "./ar";
import az from "./az";
import de from "./de";
import en from "./en";
import es from "./es";
import fr from "./fr";
import kk from "./kk";
import arNames from "./names/ar";
import azNames from "./names/az";
import deNames from "./names/de";
import enNames, { type Names } from "./names/en";
import esNames from "./names/es";
import frNames from "./names/fr";
import kkNames from "./names/kk";
import noNames from "./names/no";
import ruNames from "./names/ru";
import uaNames from "./names/ua";
import zhNames from "./names/zh";
import zhoNames from "./names/zho";
import no from "./no";
import ru from "./ru";
import type { Texts } from "./texts";
import ua from "./ua";
import zh from "./zh";
import zho from "./zho";

export const catalogues: Record<string, Texts> = { en, fr, es, de, kk, ru, ar, zh, az, ua, no, zho };

export const names: Record<string, Names> = {
  en: enNames, fr: frNames, es: esNames, de: deNames, kk: kkNames, ru: ruNames, ar: arNames, zh: zhNames, az: azNames,
  ua: uaNames, no: noNames, zho: zhoNames,
};

// What is said after a form: of what a screen without one shows, of saved cards, of payouts and transfers.
const later: (keyof Texts)[] = [
  "reasons", "recurring", "shown", "declined_reason", "declined_again", "copy", "copied", "copy_failed",
  "use_another_card", "have_paid", "back_to", "reference", "print", "have_paid_told", "paid_at",
  "paid_with", "network_warning", "last_try", "may_close", "leave_ask", "leave_text", "leave_yes", "leave_no", "open_window",
  "saved_cards", "saved_card", "saved_expiry", "another_card", "save_card", "save_consent", "remove_card", "remove_ask",
  "keep_card", "card_removed", "amount_receive", "amount_send", "receive", "receive_plain", "from_merchant", "send",
  "send_plain", "send_to", "to_payee",
];

// What the page says of itself, and of a way that leads elsewhere at once.
const soon = [
  "not_sent", "service_problem", "technical_problem", "continue_elsewhere", "redirect", "too_many", "try_now", "check_fields",
  "connection_lost", "connection_back", "unknown_session", "framed", "paid",
];

/** partsOf are the two parts of a catalogue with its names. */
export function partsOf(texts: Texts, { methods, wallet, ...others }: Names): Record<"first" | "rest", Partial<Texts>> {
  const first: Partial<Texts> = {};
  const rest: Partial<Texts> = {};
  for (const [key, part] of Object.entries(texts)) {
    if (key === "headings" || key === "messages") {
      Object.assign(first, { [key]: among(part as Record<string, string>, true) });
      Object.assign(rest, { [key]: among(part as Record<string, string>, false) });
    } else Object.assign(later.includes(key as keyof Texts) ? rest : first, { [key]: part });
  }
  const { unavailable, ...testWallet } = wallet;
  first.names = { methods, wallet: { unavailable } };
  rest.names = { ...others, wallet: testWallet };
  return { first, rest };
}

function among(part: Record<string, string>, first: boolean): Record<string, string> {
  return Object.fromEntries(Object.entries(part).filter(([key]) => soon.includes(key) === first));
}
