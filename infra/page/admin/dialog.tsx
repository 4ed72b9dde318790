// A dialog for an act: what is left, what has to be said, a reason, and what became of it.

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
  fields?: ComponentChildren;
  children?: ComponentChildren; // what is known before
}

/** ActDialog is open while it is there. */
export function ActDialog({ act: asked, close, acted }: { act: Act; close(): void; acted(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const attempt = useRef<Attempt>(undefined);
  attempt.current ??= new Attempt(act, () => crypto.randomUUID());
  const [values, setValues] = useState<Values>({});
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState("");
  const [wrong, setWrong] = useState("");
  const [failure, setFailure] = useState<Failed | null>(null);
  const done = said !== "";
  const locked = busy || done || attempt.current.unknown;

  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    setValues(valuesOf(shown?.querySelector("form") ?? null));
    return () => shown?.close();
  }, []);

  const closing = useRef<HTMLButtonElement>(null);
  useEffect(() => void (done && closing.current?.focus()), [done]);

  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    if (busy || done) return;
    const given = valuesOf(event.currentTarget as HTMLFormElement);
    const fault = asked.wrong?.(given) || (given.reason ? "" : "Say why, in a few words: it stands in the audit log.");
    setWrong(fault);
    if (fault) return;
    event.submitter?.focus(); // the fields can't have it while they are locked
    setBusy(true);
    setFailure(null);
    const answer = await attempt.current!.send<unknown>(asked.path, { ...asked.body(given), reason: given.reason });
    setBusy(false);
    if (answer.failure) setFailure(answer.failure);
    else setSaid(asked.done(answer.value));
    acted();
  };

  return (
    <dialog ref={dialog} aria-labelledby="act-title" onClose={close} onCancel={(event) => busy && event.preventDefault()}>
      <form onSubmit={send} onInput={(event) => setValues(valuesOf(event.currentTarget as HTMLFormElement))} noValidate>
        <h2 id="act-title">{asked.title}</h2>
        {asked.children}
        <div class={locked ? "fields locked" : "fields"} inert={locked}>
          {asked.fields}
          <label>
            Reason
            <input name="reason" maxLength={longestReason} required autoComplete="off" aria-describedby="reason-hint" />
          </label>
          <p class="soft hint" id="reason-hint">
            At most {longestReason} characters, no card number. It stands in the audit log with your name.
          </p>
        </div>
        <div role="status" class="outcome">
          {busy && <p class="late">Waiting for the answer…</p>}
          {wrong && <p class="wrong">{wrong}</p>}
          {done && <p class="said">{said}</p>}
          {attempt.current.unknown && !busy && (
            <p>
              <strong>Nobody knows whether it was done.</strong> Repeat it: the same request is never done twice.
            </p>
          )}
        </div>
        {failure && <Failure failure={failure} />}
        <p class="buttons">
          {!done && (
            <button class={asked.danger ? "danger" : "primary"} aria-disabled={busy}>
              {attempt.current.unknown && !busy ? "Repeat: " : ""}
              {asked.button(values)}
            </button>
          )}
          <button ref={closing} type="button" onClick={() => busy || dialog.current?.close()} aria-disabled={busy}>
            {done ? "Close" : "Cancel"}
          </button>
        </p>
      </form>
    </dialog>
  );
}

function valuesOf(form: HTMLFormElement | null): Values {
  if (!form) return {};
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]));
}
