import assert from "node:assert/strict";
import test from "node:test";
import { formatUnits } from "../texts";
import { catalogues } from "../texts/catalogues";
import type { ScreenOrder, ScreenSchedule } from "../service/screen";
import { scheduleText } from "./schedule";

const order: ScreenOrder = { number: "1", description: "d", amount: "10.00", currency: "EUR", decimals: 2 };
const schedule: ScreenSchedule = { amount: "5.00", interval: 1, unit: "month", start: "2026-04-01" };

test("what the payer agrees to", () => {
  const en = catalogues.en!;
  const rows: [Partial<ScreenSchedule>, string][] = [
    [{}, "I agree to be charged €5.00 every month, starting on April 1, 2026, until further notice."],
    [
      { unit: "day", count: 30 },
      "I agree to be charged €5.00 every day, starting on April 1, 2026, 30 times in total.",
    ],
    [
      { interval: 3, count: 1 },
      "I agree to be charged €5.00 every 3 months, starting on April 1, 2026, one time only.",
    ],
    [
      { interval: 14, unit: "day" },
      "I agree to be charged €5.00 every 14 days, starting on April 1, 2026, until further notice.",
    ],
    [
      { interval: 1, unit: "week" },
      "I agree to be charged €5.00 every 1 week, starting on April 1, 2026, until further notice.",
    ],
    [
      { amount: "1234.50", start: "2027-12-31" },
      "I agree to be charged €1,234.50 every month, starting on December 31, 2027, until further notice.",
    ],
  ];
  for (const [more, text] of rows)
    assert.equal(scheduleText(en.recurring.consent, { ...schedule, ...more }, order, en), text);
  assert.equal(
    scheduleText(
      en.recurring.info,
      { ...schedule, count: 12 },
      { ...order, currency: "USDT", decimals: 6, amount: "" },
      en,
    ),
    "You will be charged USDT\u00a05.000000 every month, starting on April 1, 2026, 12 times in total.",
  );
});

test("every language says all of it", () => {
  for (const [language, texts] of Object.entries(catalogues)) {
    for (const sentence of [texts.recurring.consent, texts.recurring.info]) {
      const text = scheduleText(sentence, { ...schedule, interval: 3, count: 12 }, order, texts);
      assert.doesNotMatch(text, /[{}]/, language);
      for (const part of ["amount", "every", "start", "times"])
        assert.ok(sentence.includes(`{${part}}`), language + part);
    }
  }
});

test("units have their language's plural, and one without texts is the browser's", () => {
  const units = (language: string, unit: string, ...counts: number[]) =>
    counts.map((n) => formatUnits(n, unit, catalogues[language]!));
  assert.deepEqual(units("en", "second", 1, 2), ["1 second", "2 seconds"]);
  assert.deepEqual(units("ru", "second", 1, 3, 20), ["1 секунду", "3 секунды", "20 секунд"]);
  assert.deepEqual(units("ar", "month", 2, 3, 12), ["شهرين", "3 أشهر", "12 شهرًا"]);
  assert.deepEqual(units("kk", "day", 1, 14), ["1 күн", "14 күн"]);
  assert.deepEqual(units("de", "week", 2), ["2 Wochen"]);
});
