import assert from "node:assert/strict";
import { test } from "node:test";
import { hash } from "./files.mjs";
import { addIndex, withTexts } from "./html.mjs";

const script = Buffer.from("go()");
const style = Buffer.from("a{}");
const filesOf = () => new Map([["main-A.js", script], ["style-A.css", style]]);

test("a page names its script and its style sheet with their hashes", () => {
  const files = filesOf();
  addIndex(files, "<head>\n    {script} {script-integrity}\n    {style} {style-integrity}</head>");
  const sum = (content) => "sha384-" + hash("sha384", content, "base64");
  assert.equal(
    files.get("index.html").toString(),
    `<head>\nmain-A.js ${sum(script)}\nstyle-A.css ${sum(style)}</head>`,
  );
  assert.ok(files.has("style-A.css"));
});

test("a style sheet within the page is no file", () => {
  const files = filesOf();
  addIndex(files, "{style-integrity} {style}", true);
  assert.equal(files.get("index.html").toString(), `sha256-${hash("sha256", style, "base64")} a{}`);
  assert.ok(!files.has("style-A.css"));
});

test("texts are data that no text can end", () => {
  const index = Buffer.from('<html lang="en" dir="ltr"><body></body>');
  const page = withTexts(index, "ar", { tag: "ar", dir: "rtl", note: "</script>$&" }, { "ar-rest": "x" }).toString();
  assert.match(page, /^<html lang="ar" dir="rtl">/);
  const [, data] = /<script type="application\/json" id="texts-ar">([^<]*)<\/script>\n<\/body>$/.exec(page);
  assert.deepEqual(JSON.parse(data), {
    texts: { tag: "ar", dir: "rtl", note: "</script>$&" },
    files: { "ar-rest": "x" },
  });
});

test("a page that lacks a place for the texts is a fault", () => {
  assert.throws(() => withTexts(Buffer.from("<html></body>"), "ar", {}, {}), /src\/index\.html has to have <html/);
});
