// Builds dist/: index.html, one script, one style sheet, one JSON file of texts for each language but English, which is in
// the script, and one of the names of methods for each, which only screens with methods other than cards load. All but
// index.html have their hash in their name and in an integrity attribute or option.
// Fails when what one visit with a card in the heaviest language loads is larger than the limit after gzip -9.
// dist/logos/ has the merchants' logos: the files of the folder that LOGOS names, infra/logos if it names none.

import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
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

// languages returns the content of each file of texts. Names of countries come from Node's ICU where browsers have none.
async function languages() {
  const result = await build({
    absWorkingDir: here("."),
    stdin: {
      contents: `export { catalogues, names } from "./catalogues"; export { countryNames } from "../countries";`,
      resolveDir: here("src/texts"),
    },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    logLevel: "warning",
  });
  const code = Buffer.from(result.outputFiles[0].contents).toString("base64");
  const { catalogues, names, countryNames } = await import("data:text/javascript;base64," + code);
  const texts = Object.entries(catalogues).filter(([language]) => language !== "en");
  const files = texts.map(([language, own]) => {
    const countries = ["kk", "az"].includes(own.tag) && Object.fromEntries(countryNames(own.tag));
    return [language, { ...own, ...(countries && { countries }) }];
  });
  for (const [language, own] of Object.entries(names)) files.push([language + "-names", { names: own }]);
  return files.map(([file, content]) => [file, Buffer.from(JSON.stringify(content))]);
}

const hash = (name, content, encoding) => createHash(name).update(content).digest(encoding);

// common are the options of both scripts.
const common = {
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

// sealing is the script that only forms with sealed fields load.
async function sealing() {
  const { outputFiles } = await build({
    ...common,
    entryPoints: ["src/seal.ts"],
    format: "iife",
    globalName: "checkoutSeal",
    banner: { js: "/*! licences.txt has the licence of HPKE. */" },
  });
  return [basename(outputFiles[0].path), Buffer.from(outputFiles[0].contents)];
}

async function bundle(languageFiles, sealFile) {
  const result = await build({
    ...common,
    entryPoints: ["src/main.tsx", "src/style.css"],
    format: "esm",
    define: { LANGUAGE_FILES: JSON.stringify(languageFiles), SEAL_FILE: JSON.stringify(sealFile) },
    jsx: "automatic",
    jsxImportSource: "preact",
    banner: { js: "/*! licences.txt has the licence of Preact. */" },
  });
  return new Map(result.outputFiles.map((file) => [basename(file.path), Buffer.from(file.contents)]));
}

const logoLimit = 64 * 1024;
const logoName = /^[a-z0-9][a-z0-9._-]{0,63}\.(png|svg|webp)$/; // internal/merchant/branding.go has the same
const isLogo = {
  png: (content) => content.subarray(0, 8).toString("latin1") === "\x89PNG\r\n\x1a\n",
  svg: (content) => /<svg[\s>]/.test(content),
  webp: (content) => /^RIFF....WEBP/s.test(content.subarray(0, 12).toString("latin1")),
};

// logos returns the logos by name. What can't be one is a fault of the build, not a broken picture on the page.
async function logos(folder) {
  const files = (await readdir(folder)).filter((name) => !name.startsWith("."));
  const found = files.map(async (name) => {
    const kind = logoName.exec(name)?.[1];
    if (!kind) throw new Error(`${folder}/${name}: a logo has a name such as shop.svg, shop.png or shop.webp`);
    const content = await readFile(`${folder}/${name}`);
    if (content.length > logoLimit) throw new Error(`${folder}/${name}: larger than ${logoLimit} bytes`);
    if (!isLogo[kind](content)) throw new Error(`${folder}/${name}: this is no ${kind}`);
    return [name, content];
  });
  return Promise.all(found);
}

async function main() {
  const texts = new Map();
  const languageFiles = {};
  for (const [file, content] of await languages()) {
    const sum = hash("sha256", content, "base64");
    texts.set(`${file}-${sum.slice(0, 8).replace(/\W/g, "0")}.json`, content); // as load.ts makes the name
    languageFiles[file] = sum;
  }
  const [sealName, sealCode] = await sealing();
  const files = await bundle(languageFiles, `/${sealName} sha384-${hash("sha384", sealCode, "base64")}`);
  const words = {};
  for (const [name, content] of files) {
    const what = name.endsWith(".css") ? "style" : "script";
    words[what] = name;
    words[`${what}-integrity`] = "sha384-" + hash("sha384", content, "base64");
  }
  const html = await readFile(here("src/index.html"), "utf8");
  files.set("index.html", Buffer.from(html.replace(/\{([a-z-]+)\}/g, (_, word) => words[word])));

  const pictures = await logos(process.env.LOGOS || here("../logos"));
  await rm(here("dist"), { recursive: true, force: true });
  await mkdir(here("dist/logos"), { recursive: true });
  for (const [name, content] of pictures) await writeFile(here(`dist/logos/${name}`), content);
  await writeFile(here("dist/licences.txt"), await licences()); // which no payer's browser loads
  const write = async ([name, content]) => {
    const size = gzipSync(content, { level: 9 }).length;
    console.log(`${name}: ${content.length} bytes, ${size} after gzip -9`);
    await writeFile(here(`dist/${name}`), content);
    return size;
  };
  let page = 0;
  for (const file of files) page += await write(file);
  const heaviest = { texts: 0, names: 0 };
  for (const file of texts) {
    const kind = file[0].includes("-names-") ? "names" : "texts";
    heaviest[kind] = Math.max(heaviest[kind], await write(file));
  }
  await write([sealName, sealCode]);
  const visit = page + heaviest.texts;
  console.log(`a visit in the heaviest language loads ${visit} of ${limit} bytes, ${heaviest.names} more for other methods`);
  if (visit > limit) throw new Error("the page is too large");
}

await main();
