// The merchant's accent, made fit to be seen: WCAG's contrast of colours written as #rrggbb.

type Colour = [red: number, green: number, blue: number];

const leastContrast = 3; // of a control against what is around it
const steps = 32; // from the accent to black or white

export interface Accent {
  edge: string; // of the same hue, for what has to stand out: the border of a fill, the focus, the chosen mark
  text: string; // black or white, whichever is read better on the accent
}

/** accentOn moves the edge away from the grounds, step by step, until it stands out from all of them. */
export function accentOn(accent: string, ...grounds: string[]): Accent {
  const away = grounds.some((ground) => luminance(parse(ground)) > 0.5) ? 0 : 255;
  let edge = accent;
  for (let step = 1; step <= steps && grounds.some((ground) => contrast(edge, ground) < leastContrast); step++) {
    edge = format(parse(accent).map((part) => Math.round(part + ((away - part) * step) / steps)));
  }
  return { edge, text: contrast("#ffffff", accent) >= contrast("#000000", accent) ? "#ffffff" : "#000000" };
}

/** paint gives the page the accent, in the colours that it has now. */
export function paint(accent: string): void {
  const { style } = document.documentElement;
  const now = getComputedStyle(document.documentElement);
  const grounds = ["--card", "--ground", "--calm-ground"].map((name) => now.getPropertyValue(name).trim());
  const { edge, text } = accentOn(accent, ...grounds);
  style.setProperty("--accent", accent);
  style.setProperty("--brand", edge);
  style.setProperty("--on-brand", text);
  // Under the pointer the fill moves away from its text.
  style.setProperty("--shade", text === "#ffffff" ? "#0000001f" : "#ffffff33");
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

function format(colour: number[]): string {
  return "#" + colour.map((part) => part.toString(16).padStart(2, "0")).join("");
}
