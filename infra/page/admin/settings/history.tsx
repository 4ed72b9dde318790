// What a merchant's settings were before, who changed them and why, and the way back.

import { useState } from "preact/hooks";
import { ActDialog, type Act } from "../dialog";
import { Empty, Read, Time } from "../parts";
import { short } from "../text";
import { mayAny, useRead, useWorld } from "../world";
import { Changes, type Checked } from "./publish";
import { namesOf, Removals, unnamed, type Removal } from "./removals";

interface Version {
  version: number; // the settings until then
  until: string;
  who?: string;
  reason?: string;
  changes: Checked["changes"]; // what was other after it
  removed: Removal[]; // by restoring it now
  restorable: { place: string; until: string }[]; // which come back with their secrets
}

export function History({ id, again }: { id: string; again(): void }) {
  const { me } = useWorld();
  const path = "/merchants/" + encodeURIComponent(id);
  const versions = useRead<{ versions: Version[] }>(path + "/versions");
  const [asked, setAsked] = useState<Act | null>(null);
  const back = ({ version, until, removed, restorable }: Version): Act => ({
    title: "Take back",
    danger: removed.length > 0,
    button: () => `Restore version ${version}`,
    path: path + "/restore",
    body: () => ({ version, remove: namesOf(removed) }),
    wrong: (values) => unnamed(removed, values),
    done: () => "Restored. It counts within a minute.",
    fields: () => <Removals merchant={id} removed={removed} />,
    children: (
      <>
        <p>
          The settings become those of <Time at={until} />. Keys and secrets stay as they are.
        </p>
        <Restorable of={restorable} />
      </>
    ),
  });
  return (
    <Read of={versions}>
      {({ versions: all }) =>
        all.length ? (
          <ol class="history">
            {all.map((one) => (
              <li key={one.version}>
                <h3>
                  <Time at={one.until} /> {one.who && <span>{short(one.who)}</span>}
                </h3>
                {one.reason && <p>{one.reason}</p>}
                <Changes of={one.changes} />
                <Restorable of={one.restorable} />
                {mayAny(me, "publish") && (
                  <p>
                    <button type="button" onClick={() => setAsked(back(one))}>
                      Take back…
                    </button>
                  </p>
                )}
              </li>
            ))}
            {asked && (
              <ActDialog
                act={asked}
                close={() => setAsked(null)}
                acted={() => {
                  versions.again();
                  again();
                }}
              />
            )}
          </ol>
        ) : (
          <Empty title="Nothing has been changed yet." />
        )
      }
    </Read>
  );
}

function Restorable({ of }: { of: Version["restorable"] }) {
  return (
    <>
      {of.map(({ place, until }) => (
        <p key={place}>
          <code>{place}</code> comes back with its secrets, if it is restored before <Time at={until} />.
        </p>
      ))}
    </>
  );
}
