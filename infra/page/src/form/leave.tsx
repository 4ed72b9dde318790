// The ways out of a payment: another way to pay, and back to the shop. Where that may cost the payer something, they
// are asked once.

import { useEffect, useRef, useState } from "preact/hooks";
import { filledIn } from "../fields/inputs";
import type { Flow } from "../flow/flow";
import type { State } from "../flow/state";
import { useFocusBack } from "../look/focus";
import { fill, formatTime, type Texts } from "../texts";
import type { Screen } from "../service/screen";
import { Facts } from "./actions";

interface Way {
  id: string;
  text: string;
  run(): Promise<void>;
  asks: boolean; // once more
  question: [short: string, long: string];
}

interface QuestionProps {
  text: Way["question"];
  quoted: Screen | null; // what to quote is shown with the question
  busy: boolean;
  texts: Texts;
  onStay(): void;
  onLeave(): Promise<void>;
}

function Question({ text: [short, long], quoted, busy, texts, onStay, onLeave }: QuestionProps) {
  const question = useRef<HTMLParagraphElement>(null);
  useEffect(() => question.current?.focus(), []);
  return (
    <div class="ask" role="group" aria-labelledby="leave_ask" onKeyDown={({ key }) => key === "Escape" && onStay()}>
      <p id="leave_ask" ref={question} tabIndex={-1} aria-describedby="leave_text">
        {short}
      </p>
      <p id="leave_text">{long}</p>
      {quoted && <Facts screen={quoted} paid={false} texts={texts} />}
      <button id="leave_no" type="button" class="secondary" onClick={onStay}>
        {texts.leave_no}
      </button>
      <button id="leave_yes" type="button" class="quiet" aria-disabled={busy} onClick={() => busy || void onLeave()}>
        {texts.leave_yes}
      </button>
    </div>
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
export function WaysOut({ state, flow, texts }: WaysOutProps) {
  const [asked, ask] = useState("");
  useFocusBack(asked);
  const { screen, told } = state;
  if (!screen) return null;
  const busy = state.busy !== "no";
  const { actions = [] } = screen;
  const goesOn = actions.includes("leave");
  const sent: Way["question"] = [texts.leave_ask, texts.leave_text];
  const all: Way[] = [
    { id: "another", text: texts.another_way, run: () => flow.post("/another"), asks: told, question: sent },
    {
      id: "close",
      text: texts.close,
      run: () => flow.cancel(),
      asks: told || (goesOn && !!screen.expires_at),
      question: goesOn ? leaving(screen, texts) : sent,
    },
  ];
  const closes = goesOn || actions.includes("cancel");
  const ways = all.filter(({ id }) => (id === "close" ? closes : actions.includes(id)));
  const way = ways.find(({ id }) => id === asked);
  if (way)
    return (
      <Question
        text={way.question}
        quoted={screen}
        busy={busy}
        texts={texts}
        onStay={() => ask("")}
        onLeave={way.run}
      />
    );
  return (
    <>
      {ways.map(({ id, text, run, asks }) => (
        <button
          key={id}
          id={id}
          type="button"
          class="quiet"
          aria-disabled={busy}
          onClick={() => busy || (asks ? ask(id) : void run())}
        >
          {text}
        </button>
      ))}
    </>
  );
}

/** hasTyped tells whether the payer has typed anything into a form: what it came with is not theirs. */
export function hasTyped({ methods = [] }: Screen): boolean {
  const fields = methods.flatMap((m) => m.fields);
  const given = (id: string, value: string) => fields.some((f) => f.id === id && f.value === value);
  return Object.entries(filledIn()).some(([id, value]) => value !== "" && !given(id, value));
}

interface LeavingProps {
  screen: Screen;
  flow: Flow;
  texts: Texts;
  busy: boolean;
  onStay(): void;
}

/** Leaving is asked of who leaves a form in which something was typed. */
export function Leaving({ screen, flow, texts, busy, onStay }: LeavingProps) {
  const { operation = "purchase" } = screen;
  const [question, after] = leaving(screen, texts);
  const charged = ["purchase", "debit"].includes(operation) ? texts.messages.cancelled + " " : ""; // nothing
  const text: Way["question"] = [question, charged + after];
  return (
    <Question text={text} quoted={null} busy={busy} texts={texts} onStay={onStay} onLeave={() => flow.cancel()} />
  );
}
