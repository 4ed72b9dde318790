// What a merchant's settings were before, who changed them and why, and the way back.

import { useState } from "preact/hooks";
import { ActDialog, type Act } from "../dialog";
import { Empty, Read, Time } from "../parts";
import { short } from "../text";
import { mayAny, useRead, useWorld } from "../world";
import { Changes, type Checked } from "./publish";

interface Version {
  number: number;
  until: string;
  who?: string;
  reason?: string;
  changes: Checked["changes"]; // what was other after it
}

export function History({ id, again }: { id: string; again(): void }) {
  const { me } = useWorld();
  const path = "/merchants/" + encodeURIComponent(id);
  const versions = useRead<{ versions: Version[] }>(path + "/versions");
  const [asked, setAsked] = useState<Act | null>(null);
  const back = ({ number, until }: Version): Act => ({
    title: "Take back",
    button: () => `Restore version ${number}`,
    path: path + "/restore",
    body: () => ({ version: number }),
    done: () => "Restored. It counts within a minute.",
    children: (
      <p>
        The settings become those of <Time at={until} />. Keys and secrets stay as they are.
      </p>
    ),
  });
  return (
    <Read of={versions}>
      {({ versions: all }) =>
        all.length ? (
          <ol class="history">
            {all.map((version) => (
              <li key={version.number}>
                <h3>
                  <Time at={version.until} /> {version.who && <span>{short(version.who)}</span>}
                </h3>
                {version.reason && <p>{version.reason}</p>}
                <Changes of={version.changes} />
                {mayAny(me, "publish") && (
                  <p>
                    <button type="button" onClick={() => setAsked(back(version))}>
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
