import assert from "node:assert/strict";
import test from "node:test";
import type { Screen, ScreenShown } from "../service/screen";
import { leadOf } from "./lead";

test("one row has the filled button: a link, or in the hand what a QR code has in it", () => {
  const qr = { id: "qr_code", type: "qr", value: "x" };
  const link = { id: "app_link", type: "link", value: "https://bank.example/" };
  const trap = { id: "trap", type: "link", value: "javascript:alert(1)" };
  const copy = { id: "account_number", type: "copy", value: "1" };
  const rows: [show: ScreenShown[], hand: string, desk: string][] = [
    [[qr], "qr_code", ""],
    [[qr, link], "app_link", ""],
    [[link, copy], "app_link", "app_link"],
    [[trap, copy], "", ""],
    [[copy], "", ""],
    [[{ id: "voucher_barcode", type: "barcode", value: "1" }, copy], "", ""],
    [[], "", ""],
  ];
  for (const [show, hand, desk] of rows) {
    const screen: Screen = { kind: "wait", language: "en", show };
    assert.deepEqual([leadOf(screen, true), leadOf(screen, false)], [hand, desk], JSON.stringify(show));
    assert.equal(leadOf({ ...screen, fields: [] }, true), "", "the second form's button is the one");
  }
});
