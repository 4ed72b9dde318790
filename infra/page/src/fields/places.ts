// Lists of states, and names of countries in languages that browsers lack, are fetched when a form asks for them.

import { useEffect, useState } from "preact/hooks";
import { fetchFile } from "../service/file";
import { addNames, addStates } from "./countries";

/** The hashes of the files of build.mjs: states, and one by the tag of each of those languages. */
declare const PLACE_FILES: Record<string, string>;

const again = 3000; // until a file that could not be fetched is asked for again
const known = new Set<string>();

/** usePlaces draws again when the file has come. */
export function usePlaces(name: string): void {
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const sum = Object.hasOwn(PLACE_FILES, name) && PLACE_FILES[name];
    if (!sum || known.has(name)) return;
    let timer = 0;
    const next = () => setTries(tries + 1);
    fetchFile<Record<string, never>>("places-" + name, sum).then(
      (rows) => {
        if (name === "states") addStates(rows);
        else addNames(name, rows);
        known.add(name);
        next();
      },
      () => void (timer = window.setTimeout(next, again)),
    );
    return () => clearTimeout(timer);
  }, [name, tries]);
}
