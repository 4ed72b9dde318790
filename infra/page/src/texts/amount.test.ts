import assert from "node:assert/strict";
import test from "node:test";
import { amountAndUnit, amountParts, formatAmount } from "./amount";

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
  for (const [amount, currency, decimals, shown] of rows)
    assert.equal(formatAmount({ amount, currency, decimals }, "en"), shown);
  assert.equal(formatAmount({ amount: "1234.05", currency: "EUR", decimals: 2 }, "de"), "1.234,05\u00a0€");
  assert.match(formatAmount({ amount: "12.05", currency: "USD", decimals: 2 }, "ar-EG"), /١٢٫٠٥/);
});

test("an amount of coins has the language's signs and its own digits, and its unit behind it", () => {
  const rows: [string, string, string, string, string][] = [
    ["52.360000", "USDT", "en", "52.360000", "USDT"],
    ["52.360000", "USDT", "de", "52,360000", "USDT"],
    ["1052.36", "USDT", "ru", "1\u00a0052,36", "USDT"],
    ["90071992547409931234.000000000000000001", "ETH", "de", "90.071.992.547.409.931.234,000000000000000001", "ETH"],
    ["0.5", "BTC", "fr", "0,5", "BTC"],
    ["12", "BCH", "ar", "12", "BCH"],
    ["5.00", "EUR", "de", "5,00\u00a0€", ""],
    ["500", "JPY", "en", "¥500", ""],
    ["about 5", "USDT", "de", "about 5", "USDT"],
  ];
  for (const [amount, currency, language, ...shown] of rows)
    assert.deepEqual(amountAndUnit(amount, currency, language), shown);
});

test("a line is broken behind a group separator only", () => {
  assert.deepEqual(amountParts({ amount: "1234567.89", currency: "EUR", decimals: 2 }, "en"), [
    "€1,",
    "234,",
    "567.89",
  ]);
  assert.deepEqual(amountParts({ amount: "", currency: "EUR", decimals: 2 }, "en"), []);
});
