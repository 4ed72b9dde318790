// The frame of Google Pay and the admin page: each a site of its own, a Map of contents by name.

import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { build } from "esbuild";
import { contentsOf, here, licences, packed } from "./files.mjs";
import { addIndex } from "./html.mjs";
import { common, credit, preact } from "./scripts.mjs";

const adminLimit = 66 * 1024; // of the admin page's scripts and style sheet
const adminStart = 46 * 1024; // of those that each of its views loads

/** walletFrame is the frame of Google Pay. */
export async function walletFrame() {
  const entryPoints = ["frame/frame.ts", "frame/frame.css"];
  const files = contentsOf((await build({ ...common, entryPoints, format: "esm" })).outputFiles);
  addIndex(files, await readFile(here("frame/index.html"), "utf8"));
  return files;
}

/** adminPage is the page of operators, no part of the checkout page's release: an operator's own machine serves it. */
export async function adminPage() {
  const { outputFiles, metafile } = await build({
    ...common,
    ...preact,
    ...credit("Preact"),
    entryPoints: ["admin/main.tsx", "admin/style.css"],
    format: "esm",
    splitting: true,
    chunkNames: "[name]-[hash]",
    metafile: true,
  });
  const isMain = ({ path }) => Number(/^main-/.test(basename(path)));
  const files = contentsOf(outputFiles.sort((a, b) => isMain(a) - isMain(b))); // the last is the script of its index
  checkSizes(files, metafile);
  addIndex(files, await readFile(here("admin/index.html"), "utf8"));
  return files.set("licences.txt", Buffer.from(await licences("preact")));
}

function checkSizes(files, metafile) {
  const sizeOf = (names) => names.reduce((sum, name) => sum + packed(files.get(name)), 0);
  const ofSettings = ([, { entryPoint }]) => entryPoint?.startsWith("admin/settings/");
  const later = Object.entries(metafile.outputs).filter(ofSettings).map(([path]) => basename(path));
  const start = sizeOf([...files.keys()].filter((name) => !later.includes(name)));
  const size = sizeOf([...files.keys()]);
  const loads = `the admin page loads ${start} of ${adminStart} bytes, for settings ${size} of ${adminLimit}`;
  if (later.length !== 1 || start > adminStart || size > adminLimit) throw new Error(loads);
  console.log(loads);
}
