// The style sheets of scripts that are loaded later.

/** addStyle loads a style sheet, written as "address integrity", and tells when it is there. */
export function addStyle(file: string): Promise<void> {
  const style = document.createElement("link");
  style.rel = "stylesheet";
  [style.href, style.integrity] = file.split(" ") as [string, string];
  style.crossOrigin = "anonymous";
  return new Promise((loaded, failed) => {
    style.onload = () => loaded();
    style.onerror = () => {
      style.remove();
      failed(new Error(style.href + " could not be loaded"));
    };
    document.head.append(style);
  });
}
