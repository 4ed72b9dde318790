// QR codes and barcodes as paths of an SVG drawing, in modules.

import { correction, generate } from "lean-qr/nano";

export interface Drawing {
  path: string;
  width: number; // with the quiet zones
  height: number;
}

const qrQuiet = 4;
const barQuiet = 10;
const barHeight = 60;

/** qr is at level M: a screen is read at an angle and with reflections. Runs of modules in a row are one bar. */
export function qr(text: string): Drawing {
  const code = generate(text, { minCorrectionLevel: correction.M });
  let path = "";
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) {
      if (!code.get(x, y) || code.get(x - 1, y)) continue;
      let run = 1;
      while (code.get(x + run, y)) run++;
      path += `M${x + qrQuiet} ${y + qrQuiet}h${run}v1h-${run}z`;
    }
  }
  const size = code.size + 2 * qrQuiet;
  return { path, width: size, height: size };
}

// The widths of bars and spaces of Code 128's symbols 0 to 105, and of its stop.
const symbols = (
  "212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 " +
  "123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 " +
  "232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 " +
  "313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 " +
  "111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 " +
  "111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 " +
  "114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112"
).split(" ");
const [toC, toB, startB, startC, stop] = [99, 100, 104, 105, 106];

/**
 * barcode is Code 128: it holds any ASCII text, has a check symbol of its own, and tills that read ITF read it, too.
 */
export function barcode(text: string): Drawing {
  const values = code128(text);
  let path = "";
  let x = barQuiet;
  for (const value of values) {
    [...symbols[value]!].forEach((width, i) => {
      if (i % 2 === 0) path += `M${x} 0h${width}v${barHeight}h-${width}z`;
      x += Number(width);
    });
  }
  return { path, width: x + barQuiet, height: barHeight };
}

/**
 * code128 are the symbols of a text: pairs of digits where at least four stand together, single characters elsewhere.
 */
export function code128(text: string): number[] {
  if (!/^[ -~]+$/.test(text)) throw new Error("Code 128 can't hold this text");
  const parts = text.match(/(?:\d\d){2,}|[^]/g) ?? [];
  const values: number[] = [];
  let pairs: boolean | undefined;
  for (const part of parts) {
    const now = part.length > 1;
    if (now !== pairs) values.push(pairs === undefined ? (now ? startC : startB) : now ? toC : toB);
    pairs = now;
    for (const piece of now ? part.match(/../g)! : [part]) values.push(now ? Number(piece) : piece.charCodeAt(0) - 32);
  }
  const sum = values.reduce((total, value, i) => total + value * Math.max(i, 1), 0);
  return [...values, sum % 103, stop];
}
