// A dialog for an act: what is known, what has to be said, a reason, and what became of it.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { act, type Failure as Failed } from "./api";
import { Attempt } from "./attempt";
import { Failure } from "./parts";

const longestReason = 120; // characters, as the API takes it

export type Values = Record<string, string>;

export interface Act {
  title: string;
  button(values: Values): string; // what pressing it does
  danger?: boolean;
  path: string;
  body(values: Values): object;
  /** wrong says what is wrong with the values, "" for nothing. */
  wrong?(values: Values): string;
  /** done says what became of it. */
  done(value: unknown): string;
  /** fields are drawn from what was chosen in them. */
  fields?(values: Values): ComponentChildren;
  reasonless?: boolean; // what is written says why
  children?: ComponentChildren; // what is known before
}

interface DialogProps {
  title: string;
  close(): void;
  busy: boolean; // it stays open
  children: ComponentChildren;
}

/** Dialog is open while it is there, and gives the focus back. */
export function Dialog({ title, close, busy, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const own = dialog.current;
    own?.showModal();
    return () => {
      const now = document.activeElement;
      if (now && now !== document.body && !own?.contains(now)) return; // somebody is elsewhere by now
      focusOn(before?.isConnected ? before : document.querySelector("main h1"));
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="dialog-title"
      onClose={() => (busy ? dialog.current?.showModal() : close())} // the second Escape closes it whatever is said
      onCancel={(event) => busy && event.preventDefault()}
    >
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  );
}

function focusOn(element: Element | null): void {
  if (element instanceof HTMLElement) element.focus();
}

export function ReasonField() {
  return (
    <>
      <label>
        Reason
        <input name="reason" maxLength={longestReason} required autoComplete="off" aria-describedby="reason-hint" />
      </label>
      <p class="soft hint" id="reason-hint">
        At most {longestReason} characters, no card number. It stands in the audit log with your name.
      </p>
    </>
  );
}

/** ActDialog asks for an act and does it, once. */
export function ActDialog({ act: asked, close, acted }: { act: Act; close(): void; acted(value?: unknown): void }) {
  const form = useRef<HTMLFormElement>(null);
  const closing = useRef<HTMLButtonElement>(null);
  const attempt = useRef<Attempt>(undefined);
  attempt.current ??= new Attempt(act, () => crypto.randomUUID());
  const [values, setValues] = useState<Values>({});
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState("");
  const [wrong, setWrong] = useState("");
  const [failure, setFailure] = useState<Failed | null>(null);
  const done = said !== "";
  const unknown = attempt.current.unknown && !busy;

  useEffect(() => setValues(valuesOf(form.current)), []);
  useEffect(() => void (done && closing.current?.focus()), [done]);

  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    if (busy || done) return;
    const given = valuesOf(form.current);
    const fault =
      asked.wrong?.(given) ||
      (asked.reasonless || given.reason ? "" : "Say why, in a few words: it stands in the audit log.");
    setWrong(fault);
    if (fault) return;
    event.submitter?.focus(); // the fields can't have it while they are locked
    setBusy(true);
    setFailure(null);
    const answer = await attempt.current!.send<unknown>(asked.path, {
      ...asked.body(given),
      ...(!asked.reasonless && { reason: given.reason }),
    });
    setBusy(false);
    if (answer.failure) setFailure(answer.failure);
    else setSaid(asked.done(answer.value));
    acted(answer.value);
  };

  return (
    <Dialog title={asked.title} close={close} busy={busy}>
      <form ref={form} onSubmit={send} onInput={() => setValues(valuesOf(form.current))} noValidate>
        {asked.children}
        <div class="fields" inert={busy || done || unknown}>
          {asked.fields?.(values)}
          {!asked.reasonless && <ReasonField />}
        </div>
        <div role="status">
          {busy && <p class="late">Waiting for the answer…</p>}
          {wrong && <p class="wrong">{wrong}</p>}
          {done && <p class="said">{said}</p>}
          {unknown && (
            <p>
              <strong>Nobody knows whether it was done.</strong> Repeat it: the same request is never done twice. If you
              close this instead, look at what has happened before you ask for it anew.
            </p>
          )}
        </div>
        {failure && <Failure failure={failure} />}
        <p class="buttons">
          {!done && (
            <button class={asked.danger ? "danger" : "primary"} aria-disabled={busy}>
              {unknown && "Repeat: "}
              {asked.button(values)}
            </button>
          )}
          <button ref={closing} type="button" onClick={() => busy || close()} aria-disabled={busy}>
            {done ? "Close" : "Cancel"}
          </button>
        </p>
      </form>
    </Dialog>
  );
}

export function valuesOf(form: HTMLFormElement | null): Values {
  if (!form) return {};
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]));
}
