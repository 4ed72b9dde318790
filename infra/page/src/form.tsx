// The form: method, fields, pay, close. It checks what it can and hands the rest to the flow.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { formatAmount } from "./amount";
import { Field } from "./field";
import type { Flow, State } from "./flow";
import type { Screen, ScreenMethod } from "./screen";
import { fill, methodText, type Texts } from "./texts";
import { countryFor, faultsFrom, faultsIn, request, valueOf, type Faults, type Values } from "./values";

export interface FormProps {
  screen: Screen;
  state: State;
  flow: Flow;
  texts: Texts;
  values: Values; // what the payer typed, by field id
  onValues(values: Values): void;
}

export function Form(props: FormProps) {
  const methods = props.screen.methods ?? [];
  const [chosen, choose] = useState("");
  const method = methods.find((m) => m.id === chosen) ?? methods[0];
  if (!method) return null;
  return (
    <>
      {methods.length > 1 && <Chooser methods={methods} method={method} texts={props.texts} onChoose={choose} />}
      <MethodForm key={method.id} {...props} method={method} />
    </>
  );
}

function MethodForm(props: FormProps & { method: ScreenMethod }) {
  const { screen, state, flow, texts, method } = props;
  const [faults, mark] = useFaults(props);

  const onValue = (id: string, value: string) => {
    const values = { ...props.values, [id]: value };
    const country = method.fields.find((f) => f.kind === "country");
    const state = method.fields.find((f) => f.kind === "state");
    if (state && country?.id === id) values[state.id] = "";
    props.onValues(values);
    // A marked field loses its mark as soon as it is right.
    const { [id]: marked, ...others } = faults;
    if (marked && !faultsIn(method, values)[id]) mark(others, false);
  };

  const submit = (event: Event) => {
    event.preventDefault();
    if (state.busy !== "no") return;
    const values = { ...props.values, ...filledIn(method) };
    props.onValues(values);
    const found = faultsIn(method, values);
    const sound = Object.keys(found).length === 0;
    mark(found, !sound);
    if (!sound) return flow.notice("check_fields");
    void flow.pay((attempt) => request(attempt, screen, method, values));
  };

  const amount = screen.order ? formatAmount(screen.order, texts.tag) : "";
  const busy = state.busy !== "no";
  return (
    <form noValidate onSubmit={submit} aria-busy={busy}>
      <div class="fields">
        {method.fields.map((field, i) => (
          <Field
            key={field.id}
            field={field}
            value={valueOf(field, method, props.values)}
            fault={faults[field.id]}
            country={countryFor(field, method, props.values)}
            texts={texts}
            last={i === method.fields.length - 1}
            onValue={onValue}
          />
        ))}
      </div>
      <button id="pay" type="submit" class="primary" disabled={busy}>
        {state.busy === "sending" ? texts.sending : amount ? fill(texts.pay, { amount }) : texts.pay_plain}
      </button>
      {screen.seal && <p class="hint">{texts.sealed}</p>}
      <button id="close" type="button" class="quiet" disabled={busy} onClick={() => void flow.cancel()}>
        {texts.close}
      </button>
    </form>
  );
}

// useFaults keeps the marked fields: those that the page found and those that the service refused.
function useFaults({ state, flow, method }: FormProps & { method: ScreenMethod }) {
  const [faults, setFaults] = useState<Faults>({});
  const focusFirst = useRef(false);
  const mark = (found: Faults, focus: boolean) => {
    focusFirst.current = focus;
    setFaults(found);
  };
  useLayoutEffect(() => mark({}, false), [state.cleared]);
  useEffect(() => {
    if (state.faults.length === 0) return;
    const found = faultsFrom(state.faults, method.fields);
    const known = Object.keys(found).length > 0;
    flow.notice(known ? "check_fields" : "technical_problem");
    if (known) mark(found, true);
    // Not the payer's fault: perhaps the screen is out of date.
    else void flow.refresh();
  }, [state.faults]);
  useEffect(() => {
    if (focusFirst.current) document.querySelector<HTMLElement>("form [aria-invalid=true]")?.focus();
    focusFirst.current = false;
  }, [faults]);
  return [faults, mark] as const;
}

interface ChooserProps {
  methods: ScreenMethod[];
  method: ScreenMethod;
  texts: Texts;
  onChoose(id: string): void;
}

function Chooser({ methods, method, texts, onChoose }: ChooserProps) {
  return (
    <fieldset class="methods">
      <legend>{texts.method}</legend>
      {methods.map((m) => (
        <label key={m.id} class="method">
          <input type="radio" name="method" value={m.id} checked={m.id === method.id} onChange={() => onChoose(m.id)} />
          <span>{methodText(texts, m.id)}</span>
        </label>
      ))}
    </fieldset>
  );
}

// filledIn reads the inputs themselves: some password managers fill them in without an event.
function filledIn(method: ScreenMethod): Values {
  const values: Values = {};
  for (const field of method.fields) {
    const input = document.getElementById(field.id);
    if (input instanceof HTMLInputElement || input instanceof HTMLSelectElement) values[field.id] = input.value;
  }
  return values;
}
