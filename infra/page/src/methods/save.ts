// Files that the payer keeps.

import type { Drawing } from "./draw";

/** save hands a file to the browser, under a name that the payer sees. */
export function save(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // some browsers read it later
}

const scale = 8; // pixels of a drawing's unit

/** savePicture saves a code as it is drawn, black on white. */
export function savePicture(name: string, { width, height, path }: Drawing): void {
  const canvas = document.createElement("canvas");
  canvas.width = width * scale;
  canvas.height = height * scale;
  const pen = canvas.getContext("2d");
  if (!pen) return;
  pen.scale(scale, scale);
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, width, height);
  pen.fillStyle = "#000";
  pen.fill(new Path2D(path));
  canvas.toBlob((content) => content && save(name, content));
}
