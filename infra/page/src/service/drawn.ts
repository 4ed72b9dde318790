// Scripts that draw parts of the page. They share Preact with it.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Fragment, jsx, jsxs } from "preact/jsx-runtime";
import { loadScript } from "./script";

declare global {
  var checkoutPreact: object | undefined; // for the scripts
}

const again = 3000; // until a script that could not be loaded is asked for again

/** useDrawn returns what a script sets once it is needed and has come, and how often it could not be loaded. */
export function useDrawn<T>(needed: boolean, file: string, code: () => T | undefined): [code: T | undefined, failed: number] {
  const [loaded, setLoaded] = useState(code);
  const [failed, setFailed] = useState(0);
  useEffect(() => {
    if (!needed || loaded) return;
    let timer = 0;
    loadDrawn(file, code).then(
      (all) => setLoaded(() => all),
      () => void (timer = window.setTimeout(() => setFailed(failed + 1), again)),
    );
    return () => clearTimeout(timer);
  }, [needed, failed]);
  return [loaded, failed];
}

/** loadDrawn loads a script as loadScript does. */
function loadDrawn<T>(file: string, code: () => T | undefined): Promise<T> {
  globalThis.checkoutPreact = {
    "preact/jsx-runtime": { Fragment, jsx, jsxs },
    "preact/hooks": { useEffect, useLayoutEffect, useRef, useState },
  };
  return loadScript(file, code);
}
