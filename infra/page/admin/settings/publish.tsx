// Publishing a draft: what changes, what it would have done, and why.

import type { ComponentChildren } from "preact";
import type { Act } from "../dialog";
import { count } from "../text";
import type { Draft } from "./draft";

export interface Checked {
  version: number;
  faults: { path: string; text: string; label?: string }[];
  changes: { path: string; label: string; text: string }[];
  preview?: Preview;
  takes_last_live_mid?: boolean;
}

export interface Preview {
  looked_at: number;
  other_methods: number;
  other_first_mid: number;
  none: number;
  gained: number;
  examples?: Record<string, Example[]>;
  warnings?: { path: string; text: string; count?: number }[];
}

interface Example {
  payment_id?: string;
  order?: string;
  amount?: string;
  currency?: string;
  country?: string;
  before?: string;
  after?: string;
}

/** publishing is the act that publishes a draft. */
export function publishing(id: string, { version }: Draft, checked: Checked, path: string, body: object): Act {
  const lost = checked.takes_last_live_mid;
  return {
    title: "Publish settings",
    danger: Boolean(lost),
    button: () => `Publish ${count(checked.changes.length, "change")}`,
    path,
    body: () => body,
    wrong: (values) => (lost && values.id !== id ? `Type ${id}: live payments would have no MID any more.` : ""),
    done: () => "Published. It counts within a minute.",
    fields: lost ? (
      <label>
        Live payments would have no MID any more. Type the id of the merchant: {id}
        <input name="id" autoComplete="off" spellcheck={false} />
      </label>
    ) : null,
    children: (
      <>
        <p class="soft">On version {version}.</p>
        <Changes of={checked.changes} />
        {checked.preview && <Outcome of={checked.preview} />}
      </>
    ),
  };
}

export function Changes({ of }: { of: Checked["changes"] }) {
  return (
    <ul class="changes">
      {of.map(({ path, label, text }) => (
        <li key={path + text}>
          <strong>{label}</strong> {text}
        </li>
      ))}
    </ul>
  );
}

/** Outcome says what a change would have done to the latest sessions. */
function Outcome({ of }: { of: Preview }) {
  if (!of.looked_at) return <p>There were no sessions in the last 7 days that this could be tried on.</p>;
  const counts: [string, number, string][] = [
    ["none", of.none, "would get no method at all"],
    ["other_methods", of.other_methods, "would get other methods"],
    ["other_first_mid", of.other_first_mid, "would go to another MID first"],
    ["gained", of.gained, "would get a method where they had none"],
  ];
  const some = counts.filter(([, n]) => n > 0);
  return (
    <section class="outcome">
      <h3>Tried on {count(of.looked_at, "session")} of the last 7 days</h3>
      {!some.length && <p>Nothing would have been otherwise.</p>}
      <ul>
        {some.map(([name, n, does]) => (
          <li key={name}>
            <strong>{n}</strong> {does}
            <Examples of={of.examples?.[name] ?? []} />
          </li>
        ))}
      </ul>
      {of.warnings?.map(({ path, text }): ComponentChildren => (
        <p key={path + text} class="wrong">
          {text} <code>{path}</code>
        </p>
      ))}
    </section>
  );
}

function Examples({ of }: { of: readonly Example[] }) {
  if (!of.length) return null;
  return (
    <details>
      <summary>{count(of.length, "example")}</summary>
      <ul>
        {of.map((one, at) => (
          <li key={at}>
            {[one.order, one.amount, one.currency, one.country].filter(Boolean).join(" ")}: {one.before} → {one.after}
          </li>
        ))}
      </ul>
    </details>
  );
}
