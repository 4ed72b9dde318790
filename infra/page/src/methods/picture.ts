// A picture that the service sends: a PNG as base64, of a size that a page can draw.

export interface Picture {
  src: string;
  width: number;
  height: number;
}

const mostText = 256 * 1024;
const mostPixels = 2048;
const signature = "\x89PNG\r\n\x1a\n";

/** pictureOf is null for what is no such picture. */
export function pictureOf(value: string): Picture | null {
  const base64 = value.replace(/^data:image\/png;base64,/, "");
  if (base64.length > mostText || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null;
  let head: string;
  try {
    head = atob(base64).slice(0, 24);
  } catch {
    return null;
  }
  const number = (at: number) => [...head.slice(at, at + 4)].reduce((sum, byte) => sum * 256 + byte.charCodeAt(0), 0);
  const [width, height] = [number(16), number(20)];
  const sound = head.startsWith(signature) && head.slice(12, 16) === "IHDR" && width > 0 && height > 0;
  return sound && width <= mostPixels && height <= mostPixels
    ? { src: "data:image/png;base64," + base64, width, height }
    : null;
}
