// What stands around each view: the field that finds, the way to the other views, and whether it is test.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { validNumber } from "../src/fields/card";
import { hasToken } from "./access";
import { asked, linkTo, pick, type Query } from "./address";
import { useCounts } from "./overview";
import { Copy } from "./parts";
import { SignOut } from "./sign";
import { short } from "./text";
import { mayAny, useWorld } from "./world";

const views: readonly { view: string; label: string; right: string; modes?: boolean }[] = [
  { view: "", label: "Overview", right: "find", modes: true },
  { view: "find", label: "Find", right: "find" },
  { view: "payments", label: "Payments", right: "find", modes: true },
  { view: "chains", label: "Recurring", right: "find", modes: true },
  { view: "under-way", label: "Under way", right: "find", modes: true },
  { view: "waiting", label: "Waiting for a person", right: "find" },
  { view: "callbacks", label: "Callbacks", right: "find", modes: true },
  { view: "addresses", label: "Addresses", right: "find" },
  { view: "circuits", label: "Circuits", right: "find" },
  { view: "blocks", label: "Blocked", right: "find" },
  { view: "merchants", label: "Merchants", right: "settings" },
  { view: "operators", label: "Operators", right: "operators" },
  { view: "audit", label: "Audit", right: "own-audit" },
];

export function Frame({ children }: { children: ComponentChildren }) {
  const { me, mode, place, help } = useWorld();
  const kept = pick(place.query, ["mode"]);
  const counts = useCounts(place.view === "");
  const offered = views.filter(({ right }) => mayAny(me, right));
  const modes = place.id === "" && offered.some(({ view, modes }) => modes && view === place.view);
  const menu = (
    <ul>
      {offered.map(({ view, label, modes }) => (
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
      ))}
    </ul>
  );
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
        {modes ? (
          <Modes query={place.query} view={place.view} />
        ) : (
          mode === "test" && <strong class="test-word">TEST</strong>
        )}
      </header>
      <nav aria-label="Views">{menu}</nav>
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

// Modes are links to the same view of live and of test payments.
function Modes({ query, view }: { query: Query; view: string }) {
  const { mode } = useWorld();
  return (
    <span class="modes" role="group" aria-label="Which payments">
      {(["live", "test"] as const).map((one) => (
        <a
          key={one}
          href={linkTo(view, { ...query, mode: one === "test" ? one : "" })}
          aria-current={one === mode ? "true" : undefined}
        >
          {one === "test" && one === mode ? "TEST" : one}
        </a>
      ))}
    </span>
  );
}
