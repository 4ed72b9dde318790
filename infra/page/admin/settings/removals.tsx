// Mappings and MIDs that a change removes, and MIDs that get another connector: what that means, and their names.

import type { Values } from "../dialog";
import { useRead } from "../world";

export interface Removal {
  place: string;
  name: string;
  mapping: string;
  mid?: string; // absent: the mapping goes as a whole
  text: string;
}

const fieldOf = (place: string) => "remove " + place;

export const namesOf = (removed: readonly Removal[]) => removed.map(({ name }) => name);

/** unnamed says which of them is not confirmed, "" if all are. */
export function unnamed(removed: readonly Removal[], values: Values): string {
  const one = removed.find(({ place, name }) => values[fieldOf(place)] !== name);
  return one ? `Type ${one.name} to confirm what becomes of ${one.place}.` : "";
}

export function Removals({ merchant, removed }: { merchant: string; removed: readonly Removal[] }) {
  return (
    <>
      {removed.map((one) => (
        <div key={one.place}>
          <p>
            {one.text} <Unfinished merchant={merchant} of={one} />
          </p>
          <label>
            Type {one.name} to confirm that
            <input name={fieldOf(one.place)} autoComplete="off" spellcheck={false} />
          </label>
        </div>
      ))}
    </>
  );
}

/** Unfinished says how many payments of it are not finished, as soon as that is known. */
function Unfinished({ merchant, of: { mapping, mid } }: { merchant: string; of: Removal }) {
  const path = "/unfinished/" + encodeURIComponent(merchant);
  const found = useRead<{ text: string }>(path, { mapping, ...(mid && { mid }) });
  if (found.failure) return <>How many payments are not finished is not known.</>;
  return <>{found.value?.text ?? "Counting its payments that are not finished…"}</>;
}
