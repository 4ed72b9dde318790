// The page: one picture of what the flow knows.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Band } from "./form/band";
import { Form, NoWay } from "./form/form";
import { choiceOf, nothingPicked, type Picked } from "./methods/choice";
import { leadOf } from "./methods/lead";
import { offered } from "./methods/offered";
import { Shown } from "./methods/shown";
import { orderNow, vatNow } from "./fields/due";
import { filledIn } from "./fields/inputs";
import { codesIn, hasCard, inRegion, presentIn, sealedIn, without, type Values } from "./fields/values";
import { paint } from "./look/colour";
import { useKeptFocus } from "./look/focus";
import { Foot } from "./look/foot";
import { headingOf, Message, tone } from "./look/message";
import { Summary } from "./look/summary";
import { Timer } from "./look/timer";
import type { Flow } from "./flow/flow";
import { keptKey, type State } from "./flow/state";
import { chooseLanguage, fill, languageOf, textsOf, type Texts } from "./texts";
import { drawRest, loadRest, loadTexts } from "./texts/load";
import type { Screen } from "./service/screen";

declare global {
  var checkoutAfter: typeof import("./form/after") | undefined; // set by the script
}

export function App({ flow }: { flow: Flow }) {
  const [state, setState] = useState<State>(flow.state);
  const { screen } = state;
  const [values, setValues] = useState<Values>({});
  // Drawing takes over what the inputs still show.
  const redraw = () => setValues((known) => ({ ...known, ...filledIn() }));
  const language = languageOf(screen);
  const texts = textsOf(language);
  const speak = (language: string) => {
    chooseLanguage(language);
    const rest = globalThis.checkoutAfter && loadRest(language); // as it was in the language before
    void Promise.all([loadTexts(language, screen), rest]).then(redraw);
  };
  // A screen that leads away does not wait for what is shown of one that stays after all.
  // One with what was typed before does, nor does it wait: that comes with it.
  const number = screen?.kind === "form" && screen.order?.number;
  const typed = number && flow.world.storage.getItem(keptKey)?.includes(number);
  const stays = state.staying || screen?.kind === "message" || !!typed;
  useEffect(() => void (stays && loadRest(language)), [stays, language]);
  const [picked, pick] = useState<Picked>(nothingPicked);
  useLayoutEffect(() => {
    flow.draw = (next) => {
      redraw();
      setState(next);
    };
    drawRest(redraw);
  }, [flow]);
  const [none, setNone] = useState<string[]>([]); // methods that turned out not to work in this browser
  const form = useForm(state, none);
  const beside = useBeside(screen, form);
  const kept = useKeptCard(state, values);
  useForgetting(state, setValues);
  useDocument(screen, headingOf(state, texts), texts);
  const heading = useFocus(state);
  useKeptFocus(heading);
  const chosen = form && choiceOf(form, picked);
  const choice = chosen && { ...chosen, fields: presentIn(chosen.fields, values) };
  const fields = choice?.fields ?? [];
  const order = screen?.order && orderNow(screen.order, fields, values);
  const after = globalThis.checkoutAfter;
  const fillIn = (card: Values) => setValues({ ...values, ...filledIn(), ...card });
  return (
    <>
      {screen?.test && <Band fields={form && !state.still ? fields : []} texts={texts} onFill={fillIn} />}
      <main class={beside ? "aside" : ""}>
        <Summary
          screen={screen ?? { kind: "", language: "en" }}
          order={order}
          vat={screen?.order && vatNow(screen.order, fields, values)}
          typed={fields.some((f) => f.kind === "amount")}
          texts={texts}
          heading={heading}
        />
        <Panel state={state} form={form} kept={kept} flow={flow} texts={texts} values={values} onValues={setValues}>
          {form && !choice && <NoWay screen={form} flow={flow} texts={texts} busy={state.busy !== "no"} />}
          {form && choice && (
            <Form
              screen={form}
              state={state}
              flow={flow}
              texts={texts}
              choice={choice}
              values={values}
              onPick={pick}
              onValues={setValues}
              onNone={(method) => setNone((known) => [...known, method])}
            />
          )}
          {/* Below everything else, so that nothing moves when it comes. */}
          {choice && after && <after.HandOff method={choice.method} page={flow.world.page} texts={texts} />}
        </Panel>
        {screen && <Foot screen={screen} language={language} texts={texts} onLanguage={speak} />}
      </main>
    </>
  );
}

interface PanelProps {
  state: State;
  form: Screen | null;
  kept: boolean; // the form has the card that was declined
  flow: Flow;
  texts: Texts;
  values: Values;
  onValues(values: Values): void;
  children: preact.ComponentChildren;
}

function Panel({ state, form, kept, flow, texts, values, onValues, children }: PanelProps) {
  const { screen, notice } = state;
  const kind = screen?.kind;
  const alone = !form;
  const after = alone ? globalThis.checkoutAfter : undefined;
  const message = useRef<HTMLDivElement>(null);
  // Below a long form the message would not be seen; faults of fields have the focus instead.
  useEffect(() => {
    if (notice && notice !== "check_fields") message.current?.scrollIntoView({ block: "nearest" });
  }, [notice]);
  const panel = useStillHeight(!alone, state.paid || kind === "wait");
  const clock = (
    <div class="clock">
      <Timer state={state} flow={flow} texts={texts} />
    </div>
  );
  const hurries = kind === "wait" && (screen?.show ?? []).length > 0; // with what has a time limit of its own
  const classes = [tone(state), alone ? "stands" : "", notice === "check_fields" ? "unseen" : ""];
  return (
    <div class="panel" ref={panel}>
      <div ref={message} id="message" role="alert" class={classes.filter(Boolean).join(" ")}>
        <Message state={state} alone={alone} texts={texts} />
      </div>
      <p role="status" class="unseen">
        {(state.busy === "sending" || state.still) && texts.sending}
      </p>
      {state.busy === "lost" && (
        <button id="ask_now" type="button" class="secondary" onClick={() => void flow.refresh()}>
          {texts.ask_now}
        </button>
      )}
      {kind === "form" && kept && screen?.message && state.busy === "no" && !notice && (
        <button id="use_another_card" type="button" class="quiet inline" onClick={() => flow.clear()}>
          {texts.use_another_card}
        </button>
      )}
      {hurries && clock}
      <Shown show={after?.shownIn(state, flow.world.page) ?? []} first={screen ? leadOf(screen) : ""} texts={texts} />
      {children}
      {after && screen?.kind === "wait" && screen.fields && (
        <after.SecondForm screen={screen} state={state} flow={flow} texts={texts} values={values} onValues={onValues} />
      )}
      {after && screen && <after.Actions state={state} flow={flow} texts={texts} />}
      {!hurries && clock}
      {after && kind === "wait" && <after.Take screen={screen!} page={flow.world.page} texts={texts} />}
      {after && screen && <after.WaysOut state={state} flow={flow} texts={texts} />}
    </div>
  );
}

// useForm is the form that is drawn: the present one, or just after Pay the one that was paid with. It has what this
// browser can pay with.
function useForm({ screen, still }: State, none: string[]): Screen | null {
  const last = useRef<Screen | null>(null);
  const known = useRef<Screen | null>(null);
  if (screen?.kind === "form" && screen !== known.current) {
    known.current = screen;
    last.current = { ...screen, methods: inRegion(offered(screen.methods ?? [], window), navigator.languages) };
  }
  if (!last.current || (screen?.kind !== "form" && !still)) return null;
  return none.length === 0
    ? last.current
    : { ...last.current, methods: last.current.methods?.filter((m) => !none.includes(m.id)) ?? [] };
}

// useBeside: what the payment is for stands beside a form, and beside what follows it, so that nothing jumps. A visit
// that begins with a wait or an ending has it above.
function useBeside(screen: Screen | null, form: Screen | null): boolean {
  const formed = useRef(false);
  formed.current ||= form !== null;
  return !screen || formed.current;
}

// Not after the next picture, when the payer may be typing again already.
type Change = (change: (known: Values) => Values) => void;

function useForgetting({ screen, cleared, declined }: State, setValues: Change): void {
  const sealed = useRef(new Set<string>()); // of all forms until now
  const codes = useRef(new Set<string>());
  for (const id of sealedIn(screen)) sealed.current.add(id);
  for (const id of codesIn(screen)) codes.current.add(id);
  useLayoutEffect(() => setValues((known) => without(known, [...sealed.current])), [cleared]);
  useLayoutEffect(() => setValues((known) => without(known, [...codes.current])), [declined]);
}

// useKeptCard tells whether the form still had a card at the last decline. It has none after a wallet, or a reload.
function useKeptCard({ screen, cleared, declined }: State, values: Values): boolean {
  const [kept, keep] = useState(false);
  useLayoutEffect(() => keep(hasCard(screen, values)), [declined]);
  useLayoutEffect(() => keep(false), [cleared]);
  return kept;
}

function useDocument(screen: Screen | null, heading: string, texts: Texts): void {
  useLayoutEffect(() => {
    const page = document.documentElement;
    page.lang = texts.tag;
    page.dir = texts.dir;
    const merchant = screen?.merchant ?? "";
    const plain = merchant ? fill(texts.title, { merchant }) : texts.title_plain;
    document.title = heading ? [heading, merchant].filter(Boolean).join(" – ") : plain;
  }, [texts, heading, screen?.merchant]);
  const accent = screen?.branding?.accent;
  useLayoutEffect(() => {
    if (!accent) return;
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const again = () => paint(accent);
    again();
    dark.addEventListener("change", again);
    return () => dark.removeEventListener("change", again);
  }, [accent]);
}

// What had the focus may be gone with the last screen: the heading has it then, and after a decline the code, or
// the date of a card that has expired.
function useFocus({ screen, still, cleared, declined }: State) {
  const heading = useRef<HTMLHeadingElement>(null);
  const first = useRef(true);
  const kind = still ? "form" : screen?.kind;
  useLayoutEffect(() => {
    const number = document.querySelector<HTMLElement>("form [autocomplete=cc-number]");
    if (!first.current) (cleared ? number ?? heading.current : heading.current)?.focus({ preventScroll: true });
    first.current = !kind;
  }, [kind, cleared]);
  useEffect(() => {
    const number = document.querySelector<HTMLInputElement>("form [autocomplete=cc-number]");
    const part = screen?.message?.reason?.code === "card_expired" ? "cc-exp" : "cc-csc";
    if (declined && number?.value !== "") document.querySelector<HTMLElement>(`form [autocomplete=${part}]`)?.focus();
  }, [declined]);
  return heading;
}

// useStillHeight keeps the height of a form for what follows it at once, so that nothing jumps. It is measured just
// before the form goes: measured any earlier, it costs a layout while the page comes up.
function useStillHeight(form: boolean, follows: boolean) {
  const panel = useRef<HTMLDivElement>(null);
  const height = useRef(0);
  const was = useRef(false);
  if (was.current && !form) height.current = Math.min(panel.current?.offsetHeight ?? 0, 560);
  was.current = form;
  useLayoutEffect(() => {
    const kept = !form && follows && height.current ? height.current + "px" : "";
    if (panel.current && panel.current.style.minBlockSize !== kept) panel.current.style.minBlockSize = kept;
  });
  return panel;
}
