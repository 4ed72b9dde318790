// Scripts and style sheets, made by esbuild.

import { build } from "esbuild";
import { contentsOf, here, named } from "./files.mjs";
import { given, sharing } from "./shared.mjs";

/** common are the options of all scripts. */
export const common = {
  absWorkingDir: here("."),
  outdir: "dist",
  entryNames: "[name]-[hash]",
  bundle: true,
  minify: true,
  write: false,
  target: ["es2021", "chrome94", "firefox93", "safari15.4"],
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
};

/** preact are the options of scripts that have elements, and credit says where the licence of what they have is. */
export const preact = { jsx: "automatic", jsxImportSource: "preact" };
export const credit = (licence) => ({ banner: { js: `/*! licences.txt has the licence of ${licence}. */` } });

const quoted = (words) =>
  Object.fromEntries(Object.entries(words).map(([name, value]) => [name, JSON.stringify(value)]));

/** evaluate is what a module exports that is written in TypeScript or imports such, by paths below infra/page. */
export async function evaluate(contents) {
  const { outputFiles } = await build({
    absWorkingDir: here("."),
    stdin: { contents, resolveDir: here(".") },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    logLevel: "warning",
  });
  return import("data:text/javascript;base64," + Buffer.from(outputFiles[0].contents).toString("base64"));
}

/** later is a script that is loaded when it is needed. */
export async function later(entry, globalName, licence, define = {}) {
  const { outputFiles } = await build({
    ...common,
    ...preact,
    ...credit(licence),
    entryPoints: [entry],
    format: "iife",
    globalName,
    define: quoted(define),
    plugins: [sharing],
  });
  return named(outputFiles[0]);
}

export async function styles(entry) {
  return named((await build({ ...common, entryPoints: [entry] })).outputFiles[0]);
}

/** rulesOf are the rules of a style sheet, which a script adds one by one. */
export async function rulesOf(entry) {
  return splitRules((await styles(entry)).code.toString());
}

/** splitRules are the rules of the text of a style sheet. */
export function splitRules(sheet) {
  const rules = [""];
  let depth = 0;
  for (const letter of sheet.trim()) {
    rules[rules.length - 1] += letter;
    depth += { "{": 1, "}": -1 }[letter] ?? 0;
    if (letter === "}" && depth === 0) rules.push("");
  }
  return rules.filter(Boolean);
}

/**
 * pageScript is the page's script and its style sheet. Of English it has what a page says before any texts have come,
 * of states only which countries have some.
 */
export async function pageScript(english, states, files) {
  const json = (value) => () => ({ contents: JSON.stringify(value), loader: "json" });
  const countries = Object.fromEntries(Object.keys(states).map((country) => [country, []]));
  const core = {
    name: "core",
    setup({ onLoad }) {
      onLoad({ filter: /src\/shared\.ts$/ }, () => ({ contents: given(), resolveDir: here("src") }));
      onLoad({ filter: /words\/en\.json$/ }, json(english));
      onLoad({ filter: /states\.json$/ }, json(countries));
    },
  };
  const { outputFiles } = await build({
    ...common,
    ...preact,
    ...credit("Preact"),
    entryPoints: ["src/main.tsx", "src/look/style.css"],
    format: "esm",
    define: quoted(files),
    plugins: [core],
  });
  return contentsOf(outputFiles);
}
