// The pictures that operators put into a folder: merchants' logos, and in its folders networks and methods their own
// marks, which the page shows instead of its drawings. What can't be one is a fault of the build, not a broken picture.

import { readdir, readFile } from "node:fs/promises";
import { hash } from "./files.mjs";

const logoName = /^[a-z0-9][a-z0-9._-]{0,63}\.(png|svg|webp)$/; // internal/settings/branding.go has the same
const markName = /^([a-z0-9_]+)\.(png|svg|webp)$/;
const logoLimit = 64 * 1024;
const markLimit = 16 * 1024; // a page may show ten of them

const isKind = {
  png: (content) => content.subarray(0, 8).toString("latin1") === "\x89PNG\r\n\x1a\n",
  svg: (content) => /<svg[\s>]/.test(content),
  webp: (content) => /^RIFF....WEBP/s.test(content.subarray(0, 12).toString("latin1")),
};

// What a drawing has no use for. Browsers run and load nothing in a picture; opened by itself it is a document.
const unsafe = [
  [/<script\b|\son[a-z]+\s*=|javascript:/i, "a script"],
  [/<foreignObject\b|<!ENTITY\b/i, "a foreignObject or an entity"],
  [/\b(?:href|src)\s*=\s*["']?\s*(?!["'\s]|#|data:image\/)/i, "a reference to something outside"],
  [/\burl\(\s*["']?\s*(?!["'\s]|#|data:image\/)|@import\b|<\?xml-stylesheet\b/i, "a reference to something outside"],
];

/**
 * logos are a folder's logos and marks by name, and the rules that draw the marks where the page has our drawings.
 * Known has the ids of each folder of marks.
 */
export async function logos(folder, known) {
  const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => !name.startsWith("."));
  const files = [];
  const rules = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const { name } = entry;
    if (!entry.isDirectory()) {
      const path = `${folder}/${name}`;
      const kind = kindOf(path, logoName.exec(name)?.[1], "a logo has a name such as shop.svg");
      files.push([name, await read(path, kind, logoLimit)]);
      continue;
    }
    if (!Object.hasOwn(known, name)) {
      throw new Error(`${folder}/${name}: the folders of marks are ${Object.keys(known).join(" and ")}`);
    }
    for (const mark of await marksOf(folder, name, known[name])) {
      files.push([mark.name, mark.content]);
      rules.push(rulesOf[name](mark.id, mark.name));
    }
  }
  return { files, rules: rules.join("") };
}

// The rules by which a picture stands where our drawing is drawn, and of a network where its name is written beside the
// number. Both can still be read aloud.
const rulesOf = {
  networks: (id, file) =>
    `.marks .n-${id},.mark.n-${id}{background:url(/logos/${file}) center/contain no-repeat;outline:0;border:0}` +
    `.marks .n-${id}>*{visibility:hidden}.known .n-${id}:not(.lit){opacity:.4}` +
    `.mark.n-${id}{inline-size:2.25rem;block-size:1.5rem;font-size:0}`,
  methods: (id, file) =>
    `.icon-box.m-${id}{background:url(/logos/${file}) center/contain no-repeat;border:0}` +
    `.icon-box.m-${id}>*{visibility:hidden}`,
};

// marksOf are the marks of a folder's folder: the id, the name with the hash, and the content of each.
async function marksOf(folder, group, ids) {
  const names = (await readdir(`${folder}/${group}`)).filter((name) => !name.startsWith(".")).sort();
  return Promise.all(
    names.map(async (name) => {
      const path = `${folder}/${group}/${name}`;
      const [, id, ending] = markName.exec(name) ?? [];
      const kind = kindOf(path, ending, `a mark has a name such as ${ids[0]}.svg`);
      if (names.some((other) => other < name && other.startsWith(id + "."))) {
        throw new Error(`${path}: there is another file of ${id}`);
      }
      if (!ids.includes(id)) throw new Error(`${path}: there is no ${id} among the ${group}: ${ids.join(", ")}`);
      const content = await read(path, kind, markLimit);
      const sum = hash("sha256", content, "hex").slice(0, 8);
      return { id, name: `${group}/${id}-${sum}.${kind}`, content };
    }),
  );
}

function kindOf(path, kind, rule) {
  if (!kind) throw new Error(`${path}: ${rule}, .png or .webp`);
  return kind;
}

async function read(path, kind, limit) {
  const content = await readFile(path);
  if (content.length > limit) throw new Error(`${path}: larger than ${limit} bytes`);
  if (!isKind[kind](content)) throw new Error(`${path}: this is no ${kind}`);
  const fault = kind === "svg" && unsafe.find(([pattern]) => pattern.test(content));
  if (fault) throw new Error(`${path}: it has ${fault[1]}`);
  return content;
}
