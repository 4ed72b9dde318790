import assert from "node:assert/strict";
import { test } from "node:test";
import {
  add,
  ago,
  amountText,
  count,
  decimalText,
  isAmount,
  localText,
  money,
  share,
  short,
  timeText,
  utc,
} from "./text";

test("amounts are grouped, and what is no amount stays as it is", () => {
  for (const [amount, shown] of [
    ["0", "0"],
    ["999.00", "999.00"],
    ["1000", "1,000"],
    ["1234567.00", "1,234,567.00"],
    ["-12345.678", "-12,345.678"],
    ["0.00412500", "0.00412500"],
    ["98765432109876543210.12", "98,765,432,109,876,543,210.12"],
    ["unknown", "unknown"],
  ] as const) {
    assert.equal(amountText(amount), shown);
  }
  assert.equal(money("12.50", "EUR"), "12.50 EUR");
  assert.equal(money("1000", "JPY"), "1,000 JPY");
  assert.equal(money(undefined, "EUR"), "");
});

test("an amount has the decimals of its currency, and loses none", () => {
  for (const [amount, currency, shown] of [
    ["0", "EUR", "0.00"],
    ["-5", "EUR", "-5.00"],
    ["12.5", "USD", "12.50"],
    ["7", "JPY", "7"],
    ["7.25", "JPY", "7.25"],
    ["1", "KWD", "1.000"],
    ["0.00412500", "BTC", "0.00412500"],
    ["10", "USDT", "10"],
    ["unknown", "EUR", "unknown"],
  ] as const) {
    assert.equal(decimalText(amount, currency), shown, amount + currency);
  }
});

test("the amounts of a sentence are written like those of tables, and numbers of other kinds stay", () => {
  const text = "It charges 1234567.50 USD, 5 EUR and 0.00412500 BTC for order 1000 ABC, 12-1000 JPY or 1000 JPY-2.";
  const amounts = [
    { amount: "1234567.50", currency: "USD" },
    { amount: "5", currency: "EUR" },
    { amount: "1000", currency: "JPY" },
  ];
  assert.equal(
    localText(text, amounts),
    "It charges 1,234,567.50\u00a0USD, 5.00\u00a0EUR and 0.00412500 BTC for order 1000 ABC, 12-1000 JPY or 1000 JPY-2.",
  );
  assert.equal(localText(text), text);
});

test("only what the API takes is an amount", () => {
  for (const good of ["12.50", "1", "0.01", "0.00412500"]) assert.ok(isAmount(good), good);
  for (const bad of ["", "0", "0.00", "12,50", "1 000", "-1", "1.", ".5", "1e3", "12.50 EUR"])
    assert.ok(!isAmount(bad), bad);
});

test("amounts are added without rounding", () => {
  for (const [a, b, sum] of [
    ["0.10", "0.20", "0.30"],
    ["1", "0.001", "1.001"],
    ["9007199254740993.01", "0.02", "9007199254740993.03"],
    ["5.00", "-7.50", "-2.50"],
    ["-0.05", "0.02", "-0.03"],
    ["-1.00", "1.00", "0.00"],
    ["12", "30", "42"],
  ] as const) {
    assert.equal(add(a, b), sum);
    assert.equal(add(b, a), sum);
  }
});

// within does something as if the viewer were in a zone.
function within<T>(zone: string, run: () => T): T {
  const before = process.env.TZ;
  process.env.TZ = zone;
  try {
    return run();
  } finally {
    process.env.TZ = before ?? "UTC";
  }
}

test("a time is shown in a zone, with UTC beside it", () => {
  const at = "2026-11-23T23:30:05.123Z";
  assert.equal(within("Europe/Oslo", () => timeText(at)), "2026-11-24 00:30:05");
  assert.equal(within("Asia/Kathmandu", () => timeText(at)), "2026-11-24 05:15:05");
  assert.equal(utc(at), "2026-11-23 23:30:05 UTC");
  assert.equal(within("UTC", () => timeText("2026-11-24T00:00:00Z")), "2026-11-24 00:00:00"); // not 24:00
  assert.equal(timeText("never"), "never");
});

test("times of a sentence are shown in a zone, with UTC beside", () => {
  const text = "It is open until 2026-11-23 14:05 UTC.";
  assert.equal(
    within("Europe/Oslo", () => localText(text)),
    "It is open until 2026-11-23 15:05 (14:05 UTC).",
  );
  assert.equal(
    within("Asia/Tokyo", () => localText(text)),
    "It is open until 2026-11-23 23:05 (14:05 UTC).",
  );
  assert.equal(
    within("Asia/Kathmandu", () => localText(text)),
    "It is open until 2026-11-23 19:50 (14:05 UTC).",
  );
  assert.equal(
    within("Europe/Oslo", () => localText("until 2026-11-23 23:30 (UTC), since 2026-11-23 22:59:58 UTC")),
    "until 2026-11-24 00:30 (2026-11-23 23:30 UTC), since 2026-11-23 23:59:58 (22:59:58 UTC)",
  );
  assert.equal(
    within("UTC", () => localText("until 2026-11-23 14:05 (UTC).")),
    "until 2026-11-23 14:05 UTC.",
  );
  for (const other of ["2026-11-23 14:05", "2026-11-23 UTC", "2026-99-99 14:05 CET", "the same day (UTC)"])
    assert.equal(
      within("Europe/Oslo", () => localText(other)),
      other,
    );
});

test("how long ago is told in its largest unit", () => {
  const now = Date.parse("2026-11-23T12:00:00Z");
  const told = {
    "11:59:59.8": "now",
    "11:59:15": "45 s ago",
    "11:01:00": "59 min ago",
    "09:59:00": "2 h ago",
    "12:02:05": "in 2 min",
  };
  for (const [time, text] of Object.entries(told)) assert.equal(ago(`2026-11-23T${time}Z`, now), text);
  assert.equal(ago("2026-11-20T12:00:00Z", now), "3 d ago");
});

test("counts, shares and names", () => {
  assert.deepEqual(
    [count(1, "try", "tries"), count(10000, "line"), count(0, "line")],
    ["1 try", "10,000 lines", "0 lines"],
  );
  assert.deepEqual([share(2702, 3011), share(0, 3), share(0, 0)], ["89.7 %", "0.0 %", ""]);
  assert.equal(short("arn:aws:iam::123456789012:user/ann"), "user/ann");
  assert.equal(short("local/admin"), "local/admin");
});
