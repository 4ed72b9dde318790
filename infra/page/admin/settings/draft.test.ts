import assert from "node:assert/strict";
import { test } from "node:test";
import { rebased, withoutSecrets } from "./draft";
import { same, type Description } from "./rows";

const base = {
  name: "Pens",
  mappings: [{ name: "default", max_declines: 3, mids: [{ name: "a", weight: 1 }, { name: "b", weight: 2 }] }],
  branding: { accent: "#000000" },
};

const on = (mine: object, theirs: object) => {
  const { draft, clashes } = rebased({ version: 1, base, settings: { ...base, ...mine } }, 2, { ...base, ...theirs });
  assert.equal(draft.version, 2);
  return { settings: draft.settings, clashes };
};

const mids = (...list: object[]) => ({ mappings: [{ name: "default", max_declines: 3, mids: list }] });

test("what one has changed stays", () => {
  const { settings, clashes } = on({ name: "Inks" }, mids({ name: "a", weight: 5 }, { name: "b", weight: 2 }));
  assert.deepEqual(settings, { ...base, name: "Inks", ...mids({ name: "a", weight: 5 }, { name: "b", weight: 2 }) });
  assert.deepEqual(clashes, []);
});

test("of what both have changed the draft's stays, and is told", () => {
  const { settings, clashes } = on(
    mids({ name: "a", weight: 7 }, { name: "b", weight: 2 }),
    mids({ name: "a", weight: 5 }, { name: "b", weight: 9 }),
  );
  assert.deepEqual(settings, { ...base, ...mids({ name: "a", weight: 7 }, { name: "b", weight: 9 }) });
  assert.deepEqual(clashes, [{ path: "mappings[default].mids[a].weight", theirs: 5 }]);
});

test("items are added, removed and moved by both", () => {
  const { settings } = on(
    mids({ name: "b", weight: 2 }, { name: "a", weight: 1 }, { name: "mine" }),
    mids({ name: "b", weight: 2 }, { name: "theirs" }),
  );
  assert.deepEqual(settings, { ...base, ...mids({ name: "b", weight: 2 }, { name: "mine" }, { name: "theirs" }) });
});

test("a member that one has taken away goes", () => {
  const { branding: _, ...rest } = base;
  const { draft } = rebased({ version: 1, base, settings: rest }, 2, { ...base, name: "Inks" });
  assert.deepEqual(draft.settings, { ...rest, name: "Inks" });
});

test("what is absent equals what is empty", () => {
  assert.ok(same({ a: "", b: false, c: { d: 0 }, e: 1 }, { e: 1 }));
  assert.ok(!same({ a: [] }, {})); // of apps: web pages alone
  assert.ok(!same({ a: [1, 2] }, { a: [2, 1] }));
});

test("a stored draft has no secret", () => {
  const description = {
    rows: [{ path: "password", secret: true }, { path: "wallets.googlepay.private_keys", secret: true }],
    connectors: { bank: { credentials: [{ name: "url" }, { name: "key", secret: true }] } },
    presets: { payout: [{ name: "account", secret: true }, { name: "branch" }] },
  } as unknown as Description;
  const settings = {
    name: "Pens",
    password: "secret",
    wallets: { googlepay: { private_keys: ["secret"], gateway: "g" } },
    mappings: [
      {
        name: "default",
        mids: [
          {
            name: "a",
            connector: "bank",
            credentials: { url: "https://a.example", key: "secret", more: "secret" },
            presets: { payout: { account: "secret", branch: "1" } },
          },
          { name: "b", connector: "unknown", credentials: { url: "secret" } },
        ],
      },
    ],
  };
  const text = JSON.stringify(withoutSecrets(settings, description));
  assert.ok(!text.includes("secret"), text);
  assert.ok(
    text.includes("https://a.example") && text.includes('"branch":"1"') && text.includes('"gateway":"g"'),
    text,
  );
});
