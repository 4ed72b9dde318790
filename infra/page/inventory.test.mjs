import assert from "node:assert/strict";
import { test } from "node:test";
import { approvals, release, rows } from "./inventory.mjs";

const entry = { purpose: "it draws", approved_by: "a person", approved_at: "2026-11-23" };
const files = (all) => new Map(Object.entries(all).map(([name, text]) => [name, Buffer.from(text)]));
const html = '<link href="style-ABCDEFGH.css"><script type="module" src="main-ABCDEFGH.js"></script>';
const data = '<script type="application/json" id="texts-de">{}</script>';
const page = { "index.html": html, "main-ABCDEFGH.js": "1", "seal-ABCDEFGH.js": "2", "style-ABCDEFGH.css": "3" };
const frame = {
  "index.html": '<script src="frame-ABCDEFGH.js"></script>',
  "frame-ABCDEFGH.js": 'load("https://a.example/pay.js")',
};
const approved = {
  page: [{ file: "main-*.js", ...entry }, { file: "seal-*.js", ...entry }],
  frame: [{ file: "frame-*.js", ...entry }, { url: "https://a.example/pay.js", ...entry }],
};
const built = (changes = {}, entries = approved) => release(files({ ...page, ...changes }), files(frame), entries);

test("every script has its hash, its purpose and who approved it", () => {
  const all = rows(built(), approved);
  const scripts = all
    .filter(({ kind }) => kind.startsWith("script"))
    .map(({ name, purpose, approved_by }) => [name, purpose, approved_by]);
  const names = ["main-ABCDEFGH.js", "seal-ABCDEFGH.js", "frame-ABCDEFGH.js", "https://a.example/pay.js"];
  assert.deepEqual(scripts, names.map((name) => [name, "it draws", "a person"]));
  // printf 1 | openssl dgst -sha384 -binary | base64
  assert.equal(all[0].integrity, "sha384-R/BdNnsMMuQ4+2Pmz0pfNcKqL5DcdUP4pBoPlc6KQKMTq1zzYTSiBoxMlpy1Dbd2");
  assert.deepEqual(built().page.index.loads, ["main-ABCDEFGH.js", "style-ABCDEFGH.css"]);
});

test("pages with texts are listed with their hashes", () => {
  const pages = built({ "de.html": html + data, "ar.html": html }).page.pages;
  assert.deepEqual(
    pages.map(({ name, bytes }) => [name, bytes]),
    [
      ["ar.html", html.length],
      ["de.html", html.length + data.length],
    ],
  );
  assert.match(pages[1].integrity, /^sha384-/);
  const all = rows(built({ "de.html": html + data }), approved).filter(({ kind }) => kind === "page");
  assert.deepEqual(
    all.map(({ site, name }) => site + " " + name),
    ["page index.html", "page de.html", "frame index.html"],
  );
});

for (const [want, changes, entries] of [
  [/it has to name more-ABCDEFGH.js once/, { "more-ABCDEFGH.js": "4" }],
  [/it has to name main-ABCDEFGH.min.js once/, { "main-ABCDEFGH.min.js": "4" }],
  [/it has to name https:\/\/b.example\/x.js once/, { "seal-ABCDEFGH.js": "import 'https://b.example/x.js'" }],
  [/it has to name https:\/\/b.example\/x.js once/, { "index.html": '<script src="https://b.example/x.js"></script>' }],
  [/a script in itself/, { "index.html": html + "<SCRIPT>1</SCRIPT>" }],
  [/de.html has a script in itself/, { "de.html": html + "<script>1</script>" }],
  [/de.html has a script in itself/, { "de.html": html + data + data }],
  [/de.html has a script in itself/, { "de.html": html + data.replace("application/json", "text/javascript") }],
  [/de.html has a script in itself/, { "de.html": html + data.replace("{}", "<script>1</script>") }],
  [/de.html has a script in itself/, { "de.html": html + data.replace(" id", " onload id") }],
  [/there is no rows-\*.js any more/, {}, { ...approved, page: [...approved.page, { file: "rows-*.js", ...entry }] }],
  [
    /purpose, approved_by or approved_at is missing/,
    {},
    { ...approved, page: [approved.page[0], { ...approved.page[1], approved_by: "" }] },
  ],
  [
    /it has to name seal-ABCDEFGH.js once/,
    {},
    { ...approved, page: [...approved.page, { file: "seal-*.js", ...entry }] },
  ],
]) {
  test(`a build fails: ${want}`, () => assert.throws(() => built(changes, entries), want));
}

test("scripts.json is complete, as a build needs it", async () => {
  for (const one of Object.values(await approvals()).flat()) {
    assert.ok(one.purpose && one.approved_by && /^\d{4}-\d\d-\d\d$/.test(one.approved_at), JSON.stringify(one));
  }
});
