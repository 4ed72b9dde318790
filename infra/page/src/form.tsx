// The form: what to pay with, fields, pay, close. It checks what it can and hands the rest to the flow.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Methods, Saved } from "./chooser";
import type { Choice, Picked } from "./choice";
import { orderNow } from "./due";
import { Field } from "./field";
import type { Flow, State } from "./flow";
import { filledIn } from "./inputs";
import { hasAmount, WithAmount } from "./order";
import { scheduleText } from "./schedule";
import type { Screen, ScreenOrder } from "./screen";
import type { Texts } from "./texts";
import { byOf, countryFor, faultsFrom, faultsIn, request, valueOf, without, type Faults, type Values } from "./values";

export interface FormProps {
  screen: Screen;
  state: State;
  flow: Flow;
  texts: Texts;
  choice: Choice;
  values: Values; // what the payer typed, by field id
  onPick(picked: Picked): void;
  onValues(values: Values): void;
}

export function Form(props: FormProps) {
  const { screen, state, flow, texts, choice } = props;
  const methods = screen.methods ?? [];
  const pick = (picked: Picked) => {
    if (state.notice === "check_fields") flow.notice(null);
    props.onPick(picked);
    const codes = choice.fields.filter((f) => f.kind === "security_code").map((f) => f.id); // belong to one card only
    props.onValues(without({ ...props.values, ...filledIn() }, codes)); // last: drawing takes over what the inputs still show
  };
  const method = choice.method.id;
  return (
    <>
      {methods.length > 1 && (
        <Methods methods={methods} choice={choice} texts={texts} onMethod={(id) => pick({ method: id, saved: null })} />
      )}
      {(choice.method.saved ?? []).length > 0 && <Saved choice={choice} texts={texts} onSaved={(saved) => pick({ method, saved })} />}
      <Fields key={method + " " + (choice.saved?.id ?? "")} {...props} />
    </>
  );
}

function Fields(props: FormProps) {
  const { screen, state, flow, texts, choice } = props;
  const { fields } = choice;
  const [faults, mark] = useFaults(props);
  const faultsOf = (values: Values) => faultsIn(fields, values, screen.order?.decimals ?? 0);

  const onValue = (id: string, value: string) => {
    const values = { ...props.values, ...filledIn(), [id]: value };
    const country = fields.find((f) => f.kind === "country");
    const region = fields.find((f) => f.kind === "state");
    if (region && country?.id === id) values[region.id] = "";
    // A marked field loses its mark as soon as it is right, and a state when it is another country's.
    const right = [faultsOf(values)[id] ? "" : id, country?.id === id ? region?.id : ""];
    const others = Object.fromEntries(Object.entries(faults).filter(([marked]) => !right.includes(marked)));
    if (Object.keys(others).length < Object.keys(faults).length) {
      mark(others, false);
      if (Object.keys(others).length === 0 && state.notice === "check_fields") flow.notice(null);
    }
    props.onValues(values); // last: drawing takes over what the inputs still show
  };

  const submit = (event: Event) => {
    event.preventDefault();
    if (state.busy !== "no" || state.retryIn > 0) return;
    const values = { ...props.values, ...filledIn() };
    props.onValues(values);
    const found = faultsOf(values);
    const sound = Object.keys(found).length === 0;
    mark(found, !sound);
    if (!sound) return flow.notice("check_fields");
    void flow.pay((attempt) => request(attempt, screen, choice, values));
  };

  const busy = state.busy !== "no";
  return (
    <form noValidate onSubmit={submit} aria-busy={busy}>
      <div class="fields">
        {fields.map((field, i) => (
          <Field
            key={field.id}
            screen={screen}
            field={field}
            value={valueOf(field, fields, props.values)}
            fault={faults[field.id]}
            country={countryFor(field, fields, props.values)}
            by={byOf(field, fields, props.values)}
            texts={texts}
            last={i === fields.length - 1}
            onValue={onValue}
          />
        ))}
      </div>
      {!fields.some((f) => f.kind === "consent") && <Schedule screen={screen} texts={texts} />}
      <button id="pay" type="submit" class="primary" disabled={busy || state.retryIn > 0}>
        {state.busy === "sending" ? texts.sending : <Pay order={screen.order && orderNow(screen.order, fields, props.values)} texts={texts} />}
      </button>
      {fields.some((f) => f.sealed) && <p class="hint">{texts.sealed}</p>}
      {screen.actions?.includes("cancel") && (
        <button id="close" type="button" class="quiet" disabled={busy} onClick={() => void flow.cancel()}>
          {texts.close}
        </button>
      )}
    </form>
  );
}

function Schedule({ screen: { schedule, order }, texts }: { screen: Screen; texts: Texts }) {
  if (!schedule || !order) return null;
  return (
    <p id="schedule" class="note">
      {scheduleText(texts.recurring.info, schedule, order, texts)}
    </p>
  );
}

function Pay({ order, texts }: { order: ScreenOrder | undefined; texts: Texts }) {
  if (!order || !hasAmount(order)) return <>{texts.pay_plain}</>;
  return <WithAmount text={texts.pay} order={order} texts={texts} />;
}

// useFaults keeps the marked fields: those that the page found and those that the service refused.
function useFaults({ state, flow, choice }: FormProps) {
  const [faults, setFaults] = useState<Faults>({});
  const focusFirst = useRef(false);
  const mark = (found: Faults, focus: boolean) => {
    focusFirst.current = focus;
    setFaults(found);
  };
  useLayoutEffect(() => mark({}, false), [state.cleared]);
  useEffect(() => {
    if (state.faults.length === 0) return;
    const found = faultsFrom(state.faults, choice.fields);
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
