// What stands around each view: the field that finds, the way to the other views, and whether it is live or test.

import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { validNumber } from "../src/fields/card";
import { hasToken } from "./access";
import { asked, inMode, linkTo, without } from "./address";
import { useCounts } from "./overview";
import { Copy } from "./parts";
import { SignOut } from "./sign";
import { short } from "./text";
import { mayAny, useWorld } from "./world";

interface Entry {
  view: string;
  label: string;
  right: string;
  modes?: boolean; // it shows live or test payments; others have both
}

const menu: readonly [group: string, entries: readonly Entry[]][] = [
  [
    "Payments",
    [
      { view: "", label: "Overview", right: "find", modes: true },
      { view: "find", label: "Find", right: "find" },
      { view: "payments", label: "Payments", right: "find", modes: true },
      { view: "chains", label: "Recurring", right: "find", modes: true },
    ],
  ],
  [
    "To do",
    [
      { view: "waiting", label: "Waiting for a person", right: "find", modes: true },
      { view: "under-way", label: "Under way", right: "find", modes: true },
      { view: "callbacks", label: "Callbacks", right: "find", modes: true },
    ],
  ],
  [
    "Set-up",
    [
      { view: "merchants", label: "Merchants", right: "settings" },
      { view: "addresses", label: "Callback addresses", right: "find", modes: true },
      { view: "circuits", label: "Provider outages", right: "find", modes: true },
      { view: "blocks", label: "Blocked", right: "find", modes: true },
      { view: "operators", label: "Operators", right: "operators" },
      { view: "audit", label: "Audit", right: "own-audit" },
    ],
  ],
];

export function Frame({ children }: { children: ComponentChildren }) {
  const { me, mode, place, help } = useWorld();
  const shown = menu.flatMap(([, entries]) => entries).find(({ view }) => view === place.view);
  // What was chosen is kept while somebody looks at a view of both.
  const chosen = useRef(mode);
  if (shown?.modes) chosen.current = mode;
  const kept = inMode(chosen.current);
  const counts = useCounts(chosen.current, place.view === "");
  const link = ({ view, label, modes }: Entry) => (
    <li key={view}>
      <a href={linkTo(view, modes ? kept : {})} aria-current={view === place.view ? "page" : undefined}>
        {label}
        {counts[view] && (
          <span class="counter">
            <span class="hidden">,</span> {counts[view]}
          </span>
        )}
      </a>
    </li>
  );
  const groups = menu.map(([group, entries]) => {
    const offered = entries.filter(({ right }) => mayAny(me, right));
    return (
      offered.length > 0 && (
        <section key={group} aria-labelledby={"menu-" + group}>
          <h2 id={"menu-" + group}>{group}</h2>
          <ul>{offered.map(link)}</ul>
        </section>
      )
    );
  });
  return (
    <div class={"frame " + mode}>
      <button type="button" class="skip" onClick={() => document.querySelector<HTMLElement>("main h1")?.focus()}>
        Skip to the content
      </button>
      <header class="bar">
        <a class="brand" href={linkTo("")}>
          Checkout <span>admin</span>
        </a>
        <FindField q={place.view === "find" ? (place.query.q ?? "") : ""} />
        <Modes both={!shown?.modes} />
      </header>
      <nav aria-label="Views">{groups}</nav>
      <main>{children}</main>
      <footer>
        <Copy text={me.who} name="your name" label={me.name || short(me.who)} />
        {!hasToken() && <SignOut />}
        <span>{[...new Set(me.grants.map(({ role }) => role))].join(", ")}</span>
        <span>
          {me.stack} {me.version}
        </span>
        <button type="button" class="plain" onClick={help}>
          Keys <kbd>?</kbd>
        </button>
      </footer>
    </div>
  );
}

// The number of a card is not for the address, nor for anybody's log.
const isCard = (text: string) => /^[\d -]+$/.test(text) && validNumber(text);

function FindField({ q }: { q: string }) {
  const [refused, setRefused] = useState(false);
  const find = (event: SubmitEvent) => {
    event.preventDefault();
    const query = asked(new FormData(event.currentTarget as HTMLFormElement) as Iterable<[string, unknown]>);
    setRefused(isCard(query.q ?? ""));
    if (!isCard(query.q ?? "")) location.hash = linkTo("find", query);
  };
  return (
    <form id="find" role="search" onSubmit={find}>
      <label class="hidden" for="find-field">
        Find a payment by any number, id or e-mail address
      </label>
      <input
        id="find-field"
        key={q}
        name="q"
        type="search"
        defaultValue={q}
        maxLength={300}
        placeholder="Order, id, e-mail, 4242 2026-11-23…"
        autoComplete="off"
        autoCapitalize="off"
        spellcheck={false}
      />
      <kbd aria-hidden="true">/</kbd>
      <button>Find</button>
      <p role="alert" class="wrong">
        {refused &&
          `Don’t search for the number of a card: its last four digits and the day are enough, \
such as 4242 2026-11-23.`}
      </p>
    </form>
  );
}

// Modes say which payments are shown, and lead to the list of the other ones. A view of both has no choice.
function Modes({ both }: { both: boolean }) {
  const { mode, place } = useWorld();
  const { view, id } = place;
  if (both) {
    const only = view === "find" && place.query.mode;
    return <span class="modes soft">{only ? `${mode} only` : "live and test"}</span>;
  }
  const query = id ? {} : without(without(place.query, "cursor"), "mode");
  return (
    <span class="modes" role="group" aria-label="Which payments">
      {(["live", "test"] as const).map((one) => {
        const current = one === mode;
        return (
          <a
            key={one}
            href={linkTo(view, { ...query, ...inMode(one) }, current ? id : "")}
            aria-current={current ? "true" : undefined}
          >
            {one === "test" && current ? "TEST" : one}
          </a>
        );
      })}
    </span>
  );
}
