// No text says again what stands beside it: three words in a row are heard as a repetition. In Chinese these are four
// signs.

import assert from "node:assert/strict";
import test from "node:test";
import { catalogues, names } from "./catalogues";
import { fill } from "./lookup";
import type { CellKey, FieldTexts, MendKey, MessageKey, Texts } from "./texts";

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

type Fault = [cell: CellKey, text: "required" | "invalid", mend?: MendKey];

// By the kind of field: what its cell says, what the line below says, and how it goes on.
const number: Fault[] = [
  ["required", "required", "number_empty"],
  ["number_short", "invalid", "number_short"],
  ["number_digit", "invalid", "number_digit"],
];
const other: Fault[] = [
  ["required", "required"],
  ["invalid", "invalid"],
];
const faults: Record<string, Fault[]> = {
  payer_card: number,
  payee_card: number,
  payer_expiryDate: [
    ["expiry_required", "required", "expiry_empty"], ["expiry_required", "invalid", "expiry_empty"],
    ["expiry_month", "invalid", "expiry_month"], ["expiry_past", "invalid", "expiry_past"],
  ],
  payer_cvv: (["code_back", "code_front"] as const).flatMap((mend): Fault[] => [
    ["code", "required", mend],
    ["code", "invalid", mend],
  ]),
  payer_name: [
    ["required", "required", "name"],
    ["invalid", "invalid", "name"],
  ],
  payer_email: [
    ["required", "required"],
    ["invalid", "invalid", "email"],
  ],
  payer_phone: [
    ["required", "required"],
    ["invalid", "invalid", "phone"],
  ],
};

// The label says which field it is, in the cell and in the line below: that is no repetition.
test("a cell, the fault below it and how it is mended say each thing once", () => {
  const found: string[] = [];
  for (const [language, { tag, cell, mend, fields, field }] of Object.entries(catalogues)) {
    for (const [id, texts] of Object.entries<FieldTexts>({ ...fields, field })) {
      for (const [inCell, text, key] of faults[id] ?? other) {
        const [fault, how] = [texts[text], key ? mend[key] : ""];
        const count = key === "code_front" ? "4" : "3";
        const said = [
          ...repeated(fill(cell[inCell], { count }), fault + " | " + how, tag),
          ...repeated(fault, how, tag),
        ];
        found.push(...said.map((run) => `${language} ${id}: "${run}" in ${cell[inCell]} / ${fault} / ${how}`));
      }
    }
  }
  assert.deepEqual(found, []);
});

const half = 20; // letters of a cell in half a row
const length = (text: string) => [...text.replace(/[\u200e\u2066-\u2069]/g, "")].length;

test("what a cell in half a row says has room there", () => {
  const found: string[] = [];
  for (const [language, { cell, fields }] of Object.entries(catalogues)) {
    const said = [
      cell.expiry_required,
      cell.expiry_month,
      fill(cell.expiry_past, { value: "01/20" }),
      fill(cell.code, { count: "3" }),
      ...["payer_city", "payer_zip"].flatMap((id) =>
        [cell.required, cell.invalid].map((text) => fill(text, { label: fields[id]!.label })),
      ),
    ];
    found.push(
      ...said
        .filter((text) => length(text) > half || /[{}]/.test(text))
        .map((text) => `${language}: ${text} (${length(text)})`),
    );
  }
  assert.deepEqual(found, []);
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
