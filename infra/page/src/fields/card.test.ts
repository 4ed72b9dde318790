import assert from "node:assert/strict";
import test from "node:test";
import { brandOf, formatExpiry, formatNumber, luhn, parseExpiry, validCode, validExpiry, validNumber } from "./card";

test("a card number is shown in the groups of its brand", () => {
  const rows = [
    ["4111111111111111", "4111 1111 1111 1111"],
    ["4111-1111 1111-1111", "4111 1111 1111 1111"],
    ["41111", "4111 1"],
    ["4111", "4111"],
    ["378282246310005", "3782 822463 10005"],
    ["36227206271667", "3622 720627 1667"],
    ["6304000000000000000", "6304 0000 0000 0000 000"],
    ["41111111111111111111999", "4111 1111 1111 1111 111"],
    ["٤١١١ ١١١١", "4111 1111"],
    ["abc", ""],
  ];
  for (const [typed, shown] of rows) assert.equal(formatNumber(typed ?? ""), shown);
});

test("a number is cut at the length of its network's cards", () => {
  assert.equal(formatNumber("3782 822463 100051"), "3782 822463 10005");
  assert.equal(formatNumber("55555555555544443"), "5555 5555 5555 4444");
  assert.equal(formatNumber("41111111111111111111"), "4111 1111 1111 1111 111");
});

test("brands", () => {
  const rows: [string, string | null][] = [
    ["4", "visa"],
    ["5", null],
    ["51", "mastercard"],
    ["2221", "mastercard"],
    ["2720", "mastercard"],
    ["2721", null],
    ["37", "amex"],
    ["6", null],
    ["6011", "discover"],
    ["62", "unionpay"],
    ["3530", "jcb"],
    ["305", "diners"],
    ["6304", "maestro"],
    ["9", null],
  ];
  for (const [number, brand] of rows) assert.equal(brandOf(number), brand, number);
});

test("a brand is known from the first six digits, as a saved card shows them", () => {
  assert.deepEqual(["411111", "555555", "378282", "601100", "000000"].map(brandOf), [
    "visa",
    "mastercard",
    "amex",
    "discover",
    null,
  ]);
});

test("Luhn", () => {
  for (const good of ["4111111111111111", "4601541833776519", "378282246310005", "36227206271667"])
    assert.ok(luhn(good), good);
  for (const bad of ["", "4111111111111112", "1411111111111111"]) assert.ok(!luhn(bad), bad);
});

test("a card number has 14 to 19 digits", () => {
  const rows: [string, boolean][] = [
    ["4111 1111 1111 1111", true],
    ["4111 1111 1111 1112", false],
    ["0000000000000", false], // 13
    ["00000000000000", true], // 14
    ["0000000000000000000", true], // 19
    ["00000000000000000000", false], // 20
    ["", false],
  ];
  for (const [number, good] of rows) assert.equal(validNumber(number), good, number);
});

test("a security code has as many digits as its network gives it, 3 or 4 where that is not known", () => {
  for (const [code, good] of [
    ["123", true],
    ["1234", true],
    ["12", false],
    ["12345", false],
    ["12a", false],
    ["", false],
  ] as const) {
    assert.equal(validCode(code, ""), good, code);
  }
  const codes = (number: string) => ["123", "1234"].map((code) => validCode(code, number));
  assert.deepEqual(codes("4111"), [true, false]);
  assert.deepEqual(codes("411111******1111"), [true, false]);
  assert.deepEqual(codes("3782"), [false, true]);
  assert.deepEqual(codes("9"), [true, true]);
});

test("an expiry date is understood whatever way it is typed", () => {
  for (const typed of [
    "0138",
    "01/38",
    "1/38",
    "01-2038",
    "01/2038",
    "012038",
    "01 / 38",
    "1-38",
    "01.38",
    "138",
    "2038-01",
    "2038/01",
    "2038 / 1",
    "2038-1",
    "2038-01-31",
    "2038/01/31",
    "203801",
    "٠١/٣٨",
  ]) {
    assert.equal(formatExpiry(typed), "01/38", typed);
  }
  const typing = ["0", "01", "01/3", "01/38"].map((typed) => formatExpiry(typed));
  assert.deepEqual(typing, ["0", "01/", "01/3", "01/38"]);
  const long = ["1", "1/", "01/2", "01/20", "01/203", "01/2038"].map((typed) => formatExpiry(typed));
  assert.deepEqual(long, ["1", "01/", "01/2", "01/20", "01/203", "01/38"]);
  assert.equal(formatExpiry("5"), "05/");
  const typed = (keys: string) => [...keys].reduce((shown, key) => formatExpiry(shown + key, "en", true), "");
  assert.equal(typed("20"), "20");
  const rows = ["2038-01-31", "2038-12", "2038/12/31", "203812", "1238", "12/2038", "0238", "238", "2/38", "02/2038"];
  for (const keys of rows) {
    assert.equal(typed(keys), (/12/.test(keys) ? "12" : /^20/.test(keys) ? "01" : "02") + "/38", keys);
  }
  assert.equal(typed("2038-1"), "2038-1"); // of October to December
  assert.deepEqual(parseExpiry("2038-1"), { month: 1, year: 2038 });
  for (const [typed, shown] of [["13", "13/"], ["13/4", "13/4"], ["1338", "13/38"], ["00", "00/"]] as const) {
    assert.equal(formatExpiry(typed), shown);
    assert.ok(!validExpiry(typed, new Date(2026, 0, 1)), typed);
  }
  assert.equal(formatExpiry("12"), "12/");
  assert.equal(formatExpiry("/"), "");
  assert.deepEqual(parseExpiry("12/39"), { month: 12, year: 2039 });
  for (const bad of ["", "1", "01/", "01/3", "00/38", "01/203"]) assert.equal(parseExpiry(bad), null, bad);
});

test("a month may have its name, in English or the page's language", () => {
  const rows: [typed: string, tag: string][] = [
    ["Jan 2038", "en"],
    ["January 2038", "en"],
    ["JAN/38", "en"],
    ["jan38", "de"],
    ["janv. 2038", "fr"],
    ["Janvier 38", "fr"],
    ["январь 2038", "ru"],
    ["января 2038", "ru"],
    ["Enero 2038", "es"],
    ["січень 2038", "uk"],
    ["一月2038", "zh-Hans"],
    ["2038年1月", "zh-Hans"],
    ["1月 2038", "zh-Hans"],
    ["يناير ٢٠٣٨", "ar"],
    ["exp. 01/38", "en"],
  ];
  for (const [typed, tag] of rows) assert.equal(formatExpiry(typed, tag), "01/38", typed);
  assert.deepEqual(
    ["J", "Ja", "Jan", "x", "M", "Ma", "May"].map((typed) => formatExpiry(typed, "en")),
    ["J", "01/", "01/", "", "M", "Ma", "05/"],
  );
  assert.deepEqual(
    ["jui", "juin", "juil", "juillet 2038"].map((typed) => formatExpiry(typed, "fr")),
    ["jui", "06/", "07/", "07/38"],
  );
  assert.equal(parseExpiry("J"), null);
});

test("a card is good through the last day of its month", () => {
  const rows: [string, Date, boolean][] = [
    ["11/26", new Date(2026, 10, 30, 23, 59), true],
    ["11/26", new Date(2026, 11, 1, 0, 0), false],
    ["12/25", new Date(2026, 0, 1), false],
    ["01/27", new Date(2026, 11, 31), true],
    ["13/30", new Date(2026, 0, 1), false],
    ["11/51", new Date(2026, 10, 1), true],
    ["12/51", new Date(2026, 10, 1), false],
    ["01/68", new Date(2026, 10, 1), false],
    ["", new Date(2026, 0, 1), false],
  ];
  for (const [typed, today, good] of rows) assert.equal(validExpiry(typed, today), good, typed);
});
