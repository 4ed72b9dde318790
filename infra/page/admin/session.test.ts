import assert from "node:assert/strict";
import { test } from "node:test";
import { commandIn } from "./session";

test("a command is one that an address names with its port", () => {
  for (const [hash, port] of [
    ["#command?port=4567&challenge=c&state=s", "4567"],
    ["#command?port=4567@evil.example&challenge=c", null],
    ["#command?port=%2Fx", null],
    ["#command?challenge=c", null],
    ["#/payments", null],
    ["", null],
  ] as const) {
    assert.equal(commandIn(hash)?.port ?? null, port, hash);
  }
  assert.equal(commandIn("#command?port=1&state=a%26b")?.link, "/admin/login?port=1&state=a%26b");
});
