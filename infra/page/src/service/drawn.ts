// Scripts that draw parts of the page.

import { useEffect, useState } from "preact/hooks";
import { loadScript } from "./script";

const again = 3000; // until a script that could not be loaded is asked for again

/** useDrawn returns what a script sets once it is needed and has come, and how often it could not be loaded. */
export function useDrawn<T>(
  needed: boolean,
  file: string,
  code: () => T | undefined,
): [code: T | undefined, failed: number] {
  const [loaded, setLoaded] = useState(code);
  const [failed, setFailed] = useState(0);
  useEffect(() => {
    if (!needed || loaded) return;
    let timer = 0;
    loadScript(file, code).then(
      (all) => setLoaded(() => all),
      () => void (timer = window.setTimeout(() => setFailed(failed + 1), again)),
    );
    return () => clearTimeout(timer);
  }, [needed, failed]);
  return [loaded, failed];
}
