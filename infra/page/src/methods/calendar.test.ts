import assert from "node:assert/strict";
import test from "node:test";
import { calendarOf } from "./calendar";

const entry = {
  id: "a-1",
  title: "Pay €48.40 – Löwe; Söhne, Ltd.",
  details: "Payment number: 1 234\nBank: A\\B",
  address: "https://pay.example/?session=1",
  at: new Date("2030-03-04T10:00:00.123Z"),
  now: new Date("2030-03-01T10:00:00Z"),
};

test("an entry is a file that calendars read", () => {
  const lines = calendarOf(entry).split("\r\n");
  assert.deepEqual([lines[0], lines.at(-2), lines.at(-1)], ["BEGIN:VCALENDAR", "END:VCALENDAR", ""]);
  for (const line of [
    "UID:a-1",
    "DTSTAMP:20300301T100000Z",
    "DTSTART:20300304T100000Z",
    "SUMMARY:Pay €48.40 – Löwe\\; Söhne\\, Ltd.",
    "DESCRIPTION:Payment number: 1 234\\nBank: A\\\\B",
    "URL:https://pay.example/?session=1",
    "TRIGGER:-P1D",
  ]) {
    assert.ok(lines.includes(line), line);
  }
  const soon = calendarOf({ ...entry, now: new Date("2030-03-04T01:00:00Z") });
  assert.ok(soon.includes("TRIGGER:-PT1H\r\n"));
});

test("no line is longer than 75 bytes, and none is divided inside a character", () => {
  const title = "ü€𝕏".repeat(60);
  const text = calendarOf({ ...entry, title });
  for (const line of text.split("\r\n")) assert.ok(new TextEncoder().encode(line).length <= 75, line);
  assert.ok(text.replaceAll("\r\n ", "").includes("SUMMARY:" + title + "\r\n"));
});
