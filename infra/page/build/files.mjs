// Files by their content: each name has a part of the file's hash, and who loads it knows the whole hash.

import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/** here is the path of a file below infra/page. */
export const here = (path) => fileURLToPath(new URL("../" + path, import.meta.url));

export const hash = (name, content, encoding) => createHash(name).update(content).digest(encoding);

/** packed is how many bytes a file has on the wire. */
export const packed = (content) => gzipSync(content, { level: 9 }).length;

/** contentsOf are the files that esbuild made, a Map of contents by name. */
export const contentsOf = (outputFiles) =>
  new Map(outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]));

/** named is a file that esbuild made: its name, code, and what loadScript takes. */
export function named({ path, contents }) {
  const [name, code] = [basename(path), Buffer.from(contents)];
  return { name, code, file: `/${name} sha256-${hash("sha256", code, "base64")}` };
}

/** dataFile is a value as a file of JSON. src/service/file.ts makes the name of the sum in the same way. */
export function dataFile([file, value]) {
  const content = Buffer.from(JSON.stringify(value));
  const sum = hash("sha256", content, "base64");
  return { file, content, sum, name: `${file}-${sum.slice(0, 8).replace(/\W/g, "0")}.json` };
}

export const sumsOf = (files) => Object.fromEntries(files.map(({ file, sum }) => [file, sum]));

/** licences are the texts of the licences of packages. */
export async function licences(...packages) {
  const texts = packages.map(async (name) => {
    const folder = here(`node_modules/${name}`);
    const file = (await readdir(folder)).find((file) => file.startsWith("LICENSE"));
    return `${name}\n${(await readFile(join(folder, file), "utf8")).trim()}`;
  });
  return (await Promise.all(texts)).join("\n\n");
}
