// Scripts that draw parts of the page. They share Preact with it.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Fragment, jsx, jsxs } from "preact/jsx-runtime";
import { loadScript } from "./script";

declare global {
  var checkoutPreact: object | undefined; // for the scripts
}

/** loadDrawn loads a script as loadScript does. */
export function loadDrawn<T>(file: string, code: () => T | undefined): Promise<T> {
  globalThis.checkoutPreact = {
    "preact/jsx-runtime": { Fragment, jsx, jsxs },
    "preact/hooks": { useEffect, useLayoutEffect, useRef, useState },
  };
  return loadScript(file, code);
}
