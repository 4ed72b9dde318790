import assert from "node:assert/strict";
import { test } from "node:test";
import { asked, linkTo, paymentLink, pick, placeOf, search, without } from "./address";

test("a link and what it shows are the same", () => {
  for (const [view, query, id] of [
    ["", {}, ""],
    ["find", { q: "4242 2026-11-23", mode: "test" }, ""],
    ["payments", { status: "settled", from: "2026-11-01", amount: "12.50" }, ""],
    ["payments", { do: "settle", reference: "a/b?c#d" }, "pay/1?2#3"],
    ["payments", { q: "طلب-9 & more=1 %", email: "a+b@x.example" }, ""],
  ] as const) {
    assert.deepEqual(placeOf(linkTo(view, query, id)), { view, id, query });
  }
});

test("an address without its parts, or that nobody has made, is read", () => {
  for (const hash of ["", "#", "#/", "#/?"]) assert.deepEqual(placeOf(hash), { view: "", id: "", query: {} });
  assert.deepEqual(placeOf("#/?q=A-1"), { view: "find", id: "", query: { q: "A-1" } });
  assert.deepEqual(placeOf("#/payments?status=&mode=test"), { view: "payments", id: "", query: { mode: "test" } });
  assert.deepEqual(placeOf("#/payments/%E0%A4"), { view: "payments", id: "%E0%A4", query: {} });
  assert.deepEqual(placeOf("#/payments/a?q=what?"), { view: "payments", id: "a", query: { q: "what?" } });
});

test("a filter has what is filled in alone", () => {
  const form: [string, unknown][] = [["status", " settled "], ["card", ""], ["mid", "  "], ["file", {}]];
  assert.deepEqual(asked(form), { status: "settled" });
  assert.equal(search({ a: "1", b: "", c: "x y" }), "?a=1&c=x+y");
  assert.equal(search({}), "");
});

test("filters are taken out and left out by name", () => {
  const query = { mode: "test", status: "settled", other: "x" };
  assert.deepEqual(pick(query, ["status", "mode", "card"]), { status: "settled", mode: "test" });
  assert.deepEqual(without(query, "status"), { mode: "test", other: "x" });
});

test("a test payment's link says so", () => {
  assert.equal(paymentLink("p1", "test"), "#/payments/p1?mode=test");
  assert.equal(paymentLink("p1", "live"), "#/payments/p1");
});
