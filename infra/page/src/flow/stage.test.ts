import assert from "node:assert/strict";
import test from "node:test";
import type { Screen } from "../service/screen";
import { stageOf } from "./stage";

test("the stage of a screen, without and with a payment of this page's own, and the same in a frame", () => {
  const go = { url: "/", target: "_self" };
  const rows: [screen: Partial<Screen> & { kind: string }, ...stages: string[]][] = [
    [{ kind: "form" }, "form", "form", "form", "form"],
    [{ kind: "form", message: { text: "paid" } }, "form", "form", "form", "form"],
    [{ kind: "wait" }, "processing", "processing", "processing", "processing"],
    [{ kind: "wait", show: [] }, "instructed", "instructed", "instructed", "instructed"],
    [{ kind: "wait", fields: [] }, "instructed", "instructed", "instructed", "instructed"],
    [{ kind: "go", go, message: { text: "continue_elsewhere" } }, "staying", "leaving", "staying", "staying"],
    [{ kind: "go", go, message: { text: "paid" } }, "leaving", "paid", "leaving", "paid"],
    [{ kind: "go", go, message: { text: "expired" } }, "leaving", "leaving", "leaving", "leaving"],
    [{ kind: "message", message: { text: "paid" } }, "message", "message", "message", "message"],
    [{ kind: "new" }, "message", "message", "message", "message"],
  ];
  for (const [screen, ...stages] of rows) {
    const got = [false, true].flatMap((framed) =>
      [false, true].map((own) => stageOf({ language: "en", ...screen }, own, framed)),
    );
    assert.deepEqual(got, stages, JSON.stringify(screen));
  }
});
