// The form: method, fields, pay, close. It checks what it can and hands the rest to the flow.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Field } from "./field";
import type { Flow, State } from "./flow";
import { filledIn } from "./inputs";
import { Amount, hasAmount } from "./order";
import type { Screen, ScreenMethod, ScreenOrder } from "./screen";
import { methodText, type Texts } from "./texts";
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
  const switchTo = (id: string) => {
    choose(id);
    if (props.state.notice === "check_fields") props.flow.notice(null);
  };
  return (
    <>
      {methods.length > 1 && <Chooser methods={methods} method={method} texts={props.texts} onChoose={switchTo} />}
      <MethodForm key={method.id} {...props} method={method} />
    </>
  );
}

function MethodForm(props: FormProps & { method: ScreenMethod }) {
  const { screen, state, flow, texts, method } = props;
  const [faults, mark] = useFaults(props);

  const onValue = (id: string, value: string) => {
    const values = { ...props.values, ...filledIn(), [id]: value };
    const country = method.fields.find((f) => f.kind === "country");
    const region = method.fields.find((f) => f.kind === "state");
    if (region && country?.id === id) values[region.id] = "";
    // A marked field loses its mark as soon as it is right, and a state when it is another country's.
    const right = [faultsIn(method, values)[id] ? "" : id, country?.id === id ? region?.id : ""];
    const others = Object.fromEntries(Object.entries(faults).filter(([marked]) => !right.includes(marked)));
    if (Object.keys(others).length < Object.keys(faults).length) {
      mark(others, false);
      if (Object.keys(others).length === 0 && state.notice === "check_fields") flow.notice(null);
    }
    props.onValues(values); // last: drawing takes over what the inputs still show
  };

  const submit = (event: Event) => {
    event.preventDefault();
    if (state.busy !== "no") return;
    const values = { ...props.values, ...filledIn() };
    props.onValues(values);
    const found = faultsIn(method, values);
    const sound = Object.keys(found).length === 0;
    mark(found, !sound);
    if (!sound) return flow.notice("check_fields");
    void flow.pay((attempt) => request(attempt, screen, method, values));
  };

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
        {state.busy === "sending" ? texts.sending : <Pay order={screen.order} texts={texts} />}
      </button>
      {screen.seal && <p class="hint">{texts.sealed}</p>}
      <button id="close" type="button" class="quiet" disabled={busy} onClick={() => void flow.cancel()}>
        {texts.close}
      </button>
    </form>
  );
}

function Pay({ order, texts }: { order: ScreenOrder | undefined; texts: Texts }) {
  if (!order || !hasAmount(order)) return <>{texts.pay_plain}</>;
  const [before, after] = texts.pay.split("{amount}");
  return (
    <>
      {before}
      <Amount order={order} texts={texts} />
      {after}
    </>
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
