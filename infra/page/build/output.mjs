// What is written, and how much of it a first visit loads.

import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { here, packed } from "./files.mjs";

const limit = 44_000; // of a first visit, on the wire
const around = 4_200; // of it: the screen, the demo's logo and all headers, which TestLanguages measures with a browser
const watching = 400; // more than the limit, with the operator's own marks: src/methods/lost.ts

/** write writes a folder anew, by the contents of its files. */
export async function write(folder, files) {
  await rm(here(folder), { recursive: true, force: true });
  for (const [name, content] of files) {
    await mkdir(dirname(here(`${folder}/${name}`)), { recursive: true });
    await writeFile(here(`${folder}/${name}`), content);
  }
}

/**
 * checkVisit prints what a first visit loads, and fails with the sizes of all files where that is more than the limit.
 * The operator's own marks do not count: they are the operator's choice.
 */
export function checkVisit(files, script, pages, rules) {
  const ours = (content) => packed(content.toString().replace(rules, ""));
  const visits = pages.map(([name, content]) => [packed(script) + ours(content) + around, name]);
  const [visit, heaviest] = visits.sort(([a], [b]) => b - a)[0];
  const loads = `a first visit to ${heaviest} loads ${visit} of ${limit} bytes`;
  if (visit > limit + (rules && watching)) {
    const sizeOf = ([name, content]) => `\n${name}: ${content.length} bytes, ${packed(content)} after gzip -9`;
    throw new Error(`${loads}:${files.map(sizeOf).join("")}`);
  }
  console.log(loads);
}
