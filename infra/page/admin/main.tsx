// The start: who looks and the service's words first, then the view that the address names.

import { render } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { enter, hasToken } from "./access";
import { linkTo, placeOf, type Place } from "./address";
import { Addresses, Circuits } from "./addresses";
import { Blocks } from "./blocks";
import { Callbacks } from "./callbacks";
import { Chain, Chains } from "./chains";
import { deedOf, keys, moved } from "./keys";
import { Find } from "./find";
import { Frame } from "./frame";
import { Empty, Failure, Head } from "./parts";
import { Overview } from "./overview";
import { Payment } from "./payment";
import { Payments } from "./payments";
import { Audit, Operators } from "./people";
import { UnderWay, Waiting } from "./requests";
import { commandIn, watchUse } from "./session";
import { AskForGrant, SignIn, SignInCommand } from "./sign";
import type { Describe, Me } from "./types";
import { may, readAgain, useRead, WorldContext, type Reading } from "./world";

function App() {
  const [place, setPlace] = useState(() => placeOf(location.hash));
  const me = useRead<Me>("/me");
  const words = useRead<Describe>("/describe");
  const help = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const moved = () => setPlace(placeOf(location.hash));
    window.addEventListener("hashchange", moved);
    return () => window.removeEventListener("hashchange", moved);
  }, []);
  useKeys(help);
  // Where a link has vanished that had the focus, the heading has it.
  useEffect(() => {
    if (document.activeElement === document.body) focusHeading();
  }, [place]);
  const world = useMemo(() => {
    if (!me.value || !words.value) return null;
    // Whoever may see test payments alone sees these.
    const query = may(me.value, "find", "live") ? place.query : { mode: "test", ...place.query };
    return {
      me: me.value,
      words: words.value,
      place: { ...place, query },
      mode: query.mode === "test" ? "test" : "live",
      help: () => help.current?.showModal(),
    } as const;
  }, [me.value, words.value, place]);
  if (!world) {
    const failed = me.failure ? me : words;
    return (
      <main class="start">
        <h1>Checkout admin</h1>
        <Start of={failed} />
      </main>
    );
  }
  return (
    <WorldContext.Provider value={world}>
      <Frame>
        <View key={place.view + "/" + place.id} place={place} />
      </Frame>
      <dialog ref={help} aria-labelledby="keys-title">
        <h2 id="keys-title">Keys</h2>
        <dl class="keys">
          {keys.map(({ key, does }) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <button type="button" onClick={() => help.current?.close()}>
          Close
        </button>
      </dialog>
    </WorldContext.Provider>
  );
}

// Start is what there is before anything can be shown.
function Start({ of }: { of: Reading<unknown> }) {
  const { failure } = of;
  if (!failure) return <p class="late soft">Loading…</p>;
  if (failure.signIn) return <SignIn at={failure.signIn} />;
  if (failure.status === 403 && !hasToken()) return <AskForGrant failure={failure} />;
  return <Failure failure={failure} again={of.again} />;
}

const focusHeading = () => document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });

function View({ place }: { place: Place }) {
  // A link moves the focus to the heading of what it shows, as a page that is loaded would, before anybody can move it.
  useLayoutEffect(() => {
    focusHeading();
    scrollTo(0, 0);
  }, []);
  switch (place.view) {
    case "":
      return <Overview />;
    case "find":
      return <Find key={place.query.q ?? ""} />;
    case "payments":
      return place.id ? <Payment id={place.id} /> : <Payments />;
    case "chains":
      return place.id ? <Chain id={place.id} /> : <Chains />;
    case "under-way":
      return <UnderWay />;
    case "waiting":
      return <Waiting />;
    case "callbacks":
      return <Callbacks />;
    case "addresses":
      return <Addresses />;
    case "circuits":
      return <Circuits />;
    case "blocks":
      return <Blocks />;
    case "merchants":
      return <Settings />;
    case "operators":
      return <Operators />;
    case "audit":
      return <Audit />;
  }
  return (
    <>
      <Head title="There is no such view" />
      <Empty title="The link names a view that this page does not have.">
        <p>
          <a href={linkTo("find")}>Find a payment</a>
        </p>
      </Empty>
    </>
  );
}

// Settings are loaded when somebody looks at them, and at once where the page begins with them.
const loadSettings = () => import("./settings/merchants");

function Settings() {
  const [loaded, setLoaded] = useState<typeof import("./settings/merchants") | null>(null);
  useLayoutEffect(() => void loadSettings().then(setLoaded), []);
  return loaded ? <loaded.Merchants /> : <p class="late soft">Loading…</p>;
}

const first = "a, button, summary"; // of a row: what Enter opens

function useKeys(help: { current: HTMLDialogElement | null }): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const at = document.activeElement;
      if (event.key === "Escape" && at instanceof HTMLElement && at.closest("#find")) at.blur();
      if (document.querySelector("dialog[open]")) return;
      const deed = deedOf(event, Boolean(at?.matches("input:not([type=radio]), select, textarea")));
      if (!deed) return;
      event.preventDefault();
      if (deed === "find") document.querySelector<HTMLInputElement>("#find input")?.select();
      else if (deed === "again") readAgain();
      else if (deed === "help") help.current?.showModal();
      else {
        const rows = [...document.querySelectorAll("main tbody tr")].filter((row) => row.querySelector(first));
        const now = rows.findIndex((row) => row.contains(at));
        rows[moved(now, deed === "next" ? 1 : -1, rows.length)]?.querySelector<HTMLElement>(first)?.focus();
      }
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);
}

const root = document.getElementById("page");
const command = commandIn(location.hash);
if (root && command) render(<SignInCommand command={command} />, root);
else if (root) {
  if (placeOf(location.hash).view === "merchants") void loadSettings();
  watchUse();
  void enter(readAgain).then(() => render(<App />, root));
}
