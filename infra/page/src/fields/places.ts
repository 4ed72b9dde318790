// Lists of states, names of countries in languages that browsers lack, and how countries write postal codes and phone
// numbers: fetched when a form asks for them.

import { useEffect, useState } from "preact/hooks";
import { fetchFile } from "../service/file";
import { addNames, addStates } from "./countries";

/** The hashes of the files of build.mjs: states, addresses, and one by the tag of each of those languages. */
declare const PLACE_FILES: Record<string, string>;

/** AddressRow is what is known of a country; what it has not is absent. */
export interface AddressRow {
  postal?: { pattern: string; example: string }; // the pattern is of a whole code, without spaces and hyphens
  phone?: { code: string; trunk?: string; digits: number[]; example: string }; // least and most behind the calling code
}

export const addresses: Record<string, AddressRow> = {};

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
        else if (name === "addresses") Object.assign(addresses, rows);
        else addNames(name, rows);
        known.add(name);
        next();
      },
      () => void (timer = window.setTimeout(next, again)),
    );
    return () => clearTimeout(timer);
  }, [name, tries]);
}
