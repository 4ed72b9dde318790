import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { domainFile } from "./domain.mjs";
import { logos } from "./logos.mjs";

const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.from("rest")]);

// inFolder calls a function with a folder that has these files.
async function inFolder(files, call) {
  const folder = await mkdtemp(join(tmpdir(), "page-build-"));
  try {
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
    return await call(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("logos are the files of a folder", async () => {
  const files = { "a.svg": "<svg></svg>", "b.png": png, "c.webp": "RIFF\n\0\0\0WEBPVP8 ", ".gitkeep": "" };
  const found = await inFolder(files, logos);
  assert.deepEqual(found.map(([name]) => name).sort(), ["a.svg", "b.png", "c.webp"]);
});

test("what can't be a logo is a fault that names the file", async () => {
  const bad = [
    ["shop.gif", "GIF89a", /shop\.gif: a logo has a name such as/],
    ["Shop.svg", "<svg></svg>", /Shop\.svg: a logo has a name such as/],
    ["shop.png", "<svg></svg>", /shop\.png: this is no png/],
    ["shop.svg", png, /shop\.svg: this is no svg/],
    ["shop.svg", "<svg></svg>" + " ".repeat(64 * 1024), /shop\.svg: larger than 65536 bytes/],
  ];
  for (const [name, content, fault] of bad) await assert.rejects(inFolder({ [name]: content }, logos), fault);
});

test("the file of Apple Pay is plain text, or is not there", async () => {
  const read = (content) => inFolder({ file: content }, (folder) => domainFile(join(folder, "file")));
  assert.equal((await read("7B22\n")).toString(), "7B22\n");
  assert.equal(await domainFile("/no/such/file"), null);
  for (const content of ["", "<é>", "x".repeat(64 * 1024 + 1)]) await assert.rejects(read(content), /Apple Pay/);
});
