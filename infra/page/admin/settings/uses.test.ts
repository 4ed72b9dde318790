import assert from "node:assert/strict";
import { test } from "node:test";
import type { Uses } from "../types";
import { daysLeft, endsSoon, overlapText, usedText } from "./uses";

const now = Date.parse("2026-11-23T14:30:00Z");
const since = "2026-11-20T09:00:00Z";

test("a last use counts from the day on which the secret was stored", () => {
  const uses: Uses = {
    overlaps: [],
    used: { password: "2026-11-20", callback_secret: "2026-11-19", "mappings[a].mids[b].credentials": "2026-11-23" },
  };
  for (const [place, text] of [
    ["password", "last used on 2026-11-20"],
    ["callback_secret", "not used since, last before that on 2026-11-19"],
    ["mappings[a].mids[b].credentials.secret", "last used on 2026-11-23"],
    ["mappings[a].mids[c].credentials.secret", "no order has used it"],
    ["live_key", "no order has used it"],
  ] as const) {
    assert.equal(usedText(place, { since }, uses), text, place);
  }
});

test("uses are those of the overlap that runs", () => {
  const until = "2026-11-24T09:00:00Z";
  const counted = {
    secret: "password",
    until: "2026-11-24T09:00:00.000Z",
    old: { count: 12, last: "2026-11-23T14:20:00Z" },
    new: { count: 1 },
  };
  const earlier = { ...counted, until: "2026-11-23T20:00:00Z", old: { count: 99 } };
  const uses: Uses = { used: {}, overlaps: [earlier, counted] };
  const text = (place: string, old_until: string | undefined, of = uses) =>
    overlapText(place, { since, ...(old_until && { old_until }) }, of, now);
  assert.match(text("password", until), /^Old: 12 times, last 2026-11-2\d \d\d:\d\d; new: 1 time\.$/);
  assert.equal(text("live_key", until), "Old: 0 times; new: 0 times.");
  assert.match(
    text("password", until, { used: {}, overlaps: [{ ...counted, more: true }] }),
    /^Old: at least 12 times, .*; new: at least 1 time\.$/,
  );
  assert.equal(text("password", undefined), "");
  assert.equal(text("password", "2026-11-23T14:30:00Z"), "");
});

test("a certificate ends soon when it has less than 30 days", () => {
  for (const [until, days, soon] of [
    ["2026-12-23T14:30:00Z", 30, false],
    ["2026-12-23T14:29:59Z", 29, true],
    ["2026-11-23T14:30:01Z", 0, true],
    ["2026-11-23T14:29:59Z", -1, true],
  ] as const) {
    const certificate = { subject: "", issuer: "", serial: "", until };
    assert.equal(daysLeft(certificate, now), days, until);
    assert.equal(endsSoon("wallets.applepay.identity_key", certificate, now), soon, until);
    assert.equal(endsSoon("wallets.applepay.processing[1].key", certificate, now), false, until);
  }
});
