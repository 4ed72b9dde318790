// The scripts of the checkout page and of the frame of Google Pay: what they are by their hashes, and by scripts.json
// why each is there and who has approved it. build.mjs calls release, which fails for a script that scripts.json does
// not name, and writes what it returns into release.json: what is deployed, and what the Guard function compares with.
// As a command it prints release.json with scripts.json as a table, or with -json as JSON.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { argv, env } from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const readJSON = async (path) => JSON.parse(await readFile(here(path), "utf8"));

export const approvals = () => readJSON("scripts.json");

const integrity = (content) => "sha384-" + createHash("sha384").update(content).digest("base64");
const pattern = (file) =>
  new RegExp(
    "^" +
      file
        .split("*")
        .map((part) => part.replace(/[.]/g, "\\."))
        .join("[A-Z0-9]{8}") +
      "$",
  );

// matches reports whether an entry of scripts.json is about a script, by its file or its url.
const matches = (entry, script) =>
  entry.file ? pattern(entry.file).test(script.name ?? "") : entry.url === script.url;

// A page may have its texts within it, as data that ends where the first < comes. Browsers execute no such type.
const texts = /<script type="application\/json" id="texts-[a-z]+">[^<]*<\/script>/;

// siteOf lists a site's files, a Map of contents by name: its index.html with the files that this loads, its other
// pages, its scripts and its style sheets. Scripts of others are those whose address stands in index.html or in a
// script.
function siteOf(files) {
  const index = files.get("index.html");
  for (const [name, content] of files) {
    if (name.endsWith(".html") && /<script\b(?![^>]*\ssrc=")/i.test(content.toString().replace(texts, ""))) {
      throw new Error(name + " has a script in itself, which no policy allows");
    }
  }
  const those = (ending) => [...files].filter(([name]) => name.endsWith(ending)).sort(([a], [b]) => (a < b ? -1 : 1));
  const listed = ([name, content]) => ({ name, bytes: content.length, integrity: integrity(content) });
  const [scripts, styles] = [those(".js"), those(".css")];
  const others = [index, ...scripts.map(([, code]) => code)].flatMap(
    (text) => text.toString().match(/https:\/\/[\w./-]+\.js\b/g) ?? [],
  );
  return {
    index: {
      ...listed(["index.html", index]),
      loads: [...scripts, ...styles].map(([name]) => name).filter((name) => index.includes(`"${name}"`)),
    },
    pages: those(".html")
      .filter(([name]) => name !== "index.html")
      .map(listed),
    scripts: scripts.map(listed),
    styles: styles.map(listed),
    others: [...new Set(others)].map((url) => ({ url })),
  };
}

// check fails unless scripts and entries belong to each other, one to one, and each entry says why and who.
function check(site, scripts, entries) {
  for (const entry of entries) {
    const name = entry.file ?? entry.url;
    if (!entry.purpose || !entry.approved_by || !/^\d{4}-\d\d-\d\d$/.test(entry.approved_at)) {
      throw new Error(`scripts.json, ${site}, ${name}: purpose, approved_by or approved_at is missing`);
    }
    if (!scripts.some((script) => matches(entry, script)))
      throw new Error(`scripts.json, ${site}: there is no ${name} any more`);
  }
  for (const script of scripts) {
    if (entries.filter((entry) => matches(entry, script)).length !== 1) {
      const name = script.name ?? script.url;
      throw new Error(`scripts.json, ${site}: it has to name ${name} once, with why it is there and who approved it`);
    }
  }
}

// release returns what is built, of the page and of the frame, each a Map of contents by name.
export function release(page, frame, approved) {
  const sites = { page: siteOf(page), frame: siteOf(frame) };
  for (const [site, { scripts, others }] of Object.entries(sites))
    check(site, [...scripts, ...others], approved[site] ?? []);
  return { version: version(), ...sites };
}

// version is that of a release, else how git describes the last commit of what the page is built from, or dev where
// there is none. The admin page is not released with it.
function version() {
  if (env.RELEASE_VERSION) return env.RELEASE_VERSION;
  const git = (...args) =>
    execFileSync("git", args, { cwd: here("."), encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  const sources = ["--", ".", ":!admin"];
  try {
    const commit = git("rev-list", "-1", "HEAD", ...sources);
    return git("describe", "--tags", "--always", commit) + (git("status", "--porcelain", ...sources) ? "-dirty" : "");
  } catch {
    return "dev";
  }
}

// rows are the lines of the inventory: every script, with its entry, and every page and style sheet.
export function rows(built, approved) {
  return ["page", "frame"].flatMap((site) => {
    const { index, pages, scripts, styles, others } = built[site];
    const entry = (script) => approved[site].find((one) => matches(one, script));
    const named = [...scripts, ...others].map((script) => {
      const { purpose, approved_by, approved_at } = entry(script);
      const { url, name = url, bytes = null, integrity = null } = script;
      return {
        site,
        kind: url ? "script of others" : "script",
        name,
        bytes,
        integrity,
        purpose,
        approved_by,
        approved_at,
      };
    });
    const rest = [...[index, ...pages].map((page) => ["page", page]), ...styles.map((style) => ["style sheet", style])];
    return [...named, ...rest.map(([kind, { name, bytes, integrity }]) => ({ site, kind, name, bytes, integrity }))];
  });
}

// table prints rows for people: two lines for each script.
function table(version, all) {
  const lines = [`The scripts of the checkout page and of the frame of Google Pay, release ${version}`];
  for (const row of all) {
    lines.push(
      "",
      `${row.site}  ${row.kind}  ${row.name}  ${row.bytes ? row.bytes + " bytes  " + row.integrity : "no hash"}`,
    );
    if (row.purpose) lines.push(`    why: ${row.purpose}`, `    approved by ${row.approved_by}, ${row.approved_at}`);
  }
  return lines.join("\n");
}

if (import.meta.url === pathToFileURL(argv[1] ?? "").href) {
  const built = await readJSON("release.json");
  const all = rows(built, await approvals());
  console.log(
    argv[2] === "-json" ? JSON.stringify({ version: built.version, files: all }, null, 2) : table(built.version, all),
  );
}
