// The second form: a code that was sent, an account from a list.

import { useEffect, useLayoutEffect } from "preact/hooks";
import { plain } from "../fields/check";
import { Fields, formID, type FieldsProps } from "../fields/fields";
import { valueOf, without } from "../fields/values";
import type { SecondForm as SecondFormFields } from "../service/screen";

/** SecondForm keeps what was typed from one poll to the next, but no code from one step to the next. */
export function SecondForm(props: Omit<FieldsProps, "fields" | "onSend">) {
  const { screen, state, flow, texts } = props;
  const { fields = [], step = "" } = screen;
  const busy = state.busy !== "no";
  // Also when the form is drawn anew: after a wrong code it comes again behind a screen without it.
  useLayoutEffect(() => {
    const codes = fields.filter((f) => /code|password/.test(f.kind) || f.sealed).map((f) => f.id);
    props.onValues(without(props.values, codes));
  }, [step]);
  useEffect(
    () => document.querySelector<HTMLElement>("form input, form select")?.focus({ preventScroll: true }),
    [step],
  );
  const send = (values: Record<string, string>) => {
    const filled = fields.map((f) => [f.id, plain(f, valueOf(f, fields, values))]);
    const form: SecondFormFields = { step, fields: Object.fromEntries(filled) };
    void flow.post("/second-form", form, 0);
  };
  return (
    <>
      <div class={busy ? "ways dimmed" : "ways"} inert={busy}>
        <Fields key={step} {...props} fields={fields} onSend={send} />
      </div>
      <button id="answer" type="submit" form={formID} class="primary" aria-disabled={busy} aria-busy={busy}>
        {busy && <span class="ring" aria-hidden="true" />}
        <span>{busy ? texts.sending : texts.go_on}</span>
      </button>
    </>
  );
}
