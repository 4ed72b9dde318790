// Parts of the page that are scripts of their own: each is loaded, with its integrity, when it is first needed.

const loadWithin = 15_000;
const loads = new Map<string, Promise<unknown>>();

/**
 * loadScript loads a script, written as "address integrity", and returns what it has set. After a failure the next call
 * tries again.
 */
export function loadScript<T>(file: string, code: () => T | undefined): Promise<T> {
  const known = loads.get(file) as Promise<T> | undefined;
  if (known) return known;
  const load = new Promise<T>((loaded, failed) => {
    const script = document.createElement("script");
    [script.src, script.integrity] = file.split(" ") as [string, string];
    script.crossOrigin = "anonymous";
    const fail = () => {
      script.remove();
      loads.delete(file);
      failed(new Error(script.src + " could not be loaded"));
    };
    const timer = setTimeout(fail, loadWithin);
    script.onload = script.onerror = () => {
      clearTimeout(timer);
      const found = code();
      if (found) loaded(found);
      else fail();
    };
    document.head.append(script);
  });
  loads.set(file, load);
  return load;
}
