import assert from "node:assert/strict";
import test from "node:test";
import { barcode, code128, qr } from "./draw";
import { pictureOf } from "./picture";

test("Code 128: pairs of digits where they are shorter, and the check symbol", () => {
  assert.deepEqual(code128("PJJ123C"), [104, 48, 42, 42, 17, 18, 19, 35, 55, 106]);
  assert.deepEqual(code128("123456"), [105, 12, 34, 56, (105 + 12 + 68 + 168) % 103, 106]);
  assert.deepEqual(code128("A1234").slice(0, 5), [104, 33, 99, 12, 34]);
  assert.deepEqual(code128("12345").slice(0, 5), [105, 12, 34, 100, 21]);
  for (const bad of ["", "é", "\n"]) assert.throws(() => code128(bad), bad);
});

test("a barcode is as wide as its symbols, with ten modules free on both sides", () => {
  const { path, width } = barcode("123456");
  assert.equal(width, 10 + 5 * 11 + 13 + 10);
  assert.match(path, /^M10 0h2v/); // start C: 211232
});

test("a QR code at level M with four modules free around it", () => {
  const { width, height, path } = qr("0123456789");
  assert.deepEqual([width, height], [21 + 8, 21 + 8]);
  assert.ok(path.startsWith("M4 4h7v1h-7z"));
  const at = (text: string) => qr(text).width;
  assert.equal(at("a".repeat(13)), 21 + 8);
  assert.equal(at("a".repeat(15)), 25 + 8, "version 1 holds 17 bytes at level L, and 14 at M");
});

test("only a PNG of a sound size is a picture", () => {
  const png = (width: number, height: number, signature = "\x89PNG\r\n\x1a\n") => {
    const bytes = Buffer.from(signature + "\0\0\0\rIHDR" + "\0".repeat(17), "latin1");
    bytes.writeUInt32BE(width, 16);
    bytes.writeUInt32BE(height, 20);
    return bytes.toString("base64");
  };
  assert.deepEqual(pictureOf(png(200, 100)), {
    src: "data:image/png;base64," + png(200, 100),
    width: 200,
    height: 100,
  });
  assert.equal(pictureOf("data:image/png;base64," + png(1, 1))?.width, 1);
  const bad = [
    png(0, 1),
    png(1, 4000),
    png(1, 1, "GIF89a\0\0"),
    "https://shop.example/x.png",
    "data:image/svg+xml;base64,AAAA",
    "A".repeat(300000),
    "",
  ];
  for (const value of bad) assert.equal(pictureOf(value), null, value.slice(0, 40));
});
