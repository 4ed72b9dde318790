// Builds dist/: index.html, one script, one style sheet, each with its hash in its name and in an integrity attribute.
// Fails when all of it together is larger than the limit after gzip -9.

import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const limit = 40 * 1024;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

async function licences() {
  const texts = ["preact", "@hpke/core"].map(async (name) => {
    const text = await readFile(here(`node_modules/${name}/LICENSE`), "utf8");
    return `${name}\n${text.trim()}`;
  });
  return (await Promise.all(texts)).join("\n\n");
}

async function bundle() {
  const result = await build({
    absWorkingDir: here("."),
    entryPoints: ["src/main.tsx", "src/style.css"],
    outdir: "dist",
    entryNames: "[name]-[hash]",
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: ["es2021", "chrome94", "firefox93", "safari15.4"],
    charset: "utf8",
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    banner: { js: "/*! licences.txt has the licences of Preact and HPKE. */" },
    logLevel: "warning",
  });
  return new Map(result.outputFiles.map((file) => [basename(file.path), Buffer.from(file.contents)]));
}

async function main() {
  const files = await bundle();
  const words = {};
  for (const [name, content] of files) {
    const what = name.endsWith(".css") ? "style" : "script";
    words[what] = name;
    words[`${what}-integrity`] = "sha384-" + createHash("sha384").update(content).digest("base64");
  }
  const html = await readFile(here("src/index.html"), "utf8");
  files.set("index.html", Buffer.from(html.replace(/\{([a-z-]+)\}/g, (_, word) => words[word])));

  await rm(here("dist"), { recursive: true, force: true });
  await mkdir(here("dist"));
  await writeFile(here("dist/licences.txt"), await licences()); // which no payer's browser loads
  let sum = 0;
  for (const [name, content] of files) {
    const size = gzipSync(content, { level: 9 }).length;
    sum += size;
    console.log(`${name}: ${content.length} bytes, ${size} after gzip -9`);
    await writeFile(here(`dist/${name}`), content);
  }
  console.log(`together ${sum} of ${limit} bytes`);
  if (sum > limit) throw new Error("the page is too large");
}

await main();
