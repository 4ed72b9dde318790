// The merchant's accent, made fit to be seen: WCAG's contrast of colours written as #rrggbb.

type Colour = [red: number, green: number, blue: number];

const leastContrast = 3; // of a control against what is around it

export interface Accent {
  fill: string;
  text: string; // black or white, whichever is read better on it
}

/** accentOn moves an accent away from a ground, step by step, until it stands out from it. */
export function accentOn(accent: string, ground: string): Accent {
  const away = luminance(parse(ground)) > 0.5 ? 0 : 255;
  let colour = parse(accent);
  for (let step = 0; step < 40 && contrast(format(colour), ground) < leastContrast; step++) {
    colour = colour.map((part) => Math.round(part + (away - part) * 0.08 + Math.sign(away - part))) as Colour;
  }
  const fill = format(colour);
  return { fill, text: contrast("#ffffff", fill) >= contrast("#000000", fill) ? "#ffffff" : "#000000" };
}

export function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(parse(a)), luminance(parse(b))].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as Colour;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function parse(colour: string): Colour {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)) as Colour;
}

function format(colour: Colour): string {
  return "#" + colour.map((part) => Math.min(255, Math.max(0, part)).toString(16).padStart(2, "0")).join("");
}
