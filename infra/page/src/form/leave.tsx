// The ways out of a payment: another way to pay, and back to the shop. Where that may cost the payer something, they
// are asked once.

import { useEffect, useRef, useState } from "preact/hooks";
import { filledIn } from "../fields/inputs";
import type { Flow } from "../flow/flow";
import type { State } from "../flow/state";
import { fill, formatTime, type Texts } from "../texts";
import type { Screen } from "../service/screen";
import { Facts } from "./actions";

interface Way {
  id: string;
  text: string;
  run(): Promise<void>;
  asks(): boolean; // whether it is asked once more
  question: [short: string, long: string];
}

interface WaysProps {
  ways: Way[];
  screen: Screen;
  facts: boolean; // the question shows what to quote
  busy: boolean;
  texts: Texts;
}

function Ways({ ways, screen, facts, busy, texts }: WaysProps) {
  const [asked, ask] = useState("");
  const question = useRef<HTMLParagraphElement>(null);
  const pressed = useRef("");
  useEffect(() => {
    if (asked) question.current?.focus();
    else document.getElementById(pressed.current)?.focus();
    pressed.current = asked;
  }, [asked]);
  const way = ways.find(({ id }) => id === asked);
  return way ? (
    <div class="ask" role="group" aria-labelledby="leave_ask" onKeyDown={({ key }) => key === "Escape" && ask("")}>
      <p id="leave_ask" ref={question} tabIndex={-1} aria-describedby="leave_text">
        {way.question[0]}
      </p>
      <p id="leave_text">{way.question[1]}</p>
      {facts && <Facts screen={screen} paid={false} texts={texts} />}
      <button id="leave_no" type="button" class="secondary" onClick={() => ask("")}>
        {texts.leave_no}
      </button>
      <button
        id="leave_yes"
        type="button"
        class="quiet"
        aria-disabled={busy}
        onClick={() => busy || void way.run()}
      >
        {texts.leave_yes}
      </button>
    </div>
  ) : (
    <>
      {ways.map(({ id, text, run, asks }) => (
        <button
          key={id}
          id={id}
          type="button"
          class="quiet"
          aria-disabled={busy}
          onClick={() => busy || (asks() ? ask(id) : void run())}
        >
          {text}
        </button>
      ))}
    </>
  );
}

// What leaving means for the session: it ends, or can be paid until its end.
function leaving({ actions = [], expires_at }: Screen, texts: Texts): Way["question"] {
  const open = actions.includes("leave") && expires_at;
  const until = open && fill(texts.leave_open, { time: formatTime(open, texts.tag) });
  return [texts.leave_form, until || texts.leave_ends];
}

interface WaysOutProps {
  state: State;
  flow: Flow;
  texts: Texts;
}

/** WaysOut are below everything else. Who says to have paid is asked, and who leaves a payment that goes on. */
export function WaysOut({ state: { screen, busy, told }, flow, texts }: WaysOutProps) {
  if (!screen) return null;
  const { actions = [] } = screen;
  const goesOn = actions.includes("leave");
  const sent: Way["question"] = [texts.leave_ask, texts.leave_text];
  const ways: Way[] = [
    { id: "another", text: texts.another_way, run: () => flow.post("/another"), asks: () => told, question: sent },
    {
      id: "close",
      text: texts.close,
      run: () => flow.cancel(),
      asks: () => told || (goesOn && !!screen.expires_at),
      question: goesOn ? leaving(screen, texts) : sent,
    },
  ];
  const closes = goesOn || actions.includes("cancel");
  const offered = ways.filter(({ id }) => (id === "close" ? closes : actions.includes(id)));
  return <Ways ways={offered} screen={screen} facts busy={busy !== "no"} texts={texts} />;
}

// Whether the payer has typed anything: what the form came with is not theirs.
function hasTyped({ methods = [] }: Screen): boolean {
  const fields = methods.flatMap((m) => m.fields);
  const given = (id: string, value: string) => fields.some((f) => f.id === id && f.value === value);
  return Object.entries(filledIn()).some(([id, value]) => value !== "" && !given(id, value));
}

interface CloseProps {
  screen: Screen;
  flow: Flow;
  texts: Texts;
  busy: boolean;
}

/** Close is the way out of a form. It asks where something was typed. */
export function Close({ screen, flow, texts, busy }: CloseProps) {
  const ways: Way[] = [
    {
      id: "close",
      text: texts.close,
      run: () => flow.cancel(),
      asks: () => hasTyped(screen),
      question: leaving(screen, texts),
    },
  ];
  return <Ways ways={ways} screen={screen} facts={false} busy={busy} texts={texts} />;
}
