import assert from "node:assert/strict";
import test from "node:test";
import { amountParts, formatAmount, formatLeft } from "./amount";

test("an amount is shown in its currency's form and loses no digit", () => {
  const rows: [string, string, number, string][] = [
    ["10.00", "USD", 2, "$10.00"],
    ["1234567.89", "EUR", 2, "€1,234,567.89"],
    ["1000", "JPY", 0, "¥1,000"],
    ["1000.5", "CLF", 4, "CLF\u00a01,000.5000"],
    ["1234.0000", "UYW", 4, "UYW\u00a01,234.0000"],
    ["1.234", "KWD", 3, "KWD\u00a01.234"],
    ["90071992547409931234.07", "USD", 2, "$90,071,992,547,409,931,234.07"],
    ["0.00100000", "BTC", 8, "BTC\u00a00.00100000"],
    ["12.500000", "USDT", 6, "USDT\u00a012.500000"],
    ["", "USD", 2, ""],
    ["-1", "USD", 2, ""],
  ];
  for (const [amount, currency, decimals, shown] of rows) assert.equal(formatAmount({ amount, currency, decimals }, "en"), shown);
  assert.equal(formatAmount({ amount: "1234.05", currency: "EUR", decimals: 2 }, "de"), "1.234,05\u00a0€");
  assert.match(formatAmount({ amount: "12.05", currency: "USD", decimals: 2 }, "ar-EG"), /١٢٫٠٥/);
});

test("a line is broken behind a group separator only", () => {
  assert.deepEqual(amountParts({ amount: "1234567.89", currency: "EUR", decimals: 2 }, "en"), ["€1,", "234,", "567.89"]);
  assert.deepEqual(amountParts({ amount: "", currency: "EUR", decimals: 2 }, "en"), []);
});

test("time left", () => {
  assert.equal(formatLeft(61_000), "01:01");
  assert.equal(formatLeft(900), "00:01");
  assert.equal(formatLeft(-5), "00:00");
  assert.equal(formatLeft(180 * 60_000), "180:00");
});
