import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { domainFile } from "./domain.mjs";
import { logos } from "./logos.mjs";

const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.from("rest")]);

// inFolder calls a function with a folder that has these files.
async function inFolder(files, call) {
  const folder = await mkdtemp(join(tmpdir(), "page-build-"));
  try {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content);
    }
    return await call(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const known = { networks: ["visa", "amex"], methods: ["card", "bank_debit"] };
const read = (files) => inFolder(files, (folder) => logos(folder, known));
const svg = '<svg xmlns="http://www.w3.org/2000/svg"></svg>';

test("logos are the files of a folder, and need no rules", async () => {
  const { files, rules } = await read({ "a.svg": svg, "b.png": png, "c.webp": "RIFF\n\0\0\0WEBPVP8 ", ".gitkeep": "" });
  assert.deepEqual(files.map(([name]) => name), ["a.svg", "b.png", "c.webp"]);
  assert.equal(rules, "");
});

test("marks have their hash in their names, and a rule for each place", async () => {
  const { files, rules } = await read({ "networks/visa.svg": svg, "methods/bank_debit.png": png, "networks/.x": "" });
  const names = files.map(([name]) => name);
  assert.equal(names.length, 2);
  assert.match(names[0], /^methods\/bank_debit-[0-9a-f]{8}\.png$/);
  assert.match(names[1], /^networks\/visa-[0-9a-f]{8}\.svg$/);
  assert.match(rules, new RegExp(`\\.icon-box\\.m-bank_debit\\{background:url\\(/logos/${names[0]}\\)`));
  assert.match(rules, new RegExp(`\\.marks \\.n-visa,\\.mark\\.n-visa\\{background:url\\(/logos/${names[1]}\\)`));
  const other = await read({ "networks/visa.svg": svg + " " });
  assert.notEqual(other.files[0][0], names[1]);
});

test("what can't be a logo or a mark is a fault that names the file", async () => {
  const bad = [
    ["shop.gif", "GIF89a", /shop\.gif: a logo has a name such as/],
    ["Shop.svg", svg, /Shop\.svg: a logo has a name such as/],
    ["shop.png", svg, /shop\.png: this is no png/],
    ["shop.svg", png, /shop\.svg: this is no svg/],
    ["shop.svg", svg + " ".repeat(64 * 1024), /shop\.svg: larger than 65536 bytes/],
    ["networks/visa.svg", svg + " ".repeat(16 * 1024), /networks\/visa\.svg: larger than 16384 bytes/],
    ["networks/vsa.svg", svg, /networks\/vsa\.svg: there is no vsa among the networks: visa, amex/],
    ["methods/visa.svg", svg, /methods\/visa\.svg: there is no visa among the methods: card, bank_debit/],
    ["methods/Card.svg", svg, /methods\/Card\.svg: a mark has a name such as card\.svg/],
    ["method/card.svg", svg, /method: the folders of marks are networks and methods/],
  ];
  for (const [name, content, fault] of bad) await assert.rejects(read({ [name]: content }), fault, name);
  const twice = { "networks/visa.png": png, "networks/visa.svg": svg };
  await assert.rejects(read(twice), /visa\.svg: there is another file of visa/);
});

test("a drawing has no script, and nothing outside it", async () => {
  const bad = [
    ["<script>go()</script>", "a script"],
    ['<g onload="go()"/>', "a script"],
    ["<a href='javascript:go()'/>", "a script"],
    ["<foreignObject/>", "a foreignObject"],
    ['<image href="https://shop.example/a.png"/>', "something outside"],
    ["<use xlink:href='other.svg#a'/>", "something outside"],
    ["<use href=//shop.example/a.svg />", "something outside"],
    ['<rect fill="url(https://shop.example/a.svg#a)"/>', "something outside"],
    ["<style>@import 'a.css';</style>", "something outside"],
    ["<?xml-stylesheet href='#a'?>", "something outside"],
  ];
  for (const [part, fault] of bad) {
    await assert.rejects(read({ "shop.svg": `<svg>${part}</svg>` }), new RegExp(`shop\\.svg: it has .*${fault}`), part);
  }
  const good = [
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><svg></svg>',
    '<svg xmlns:xlink="http://www.w3.org/1999/xlink"><use xlink:href="#a"/><rect fill="url(#b)"/></svg>',
    "<svg><rect fill='url(\"#b\")'/></svg>",
    '<svg><image href="data:image/png;base64,AAAA"/><text font-size="1">on = off</text></svg>',
  ];
  for (const content of good) assert.equal((await read({ "shop.svg": content })).files.length, 1, content);
});

test("the file of Apple Pay is plain text, or is not there", async () => {
  const read = (content) => inFolder({ file: content }, (folder) => domainFile(join(folder, "file")));
  assert.equal((await read("7B22\n")).toString(), "7B22\n");
  assert.equal(await domainFile("/no/such/file"), null);
  for (const content of ["", "<é>", "x".repeat(64 * 1024 + 1)]) await assert.rejects(read(content), /Apple Pay/);
});
