// The merchants' logos, which operators put into a folder.

import { readdir, readFile } from "node:fs/promises";

const limit = 64 * 1024;
const logoName = /^[a-z0-9][a-z0-9._-]{0,63}\.(png|svg|webp)$/; // internal/settings/branding.go has the same
const isLogo = {
  png: (content) => content.subarray(0, 8).toString("latin1") === "\x89PNG\r\n\x1a\n",
  svg: (content) => /<svg[\s>]/.test(content),
  webp: (content) => /^RIFF....WEBP/s.test(content.subarray(0, 12).toString("latin1")),
};

/** logos returns the logos by name. What can't be one is a fault of the build, not a broken picture on the page. */
export async function logos(folder) {
  const files = (await readdir(folder)).filter((name) => !name.startsWith("."));
  const checked = async (name) => [name, checkLogo(`${folder}/${name}`, name, await readFile(`${folder}/${name}`))];
  return Promise.all(files.map(checked));
}

function checkLogo(path, name, content) {
  const kind = logoName.exec(name)?.[1];
  if (!kind) throw new Error(`${path}: a logo has a name such as shop.svg, shop.png or shop.webp`);
  if (content.length > limit) throw new Error(`${path}: larger than ${limit} bytes`);
  if (!isLogo[kind](content)) throw new Error(`${path}: this is no ${kind}`);
  return content;
}
