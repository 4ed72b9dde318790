// All catalogues by the codes of checkout_language, for the build and the tests: the page comes with the first part of
// one, and fetches the rest. A new language is a file in words, an import and a row.

import { parse, TYPE, type MessageFormatElement } from "@formatjs/icu-messageformat-parser";
import type { Names, Plural, Texts } from "./texts";
import ar from "./words/ar.json";
import az from "./words/az.json";
import de from "./words/de.json";
import en from "./words/en.json";
import es from "./words/es.json";
import fr from "./words/fr.json";
import kk from "./words/kk.json";
import no from "./words/no.json";
import ru from "./words/ru.json";
import ua from "./words/ua.json";
import zh from "./words/zh.json";
import zho from "./words/zho.json";

const words = { en, fr, es, de, kk, ru, ar, zh, az, ua, no, zho };

/** catalogues are the texts without the names, which names has. */
export const catalogues: Record<string, Texts> = {};
export const names: Record<string, Names> = {};

for (const [language, all] of Object.entries(words)) {
  const { names: own, ...texts } = readAll(all, language) as Texts & { names: Names };
  catalogues[language] = texts;
  names[language] = own;
}

function readAll(part: object, place: string): object {
  const rows = Object.entries(part).map(([key, text]: [string, string | object]) => {
    const at = `${place}.${key}`;
    return [key, typeof text === "string" ? read(text, at) : readAll(text, at)];
  });
  return Object.fromEntries(rows);
}

/**
 * read is a text of ICU MessageFormat as the page has it: with places in braces, and one for each category of a plural.
 */
export function read(text: string, place: string): string | Plural {
  let parts: MessageFormatElement[];
  try {
    parts = parse(text, { ignoreTag: true });
  } catch (fault) {
    throw new Error(`${place}: ${(fault as Error).message} in "${text}"`);
  }
  const [first, ...others] = parts;
  if (first?.type !== TYPE.plural || others.length > 0) return flat(parts, place);
  const forms = Object.entries(first.options).map(([category, { value }]) => [category, flat(value, place)]);
  return Object.fromEntries(forms) as Plural;
}

function flat(parts: MessageFormatElement[], place: string): string {
  const said = parts.map((part) => {
    if (part.type === TYPE.literal) return part.value;
    if (part.type === TYPE.argument) return `{${part.value}}`;
    if (part.type === TYPE.pound) return "{count}";
    throw new Error(
      `${place}: only places such as {amount}, and a plural that is the whole text, are known to the page`,
    );
  });
  return said.join("");
}

// What is said after a form is begun: of faults, of what a screen without one shows, of saved cards, of payouts and
// transfers.
const later: (keyof Texts)[] = [
  "mend",
  "cell",
  "reasons",
  "recurring",
  "shown",
  "declined_reason",
  "declined_again",
  "copy",
  "copy_code",
  "copied",
  "copy_failed",
  "use_another_card",
  "have_paid",
  "back_to",
  "reference",
  "print",
  "save_picture",
  "to_calendar",
  "hand_off",
  "hand_off_text",
  "have_paid_told",
  "paid_at",
  "paid_with",
  "network_warning",
  "network_fees",
  "last_try",
  "may_close",
  "leave_ask",
  "leave_text",
  "leave_yes",
  "leave_no",
  "time_left",
  "leave_form",
  "leave_ends",
  "leave_open",
  "ends_soon",
  "more_time",
  "more_time_given",
  "open_window",
  "saved_cards",
  "saved_card",
  "saved_expiry",
  "another_card",
  "save_card",
  "save_consent",
  "remove_card",
  "remove_ask",
  "keep_card",
  "card_removed",
  "amount_receive",
  "amount_send",
  "receive",
  "receive_plain",
  "from_merchant",
  "send",
  "send_plain",
  "send_to",
  "to_payee",
  "writing",
  "ways",
  "fewer_ways",
  "search_ways",
  "no_ways",
];

// What the page says of itself, and of a way that leads elsewhere at once.
const soon = [
  "not_sent",
  "service_problem",
  "technical_problem",
  "continue_elsewhere",
  "redirect",
  "too_many",
  "try_now",
  "check_fields",
  "connection_lost",
  "connection_back",
  "unknown_session",
  "framed",
  "paid",
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
