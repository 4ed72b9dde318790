// Builds dist/: index.html with its style sheet, the same with the first texts of each language (de.html), one script, and
// what is loaded when it is needed: for each language a file of its first texts, for a page that came without them, and one of
// the rest; lists of states and countries, four scripts, two style sheets. All but the pages have their hash in their name and
// in an integrity attribute or option. Of English the script has what a page says before any texts have come.
// Fails when a first visit in the heaviest language loads more than the limit, after gzip -9.
// dist/logos/ has the merchants' logos: the files of the folder that LOGOS names, infra/logos if it names none.
// dist-wallet/ has the frame of Google Pay, a page for another origin: index.html, in which {PAGE_ORIGIN} stands for the
// origin of the page, one script, one style sheet.
// dist-admin/ has the page of operators: index.html, its scripts, of which one is loaded for settings alone, one style sheet;
// they have limits as well.
// dist/.well-known/ has the file by which Apple Pay knows the domain, if APPLE_PAY_FILE or infra/wallet has one.
// release.json has the hashes of what is built, for inventory.mjs and upload-page; a script has to be in scripts.json.

import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { approvals, release } from "./inventory.mjs";

const limit = 44_000; // of a first visit, on the wire
const around = 4_200; // of it: the screen, the demo's logo and all headers, which TestLanguages measures with a browser
const adminLimit = 66 * 1024; // of the admin page's scripts and style sheet
const adminStart = 46 * 1024; // of those that each of its views loads
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

async function licences(...packages) {
  const texts = packages.map(async (name) => {
    const folder = here(`node_modules/${name}`);
    const file = (await readdir(folder)).find((file) => file.startsWith("LICENSE"));
    return `${name}\n${(await readFile(join(folder, file), "utf8")).trim()}`;
  });
  return (await Promise.all(texts)).join("\n\n");
}

// languages returns the content of each file of texts. Names of countries come from Node's ICU where browsers have none.
async function languages() {
  const result = await build({
    absWorkingDir: here("."),
    stdin: {
      contents: `
        export { catalogues, names, partsOf } from "./catalogues";
        export { countryNames } from "../fields/countries";`,
      resolveDir: here("src/texts"),
    },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    logLevel: "warning",
  });
  const code = Buffer.from(result.outputFiles[0].contents).toString("base64");
  const { catalogues, names, partsOf, countryNames } = await import("data:text/javascript;base64," + code);
  const texts = Object.entries(catalogues).flatMap(([language, all]) => {
    const parts = partsOf(all, names[language]);
    return [[language, parts.first], [language + "-rest", parts.rest]];
  });
  const countries = ["kk", "az"].map((tag) => ["places-" + tag, Object.fromEntries(countryNames(tag))]);
  return { english: early(catalogues.en), texts, countries };
}

// early are the texts of a page that could not fetch any.
function early({ tag, dir, title_plain, ask_now, headings, messages }) {
  const some = ["connection_lost", "technical_problem"];
  const keep = (part) => Object.fromEntries(some.map((key) => [key, part[key]]));
  return { tag, dir, title_plain, ask_now, headings: keep(headings), messages: keep(messages) };
}

const hash = (name, content, encoding) => createHash(name).update(content).digest(encoding);

// common are the options of all scripts.
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

// What later scripts have of the page, by module: its code and what it knows are there once.
const shared = {
  preact: ["Fragment"],
  "preact/hooks": ["useEffect", "useLayoutEffect", "useRef", "useState"],
  "preact/jsx-runtime": ["Fragment", "jsx", "jsxs"],
  "src/texts/lookup": ["fieldTexts", "fill", "methodText", "shownText", "textOf", "walletText"],
  "src/texts/amount": ["amountAndUnit", "formatAmount"],
  "src/texts/locales": ["formatTime"],
  "src/flow/leave": ["mayGo", "mayOpen"],
  "src/look/icons": ["Drawing", "Icon"],
  "src/look/message": ["messageOf", "tone"],
  "src/fields/card": ["brandNames", "brandOf", "digitsOf", "parseExpiry"],
  "src/fields/check": ["plain"],
  "src/fields/fields": ["Fields", "formID"],
  "src/fields/values": ["valueOf", "without"],
};
const also = { "src/texts/index": ["src/texts/lookup", "src/texts/locales"] }; // a module that only passes on

// given is the source of the module of the page's script that gives all of it, taken that of a module of a later script.
const all = Object.entries(shared).flatMap(([module, names]) => names.map((name) => [module, name]));
const placeOf = (module, name) => all.findIndex(([of, one]) => of === module && one === name);
const given = () => {
  const imports = all.map(([module, name], i) => `import { ${name} as _${i} } from "${module.replace(/^src\//, "./")}";`);
  return `${imports.join("\n")}\nglobalThis.checkoutShared = [${all.map((_, i) => "_" + i)}];\n`;
};
const taken = (module) => shared[module].map((name) => `export const ${name} = checkoutShared[${placeOf(module, name)}];`).join("\n");
const passed = (module) => also[module].map((from) => `export * from ${JSON.stringify("shared:" + from)};`).join("\n");

const sharing = {
  name: "sharing",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(\.|preact)/ }, ({ path, resolveDir }) => {
      const module = path.startsWith(".") ? relative(here("."), join(resolveDir, path)) : path;
      const found = [module, module + "/index"].find((name) => Object.hasOwn(shared, name) || Object.hasOwn(also, name));
      return found && { path: found, namespace: "shared" };
    });
    onResolve({ filter: /^shared:/ }, ({ path }) => ({ path: path.slice("shared:".length), namespace: "shared" }));
    onLoad({ filter: /./, namespace: "shared" }, ({ path }) => ({ contents: Object.hasOwn(also, path) ? passed(path) : taken(path) }));
  },
};

// later is a script that is loaded when it is needed: its name, code, and what loadScript takes.
async function later(entry, globalName, licence, define = {}) {
  const { outputFiles } = await build({
    ...common,
    entryPoints: [entry],
    format: "iife",
    globalName,
    define: quoted(define),
    plugins: [sharing],
    jsx: "automatic",
    jsxImportSource: "preact",
    banner: { js: `/*! licences.txt has the licence of ${licence}. */` },
  });
  return named(outputFiles[0]);
}

async function styles(entry) {
  return named((await build({ ...common, entryPoints: [entry] })).outputFiles[0]);
}

// rulesOf are the rules of a style sheet, which a script adds one by one.
async function rulesOf(entry) {
  const { code } = await styles(entry);
  const rules = [""];
  let depth = 0;
  for (const letter of code.toString().trim()) {
    rules[rules.length - 1] += letter;
    depth += { "{": 1, "}": -1 }[letter] ?? 0;
    if (letter === "}" && depth === 0) rules.push("");
  }
  return rules.filter(Boolean);
}

function named({ path, contents }) {
  const [name, code] = [basename(path), Buffer.from(contents)];
  return { name, code, file: `/${name} sha256-${hash("sha256", code, "base64")}` };
}

const quoted = (words) => Object.fromEntries(Object.entries(words).map(([name, value]) => [name, JSON.stringify(value)]));

async function bundle(english, states, files) {
  const json = (value) => () => ({ contents: JSON.stringify(value), loader: "json" });
  const core = {
    name: "core",
    setup({ onLoad }) {
      onLoad({ filter: /src\/shared\.ts$/ }, () => ({ contents: given(), resolveDir: here("src") }));
      onLoad({ filter: /words\/en\.json$/ }, json(english));
      onLoad({ filter: /states\.json$/ }, json(Object.fromEntries(Object.keys(states).map((country) => [country, []]))));
    },
  };
  const result = await build({
    ...common,
    entryPoints: ["src/main.tsx", "src/look/style.css"],
    format: "esm",
    define: quoted(files),
    plugins: [core],
    jsx: "automatic",
    jsxImportSource: "preact",
    banner: { js: "/*! licences.txt has the licence of Preact. */" },
  });
  return new Map(result.outputFiles.map((file) => [basename(file.path), Buffer.from(file.contents)]));
}

// addIndex adds a page with the names and hashes of its script and its style sheet. A style sheet that the page has
// within it is no file.
async function addIndex(files, page, within = false) {
  const words = {};
  for (const [name, content] of files) {
    const what = name.endsWith(".css") ? "style" : "script";
    words[what] = name;
    words[`${what}-integrity`] = "sha384-" + hash("sha384", content, "base64");
    if (what === "script" || !within) continue;
    words.style = content.toString();
    words["style-integrity"] = "sha256-" + hash("sha256", content, "base64");
    files.delete(name);
  }
  const html = (await readFile(here(page), "utf8")).replace(/\n +/g, "\n");
  files.set("index.html", Buffer.from(html.replace(/\{([a-z-]+)\}/g, (_, word) => words[word])));
}

// withTexts is index.html with the first texts of a language and the hashes of its other files as data, which no browser
// executes.
function withTexts(index, language, texts, files) {
  const data = JSON.stringify({ texts, files }).replaceAll("<", "\\u003c");
  const block = `<script type="application/json" id="texts-${language}">${data}</script>`;
  const put = (html, mark, text) => {
    if (html.split(mark).length !== 2) throw new Error(`src/index.html has to have ${mark} once`);
    return html.replace(mark, () => text);
  };
  const html = put(index.toString(), '<html lang="en" dir="ltr">', `<html lang="${texts.tag}" dir="${texts.dir}">`);
  return Buffer.from(put(html, "</body>", `${block}\n</body>`));
}

async function walletFrame() {
  const { outputFiles } = await build({ ...common, entryPoints: ["frame/frame.ts", "frame/frame.css"], format: "esm" });
  const files = new Map(outputFiles.map((file) => [basename(file.path), Buffer.from(file.contents)]));
  await addIndex(files, "frame/index.html");
  return files;
}

// adminPage is no part of the checkout page's release: an operator's own machine serves it.
async function adminPage() {
  const { outputFiles, metafile } = await build({
    ...common,
    entryPoints: ["admin/main.tsx", "admin/style.css"],
    format: "esm",
    splitting: true,
    chunkNames: "[name]-[hash]",
    metafile: true,
    jsx: "automatic",
    jsxImportSource: "preact",
    banner: { js: "/*! licences.txt has the licence of Preact. */" },
  });
  const mainLast = (a, b) => Number(/^main-/.test(basename(a.path))) - Number(/^main-/.test(basename(b.path))); // for its index
  const files = new Map(outputFiles.sort(mainLast).map((file) => [basename(file.path), Buffer.from(file.contents)]));
  const sizeOf = (names) => names.reduce((sum, name) => sum + gzipSync(files.get(name), { level: 9 }).length, 0);
  const later = Object.entries(metafile.outputs).filter(([, { entryPoint }]) => entryPoint?.startsWith("admin/settings/"));
  const start = sizeOf([...files.keys()].filter((name) => !later.some(([path]) => basename(path) === name)));
  const size = sizeOf([...files.keys()]);
  console.log(`the admin page loads ${start} of ${adminStart} bytes, for settings ${size} of ${adminLimit}`);
  if (later.length !== 1 || start > adminStart || size > adminLimit) throw new Error("the admin page is too large");
  await addIndex(files, "admin/index.html");
  return files.set("licences.txt", Buffer.from(await licences("preact")));
}

const logoLimit = 64 * 1024;
const logoName = /^[a-z0-9][a-z0-9._-]{0,63}\.(png|svg|webp)$/; // internal/settings/branding.go has the same
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

const association = "apple-developer-merchantid-domain-association";

// domainFile is the content of that file, null where there is none. One that is not its plain text would be refused.
async function domainFile(path) {
  const content = await readFile(path).catch(() => null);
  if (content && (content.length === 0 || content.length > 64 * 1024 || !/^[\x20-\x7e\r\n]+$/.test(content.toString("latin1")))) {
    throw new Error(`${path}: this is not the file that Apple Pay gives for a domain`);
  }
  return content;
}

async function main() {
  const { english, texts, countries } = await languages();
  const states = JSON.parse(await readFile(here("../../internal/method/states.json"), "utf8"));
  const fileOf = ([file, value]) => {
    const content = Buffer.from(JSON.stringify(value));
    const sum = hash("sha256", content, "base64");
    return { file, content, sum, name: `${file}-${sum.slice(0, 8).replace(/\W/g, "0")}.json` }; // as file.ts makes it
  };
  const sumsOf = (files) => Object.fromEntries(files.map(({ file, sum }) => [file, sum]));
  const words = texts.map(fileOf);
  const placeFiles = [...countries, ["places-states", states]].map(fileOf);
  const languagesFile = fileOf(["languages", sumsOf(words)]);
  const rows = await later("src/methods/rows.tsx", "checkoutRows", "Lean QR");
  const rules = await rulesOf("src/form/after.css");
  const after = await later("src/form/after.ts", "checkoutAfter", "HPKE", { AFTER_RULES: rules });
  const walletStyle = await styles("src/wallets/wallet.css");
  const wallet = await later("src/wallets/wallet.ts", "checkoutWallet", "Preact", { WALLET_STYLE: walletStyle.file });
  const testStyle = await styles("src/wallets/testwallet.css");
  const testWallet = await later("src/wallets/testwallet.tsx", "checkoutTestWallet", "Preact", { TEST_WALLET_STYLE: testStyle.file });
  const scripts = { ROWS_FILE: rows.file, WALLET_FILE: wallet.file, TEST_WALLET_FILE: testWallet.file };
  const places = Object.fromEntries(placeFiles.map(({ file, sum }) => [file.replace("places-", ""), sum]));
  const known = { LANGUAGES_SUM: languagesFile.sum, PLACE_FILES: places, AFTER_FILE: after.file, ...scripts };
  const files = await bundle(english, states, known);
  await addIndex(files, "src/index.html", true);
  const index = files.get("index.html");
  const pages = texts.filter(([file]) => !file.includes("-")).map(([language, first]) => {
    const own = words.filter(({ file }) => file.startsWith(language + "-"));
    return [language + ".html", withTexts(index, language, first, sumsOf(own))];
  });
  const frame = await walletFrame();
  const more = [after, rows, wallet, walletStyle, testWallet, testStyle].map(({ name, code }) => [name, code]);
  const built = release(new Map([...files, ...pages, ...more]), frame, await approvals());

  const pictures = await logos(process.env.LOGOS || here("../logos"));
  const domain = await domainFile(process.env.APPLE_PAY_FILE || here("../wallet/" + association));
  const admin = await adminPage();
  for (const folder of ["dist", "dist-wallet", "dist-admin"]) await rm(here(folder), { recursive: true, force: true });
  await mkdir(here("dist-wallet"));
  await mkdir(here("dist-admin"));
  for (const [name, content] of admin) await writeFile(here(`dist-admin/${name}`), content);
  for (const [name, content] of frame) await writeFile(here(`dist-wallet/${name}`), content);
  await mkdir(here("dist/logos"), { recursive: true });
  for (const [name, content] of pictures) await writeFile(here(`dist/logos/${name}`), content);
  if (domain) {
    await mkdir(here("dist/.well-known"));
    await writeFile(here("dist/.well-known/" + association), domain);
  }
  await writeFile(here("dist/licences.txt"), await licences("preact", "hpke", "lean-qr")); // which no payer's browser loads
  const write = async ([name, content]) => {
    const size = gzipSync(content, { level: 9 }).length;
    console.log(`${name}: ${content.length} bytes, ${size} after gzip -9`);
    await writeFile(here(`dist/${name}`), content);
    return size;
  };
  const sizes = {};
  for (const file of [...files, ...pages]) sizes[file[0]] = await write(file);
  for (const { file, name, content } of [...words, ...placeFiles, languagesFile]) sizes[file] = await write([name, content]);
  for (const file of more) await write(file);
  await writeFile(here("release.json"), JSON.stringify(built) + "\n");
  const script = [...files.keys()].find((name) => name.endsWith(".js"));
  const visits = pages.map(([name]) => [sizes[script] + sizes[name] + around, name]);
  const [visit, heaviest] = visits.sort(([a], [b]) => b - a)[0];
  console.log(`a first visit to ${heaviest} loads ${visit} of ${limit} bytes`);
  if (visit > limit) throw new Error("the page is too large");
}

await main();
