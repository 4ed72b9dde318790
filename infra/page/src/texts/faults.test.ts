// No text says again what stands beside it: three words in a row are heard as a repetition. In Chinese these are four
// signs.

import assert from "node:assert/strict";
import test from "node:test";
import { catalogues, names } from "./catalogues";
import type { MessageKey, Texts } from "./texts";

const parts = new Map(
  Object.values(catalogues).map(({ tag }) => [tag, new Intl.Segmenter(tag, { granularity: "word" })]),
);

// What a text says in a row, in small letters; places that are filled are no words.
function wordsOf(text: string, tag: string): string[] {
  const plain = text.replace(/\{\w+\}/g, " | ").toLowerCase();
  if (tag.startsWith("zh")) return [...plain.replace(/[^\p{L}\p{N}|]/gu, "|")];
  return [...parts.get(tag)!.segment(plain)].flatMap(({ segment, isWordLike }) =>
    isWordLike || segment === "|" ? [segment] : [],
  );
}

function runs(text: string, tag: string): string[] {
  const words = wordsOf(text, tag);
  const length = tag.startsWith("zh") ? 4 : 3;
  return words
    .map((_, i) => words.slice(i, i + length))
    .filter((run) => run.length === length && !run.includes("|"))
    .map((run) => run.join(" "));
}

function repeated(a: string, b: string, tag: string): string[] {
  const there = new Set(runs(b, tag));
  return runs(a, tag).filter((run) => there.has(run));
}

test("a repetition is heard", () => {
  assert.deepEqual(repeated("A digit seems wrong", "Check it: a digit seems wrong.", "en"), [
    "a digit seems",
    "digit seems wrong",
  ]);
  assert.deepEqual(repeated("{label}: a digit seems", "a digit {label} seems", "en"), []);
  assert.deepEqual(repeated("卡号不正确", "您的卡号不正确。", "zh-Hans"), ["卡 号 不 正", "号 不 正 确"]);
});

// What stands together on a screen: a heading over its message, a message over its reason and what follows it.
function neighbours(texts: Texts): [string, string][] {
  const { headings, messages, reasons } = texts;
  const { taken_back: _, ...declined } = reasons; // is said of a payment that was made
  const headingOf = (key: string) => headings[key] ?? headings[key.replace(/_(credit|transfer)$/, "")] ?? "";
  const whole = (key: MessageKey) => headingOf(key) + " | " + messages[key];
  const lone = Object.entries(messages).map(([key, text]): [string, string] => [headingOf(key), text]);
  const declines = [
    "declined",
    "declined_elsewhere",
    "too_many_declines",
    "declined_credit",
    "too_many_declines_credit",
  ] as const;
  const told = Object.values(declined).flatMap((reason) =>
    declines.map((key): [string, string] => [whole(key), reason]),
  );
  const waits = ["pay_elsewhere", "transfer_details", "partly_paid", "scan_qr", "confirm_in_app", "open_link"] as const;
  return [
    ...lone,
    ...told,
    ...(["paid_too_little", "paid_too_late"] as const).map((key): [string, string] => [whole(key), reasons[key]]),
    ...waits.map((key): [string, string] => [whole(key), texts.may_close + " | " + texts.have_paid_told]),
    [whole("voucher_issued"), texts.have_paid_told], // it says itself that the page may be closed
    ...declines.map((key): [string, string] => [messages[key], texts.last_try + " | " + texts.declined_again]),
    [texts.leave_ask, texts.leave_text + " | " + texts.leave_yes],
    [texts.sealed, texts.handled_for],
    [texts.save_card, texts.save_consent],
    [texts.remove_ask, texts.remove_card],
  ];
}

test("no message repeats its neighbour on the screen", () => {
  const found: string[] = [];
  for (const [language, texts] of Object.entries(catalogues)) {
    for (const [a, b] of neighbours(texts))
      found.push(...repeated(a, b, texts.tag).map((run) => `${language} "${run}": ${a} / ${b}`));
    const ways = Object.values({ ...texts.methods, ...names[language]!.methods }).join(" | ");
    for (const note of Object.values(texts.notes))
      found.push(...repeated(note, ways, texts.tag).map((run) => `${language} "${run}": ${note}`));
  }
  assert.deepEqual([...new Set(found)], []);
});
