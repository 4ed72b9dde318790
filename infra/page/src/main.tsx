// The start: one flow for the session in the address, drawn again whenever it knows more.

import { render } from "preact";
import { Flow } from "./flow/flow";
import { framedBy, inFrame } from "./flow/frame";
import { leave } from "./flow/leave";
import { forWindow } from "./flow/window";
import { formatAmount } from "./texts/amount";
import { inLanguage } from "./texts/load";
import { watchMarks } from "./methods/lost";
import { ask } from "./service/api";
import { App } from "./app";
import "./shared";

// Written by build.mjs: the page has marks of its operator's own.
declare const OWN_MARKS: boolean;

// Where sessionStorage is closed to the page, an attempt is remembered until the page is left. It is opened when it is
// first used: the browser makes the page wait for it, and the first request should be on its way by then.
function storage(): Pick<Storage, "getItem" | "setItem" | "removeItem"> {
  let opened: Pick<Storage, "getItem" | "setItem" | "removeItem"> | undefined;
  const kept = () => (opened ??= open());
  return {
    getItem: (key) => kept().getItem(key),
    setItem: (key, value) => kept().setItem(key, value),
    removeItem: (key) => kept().removeItem(key),
  };
}

function open(): Pick<Storage, "getItem" | "setItem" | "removeItem"> {
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

// The height is that of what is shown, not that of the frame.
function tellHeight(parent: string): void {
  const { body } = document;
  body.style.minBlockSize = "0";
  new ResizeObserver(() =>
    window.parent.postMessage({ type: "checkout:resize", height: body.offsetHeight }, parent),
  ).observe(body);
}

function start(root: HTMLElement): void {
  const session = new URLSearchParams(location.search).get("session") ?? "";
  const kept = storage();
  const page = location.pathname + location.search;
  const world = {
    ask: inLanguage(
      inFrame(session ? ask : async () => ({ kind: "unknown" }), framedBy(window, kept, session), tellHeight),
    ),
    now: () => Date.now(),
    newID: () => crypto.randomUUID(),
    later(ms: number, run: () => void) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    leave,
    framed: window.top !== window.self,
    page,
    open() {
      const opened = window.open(page + forWindow);
      if (opened) opened.opener = null;
      return !!opened;
    },
    close: () => window.close(),
    storage: kept,
  };
  const flow = new Flow(session, world);
  if (location.hash === forWindow && !world.framed) {
    history.replaceState(null, "", page); // so that coming back does not lead on once more
    flow.goOn();
  }
  // Until something is known, the page's skeleton stays. The app itself then takes over.
  flow.draw = () => {
    root.replaceChildren();
    render(<App flow={flow} />, root);
  };
  void flow.refresh();
  // While nothing has come yet, the browser gets ready to write amounts: the first one takes it longest.
  setTimeout(() => formatAmount({ amount: "0", currency: "EUR", decimals: 2 }, "en"));

  // Whoever comes back, by history, from another tab or from a dead network, sees what the service says now.
  const living = () => flow.state.screen?.kind === "form" || flow.state.screen?.kind === "wait" || flow.state.staying;
  window.addEventListener("pageshow", (event) => void (event.persisted && flow.refresh()));
  window.addEventListener("pagehide", () => flow.clear());
  window.addEventListener("online", () => void (flow.state.busy === "lost" && flow.refresh()));
  document.addEventListener("visibilitychange", () => void (!document.hidden && living() && flow.refresh()));
}

const root = document.getElementById("page");
if (OWN_MARKS) watchMarks(document.styleSheets[0]!);
if (root) start(root);
