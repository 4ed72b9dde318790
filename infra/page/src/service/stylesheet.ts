// The style sheets of scripts that are loaded later.

/** addStyle loads a style sheet, written as "address integrity". */
export function addStyle(file: string): void {
  const style = document.createElement("link");
  style.rel = "stylesheet";
  [style.href, style.integrity] = file.split(" ") as [string, string];
  style.crossOrigin = "anonymous";
  document.head.append(style);
}
