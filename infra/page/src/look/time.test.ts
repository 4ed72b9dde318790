import assert from "node:assert/strict";
import test from "node:test";
import { catalogues } from "../texts/catalogues";
import { timeLeft } from "./time";

const { en, ru } = catalogues;

test("days, hours, and a clock in the last hour, never more than is left", () => {
  const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
  const rows: [left: number, said: string][] = [
    [3 * day, "3 days"],
    [3 * day - 1, "2 days"],
    [day, "1 day"],
    [day - 1, "23 hours"],
    [2 * hour + 59 * minute, "2 hours"],
    [hour, "1 hour"],
    [hour - 1, "59:59"],
    [61 * second, "01:01"],
    [900, "00:00"],
    [-5, "00:00"],
  ];
  for (const [left, said] of rows) assert.equal(timeLeft(left, en!), said, `${left}`);
  assert.equal(timeLeft(3 * day, ru!), "3 дня");
});
