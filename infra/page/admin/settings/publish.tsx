// Publishing a draft: what changes, what it would have done, and why.

import { useEffect, useState } from "preact/hooks";
import { paymentLink } from "../address";
import { act, type Answer } from "../api";
import type { Act } from "../dialog";
import { Failure } from "../parts";
import { count, money } from "../text";
import type { Draft } from "./draft";
import { namesOf, Removals, unnamed, type Removal } from "./removals";
import { listOf, objectOf, type Obj } from "./rows";

export interface Checked {
  version: number;
  faults: { path: string; text: string }[];
  changes: { path: string; label: string; text: string }[];
  removed: Removal[];
}

export const pathOf = (id: string, what: string) => `/merchants/${encodeURIComponent(id)}/${what}`;

interface Preview {
  sessions: number; // on which both settings were tried
  from: string;
  other_methods: Change;
  other_first_mid: Change;
  none: Change;
  gained: Change;
  warnings: { path: string; text: string; number: number }[];
}

interface Change {
  count: number;
  examples: Example[];
}

interface Example {
  id: string;
  mode: string;
  order: string;
  amount: string;
  currency: string;
  country: string;
  before: Outcome;
  after: Outcome;
  mids: { mapping: string; mid: string; takes: boolean; reasons: { text: string }[] }[]; // of the draft, explained
}

interface Outcome {
  mapping: string;
  methods: { id: string; first_mids: string[] }[];
  reasons: { text: string }[];
}

/** liveMIDs is how many MIDs take live payments. */
export function liveMIDs(settings: Obj): number {
  if (settings.disabled === true) return 0;
  const open = listOf(settings.mappings).map(objectOf).filter(({ disabled }) => disabled !== true);
  return open.flatMap(({ mids }) => listOf(mids).map(objectOf)).filter(({ disabled }) => disabled !== true).length;
}

/** publishing is the act that publishes a draft. What is tried on stored sessions has no secrets. */
export function publishing(
  id: string,
  { version, base, settings }: Draft,
  checked: Checked,
  body: object,
  tried: object,
): Act {
  const lost = liveMIDs(base) > 0 && liveMIDs(settings) === 0;
  return {
    title: "Publish settings",
    danger: lost || namesOf(checked.removed).length > 0,
    button: () => `Publish ${count(checked.changes.length, "change")}`,
    path: pathOf(id, "publish"),
    body: () => ({ ...body, remove: namesOf(checked.removed) }),
    wrong: (values) =>
      unnamed(checked.removed, values) ||
      (lost && values.id !== id ? `Type ${id}: live payments would have no MID any more.` : ""),
    done: () => "Published. It counts within a minute.",
    fields: () => (
      <>
        <Removals merchant={id} removed={checked.removed} />
        {lost && (
          <label>
            Live payments would have no MID any more. Type the id of the merchant: {id}
            <input name="id" autoComplete="off" spellcheck={false} />
          </label>
        )}
      </>
    ),
    children: (
      <>
        <p class="soft">On version {version}.</p>
        <Changes of={checked.changes} />
        <Tried path={"/preview/" + encodeURIComponent(id)} body={tried} />
      </>
    ),
  };
}

/** Tried says what a change would have done to the latest sessions, as soon as it is known. */
function Tried({ path, body }: { path: string; body: object }) {
  const [found, setFound] = useState<Answer<Preview> | null>(null);
  useEffect(() => void act<Preview>(path, crypto.randomUUID(), body).then(setFound), []);
  if (!found) return <p class="soft">Trying it on the sessions of the last 7 days…</p>;
  return found.failure ? <Failure failure={found.failure} /> : <Outcomes of={found.value} />;
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

function Outcomes({ of }: { of: Preview }) {
  const all: [Change, string][] = [
    [of.none, "would get no method at all"],
    [of.other_methods, "would get other methods"],
    [of.other_first_mid, "would go to another MID first"],
    [of.gained, "would get a method where they had none"],
  ];
  const some = all.filter(([{ count }]) => count > 0);
  return (
    <section class="outcome">
      <h3>
        {of.sessions
          ? `Tried on ${count(of.sessions, "session")} since ${of.from.slice(0, 10)}`
          : "There were no sessions in the last 7 days that this could be tried on."}
      </h3>
      {of.sessions > 0 && !some.length && <p>Nothing would have been otherwise.</p>}
      <ul>
        {some.map(([{ count, examples }, does]) => (
          <li key={does}>
            <strong>{count}</strong> {does}
            <Examples of={examples} />
          </li>
        ))}
      </ul>
      {of.warnings.map(({ path, text }) => (
        <p key={path + text} class="wrong">
          {text} <code>{path}</code>
        </p>
      ))}
    </section>
  );
}

function Examples({ of }: { of: readonly Example[] }) {
  return (
    <details>
      <summary>{count(of.length, "example")}</summary>
      <ul>
        {of.map((one) => (
          <li key={one.id}>
            <a href={paymentLink(one.id, one.mode)}>{one.order}</a>{" "}
            {[money(one.amount, one.currency), one.country].filter(Boolean).join(" ")}: {outcome(one.before)} →{" "}
            {outcome(one.after)}
            <details>
              <summary>Why</summary>
              <ul>
                {one.mids.map(({ mapping, mid, takes, reasons }) => (
                  <li key={mapping + "/" + mid}>
                    {mapping}, {mid}: {takes ? "takes it" : reasons.map(({ text }) => text).join(" ")}
                  </li>
                ))}
              </ul>
            </details>
          </li>
        ))}
      </ul>
    </details>
  );
}

const outcome = ({ methods, reasons }: Outcome) =>
  methods.map(({ id, first_mids }) => `${id} (${first_mids.join(", ")})`).join(", ") ||
  "none: " + reasons.map(({ text }) => text).join(" ");
