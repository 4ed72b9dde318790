import assert from "node:assert/strict";
import test from "node:test";
import type { ScreenField, ScreenOrder } from "../service/screen";
import { orderNow, vatNow } from "./due";

const open: ScreenOrder = { number: "1", description: "d", amount: "", currency: "EUR", decimals: 2 };
const amount: ScreenField = { id: "order_amount", kind: "amount", check: "amount", required: true };
const country: ScreenField = { id: "payer_country", kind: "country", required: true };

test("an amount that the payer enters is shown once it is one", () => {
  const rows: [ScreenOrder, ScreenField[], string | undefined, string][] = [
    [open, [amount], undefined, ""],
    [open, [amount], "12,5", "12.5"],
    [open, [amount], "12,505", ""],
    [open, [amount], "0", ""],
    [open, [{ ...amount, value: "7" }], undefined, "7"],
    [open, [], "12.50", ""],
    [{ ...open, decimals: 0 }, [amount], "12.5", ""],
    [{ ...open, amount: "10.00" }, [amount], "12.50", "10.00"],
  ];
  for (const [order, fields, typed, shown] of rows) {
    assert.equal(orderNow(order, fields, typed === undefined ? {} : { order_amount: typed }).amount, shown);
  }
});

test("VAT: the only one, else that of the chosen country", () => {
  const de = { country: "DE", amount: "1.60" };
  const fr = { country: "FR", amount: "1.67" };
  const both = { ...open, vat: [de, fr] };
  const rows: [ScreenOrder, ScreenField[], string | undefined, object | undefined][] = [
    [open, [country], "DE", undefined],
    [{ ...open, vat: [de] }, [], undefined, de],
    [{ ...open, vat: [de] }, [country], "FR", de],
    [both, [country], undefined, undefined],
    [both, [country], "FR", fr],
    [both, [country], "US", undefined],
    [both, [country], "", undefined],
    [both, [{ ...country, value: "DE" }], undefined, de],
    [both, [], "FR", undefined],
  ];
  for (const [order, fields, chosen, vat] of rows) {
    assert.deepEqual(vatNow(order, fields, chosen === undefined ? {} : { payer_country: chosen }), vat);
  }
});
