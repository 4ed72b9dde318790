// The start: one flow for the session in the address, drawn again whenever it knows more.

import { render } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ask } from "./api";
import { choiceOf, nothingPicked, type Picked } from "./choice";
import { orderNow, vatNow } from "./due";
import { Flow, type State } from "./flow";
import { Form } from "./form";
import { filledIn } from "./inputs";
import { leave, mayGo } from "./leave";
import { Message, tone } from "./message";
import { Order } from "./order";
import { Shown } from "./shown";
import { fill, textsOf } from "./texts";
import { TimeLeft } from "./time";
import { sealedIn, without, type Values } from "./values";

function App({ flow }: { flow: Flow }) {
  const [state, setState] = useState<State>(flow.state);
  const { screen } = state;
  const texts = textsOf(screen?.language ?? "en");
  const [values, setValues] = useState<Values>({});
  const [picked, pick] = useState<Picked>(nothingPicked);
  const choice = screen && choiceOf(screen, picked);
  const fields = choice?.fields ?? [];
  const heading = useRef<HTMLHeadingElement>(null);
  const kind = screen?.kind;

  useLayoutEffect(() => {
    flow.draw = (next) => {
      setValues((known) => ({ ...known, ...filledIn() }));
      setState(next);
    };
  }, [flow]);
  // Not after the next picture, when the payer may be typing again already.
  const sealed = useRef(new Set<string>()); // of all forms until now
  for (const id of sealedIn(screen)) sealed.current.add(id);
  useLayoutEffect(() => setValues((known) => without(known, [...sealed.current])), [state.cleared]);
  useLayoutEffect(() => {
    const page = document.documentElement;
    page.lang = texts.tag;
    page.dir = texts.dir;
    document.title = screen?.merchant ? fill(texts.title, { merchant: screen.merchant }) : texts.title_plain;
  }, [texts, screen?.merchant]);
  // What had the focus may be gone with the last screen.
  const first = useRef(true);
  useLayoutEffect(() => {
    if (!first.current) heading.current?.focus();
    first.current = !kind;
  }, [kind, state.cleared]);
  // Below a long form the message would not be seen; faults of fields have the focus instead.
  const message = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (state.notice && state.notice !== "check_fields") message.current?.scrollIntoView({ block: "nearest" });
  }, [state.notice]);

  return (
    <main>
      <header>
        <h1 ref={heading} tabIndex={-1}>
          {screen?.merchant ?? texts.title_plain}
        </h1>
        {screen?.test && <span class="badge">{texts.test_mode}</span>}
      </header>
      {screen?.order && (
        <Order
          order={orderNow(screen.order, fields, values)}
          vat={vatNow(screen.order, fields, values)}
          typed={fields.some((f) => f.kind === "amount")}
          texts={texts}
        />
      )}
      <div class="body">
        <TimeLeft key={state.received} screen={screen} received={state.received} texts={texts} onZero={() => void flow.refresh()} />
        <div ref={message} id="message" role="alert" class={tone(state)}>
          <Message state={state} texts={texts} />
        </div>
        <Shown show={screen?.show ?? []} texts={texts} />
        {(!screen || kind === "wait" || (kind === "go" && !state.staying)) && <div class="spinner" aria-hidden="true" />}
        {screen && kind === "form" && choice && (
          <Form
            screen={screen}
            state={state}
            flow={flow}
            texts={texts}
            choice={choice}
            values={values}
            onPick={pick}
            onValues={setValues}
          />
        )}
        {(kind === "go" || kind === "message") && screen?.go && mayGo(screen.go.url, location.href) && (
          <a id="continue" class="primary" href={screen.go.url} target={screen.go.target} rel="noreferrer">
            {texts.go_on}
          </a>
        )}
      </div>
    </main>
  );
}

// Where sessionStorage is closed to the page, an attempt is remembered until the page is left.
function storage(): Pick<Storage, "getItem" | "setItem" | "removeItem"> {
  try {
    window.sessionStorage.setItem("probe", "");
    window.sessionStorage.removeItem("probe");
    return window.sessionStorage;
  } catch {
    const kept = new Map<string, string>();
    return {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    };
  }
}

function start(root: HTMLElement): void {
  const session = new URLSearchParams(location.search).get("session") ?? "";
  const world = {
    ask,
    now: () => Date.now(),
    newID: () => crypto.randomUUID(),
    later(ms: number, run: () => void) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    leave,
    storage: storage(),
  };
  const flow = new Flow(session, world);
  root.replaceChildren();
  render(<App flow={flow} />, root);
  void flow.refresh();

  // Whoever comes back, by history, from another tab or from a dead network, sees what the service says now.
  const living = () => flow.state.screen?.kind === "form" || flow.state.screen?.kind === "wait" || flow.state.staying;
  window.addEventListener("pageshow", (event) => void (event.persisted && flow.refresh()));
  window.addEventListener("online", () => void (flow.state.busy === "lost" && flow.refresh()));
  document.addEventListener("visibilitychange", () => void (!document.hidden && living() && flow.refresh()));
}

const root = document.getElementById("page");
if (root) start(root);
