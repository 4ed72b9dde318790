// Keys and secrets: since when each is good, when it was used, and the way to another one without a refused request.

import { useState } from "preact/hooks";
import { ActDialog, type Act } from "../dialog";
import { Copy, Read } from "../parts";
import { Table, type Column } from "../table";
import type { Uses } from "../types";
import { mayAny, useRead, useWorld } from "../world";
import { StoredText } from "./fields";
import type { Published } from "./draft";
import { objectOf, textOf } from "./rows";

const rotatable = [
  { what: "key", label: "Live key", place: "live_key" },
  { what: "test-key", label: "Test key", place: "test_key" },
  { what: "password", label: "Password", place: "password" },
  { what: "callback-secret", label: "Callback secret", place: "callback_secret" },
];

export function Secrets({ id, published, again }: { id: string; published: Published; again(): void }) {
  const { me } = useWorld();
  const uses = useRead<Uses>("/uses/" + encodeURIComponent(id));
  const [asked, setAsked] = useState<Act | null>(null);
  const [made, setMade] = useState("");
  const rotate = (what: string, label: string): Act => ({
    title: `Replace: ${label}`,
    danger: true,
    button: ({ overlap }) =>
      overlap === "0" ? "Replace it at once" : `Replace it, and keep the old one for ${overlap} h`,
    path: `/merchants/${encodeURIComponent(id)}/rotate`,
    body: ({ overlap }) => ({ what, ...(overlap !== "0" && { overlap: overlap + "h" }) }),
    done: () => "Replaced. Copy the new value before you leave: it is not shown again.",
    fields: () => (
      <label>
        How long is the old one good?
        <select name="overlap" defaultValue="24">
          <option value="0">not any more</option>
          <option value="1">1 hour</option>
          <option value="24">1 day</option>
          <option value="168">7 days</option>
          <option value="720">30 days</option>
        </select>
      </label>
    ),
    children: <p>The shop needs the new one before the old one ends. Until then both are good.</p>,
  });
  const places = Object.keys(published.secrets).filter((place) => !rotatable.some((one) => one.place === place));
  const columns: Column<string>[] = [
    { name: "Secret", kind: "wide", cell: (place) => <bdi>{place}</bdi> },
    { name: "Stored", kind: "wide", cell: (place) => <StoredText place={place} uses={uses.value} /> },
  ];
  return (
    <>
      {made && (
        <div class="notice" role="status">
          <p>
            <strong>The new value, shown once:</strong> <Copy text={made} name="the new value" />
          </p>
        </div>
      )}
      <dl class="known">
        {rotatable.map(({ what, label, place }) => (
          <div key={what}>
            <dt>{label}</dt>
            <dd>
              {place.endsWith("_key") && <Copy text={textOf(published.settings[place])} name={label} />}
              <StoredText place={place} uses={uses.value} />
              {mayAny(me, "publish") && (
                <button type="button" onClick={() => setAsked(rotate(what, label))}>
                  Replace…
                </button>
              )}
            </dd>
          </div>
        ))}
      </dl>
      <Read of={uses}>{() => null}</Read>
      {places.length > 0 && <Table caption="Stored secrets" columns={columns} rows={places} keyOf={(place) => place} />}
      {published.notices && published.notices.length > 0 && (
        <>
          <h3>Addresses for providers’ notices</h3>
          <ul>
            {published.notices.map(({ mapping, mid, path }) => (
              <li key={path}>
                {mapping}, {mid}: <Copy text={path} name="path" />
              </li>
            ))}
          </ul>
        </>
      )}
      {asked && (
        <ActDialog
          act={asked}
          close={() => setAsked(null)}
          acted={(value) => {
            const { live_key, test_key, password, callback_secret } = objectOf(value);
            setMade(textOf(live_key ?? test_key ?? password ?? callback_secret));
            again();
            uses.again();
          }}
        />
      )}
    </>
  );
}
