// The form: what to pay with, its fields, pay, close. It checks what it can and hands the rest to the flow.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Methods, Saved } from "./chooser";
import type { Choice, Picked } from "./choice";
import { orderNow } from "./due";
import { Field, FieldFault } from "./field";
import type { Flow, State } from "./flow";
import { groupsOf, inOrder } from "./group";
import { Icon } from "./icons";
import { filledIn } from "./inputs";
import { hasAmount, WithAmount } from "./order";
import { wordsOf } from "./operation";
import { scheduleText } from "./schedule";
import type { Screen, ScreenField } from "./screen";
import { textOf, type Texts } from "./texts";
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

const formID = "form"; // the button that sends it stands below the list of methods, outside of it

/** Form keeps its place while a payment is decided: dimmed, and closed to changes. */
export function Form(props: FormProps) {
  const { screen, state, flow, texts, choice } = props;
  const methods = screen.methods ?? [];
  const busy = state.busy !== "no" || state.still;
  const pick = (picked: Picked) => {
    if (state.notice === "check_fields") flow.notice(null);
    props.onPick(picked);
    const codes = choice.fields.filter((f) => f.kind === "security_code").map((f) => f.id); // belong to one card only
    props.onValues(without({ ...props.values, ...filledIn() }, codes)); // last: drawing takes over what the inputs still show
  };
  const method = choice.method.id;
  const details = (
    <>
      {(choice.method.saved ?? []).length > 0 && (
        <Saved choice={choice} texts={texts} onSaved={(saved) => pick({ method, saved })} />
      )}
      <Fields key={method + " " + (choice.saved?.id ?? "")} {...props} />
    </>
  );
  return (
    <>
      <div class={busy ? "ways dimmed" : "ways"} inert={busy}>
        {methods.length > 1 ? (
          <Methods methods={methods} choice={choice} texts={texts} onMethod={(id) => pick({ method: id, saved: null })}>
            {details}
          </Methods>
        ) : (
          details
        )}
      </div>
      <Buttons {...props} busy={busy} />
    </>
  );
}

function Buttons(props: FormProps & { busy: boolean }) {
  const { screen, state, flow, texts, choice, busy } = props;
  const words = wordsOf(screen, texts);
  const order = screen.order && orderNow(screen.order, choice.fields, props.values);
  const known = order && hasAmount(order) ? order : undefined;
  return (
    <>
      {!choice.fields.some((f) => f.kind === "consent") && <Schedule screen={screen} texts={texts} />}
      <button id="pay" type="submit" form={formID} class="primary pay" disabled={busy || state.retryIn > 0} aria-busy={busy}>
        {busy ? <span class="ring" aria-hidden="true" /> : <Icon name="lock" />}
        <span>
          {busy ? texts.sending : !known ? words.plain : <WithAmount text={words.button} order={known} texts={texts} />}
        </span>
      </button>
      <p class="hint">{choice.fields.some((f) => f.sealed) && texts.sealed}</p>
      {screen.actions?.includes("cancel") && (
        <button id="close" type="button" class="quiet" disabled={busy} onClick={() => void flow.cancel()}>
          {texts.close}
        </button>
      )}
    </>
  );
}

function Fields(props: FormProps) {
  const { screen, state, flow, texts, choice } = props;
  const fields = inOrder(choice.fields);
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

  // Only what was filled in: whoever passes an empty field may come back to it.
  const left = (id: string) => {
    const values = { ...props.values, ...filledIn() };
    const fault = faultsOf(values)[id];
    if (fault === "invalid" && faults[id] !== fault) mark({ ...faults, [id]: fault }, false);
  };

  const number = fields.find((f) => f.kind === "card_number");
  const propsOf = (field: ScreenField) => ({
    screen,
    field,
    value: valueOf(field, fields, props.values),
    fault: faults[field.id],
    country: countryFor(field, fields, props.values),
    by: byOf(field, fields, props.values),
    texts,
    number: (number && props.values[number.id]) ?? "",
    last: field === fields[fields.length - 1],
    onValue,
    onLeave: left,
  });
  const groups = groupsOf(fields);
  return (
    <form id={formID} noValidate onSubmit={submit}>
      {groups.map((group) => (
        <section key={group.fields[0]?.id} class="group">
          {groups.length > 1 && textOf(texts.groups, group.name) && <h2>{textOf(texts.groups, group.name)}</h2>}
          <div class={group.name === "agreement" ? "" : "box"}>
            {group.fields.map((field) => (
              <Field key={field.id} {...propsOf(field)} />
            ))}
          </div>
          <div class="faults">
            {group.fields.map((field) => {
              const fault = faults[field.id];
              return fault && <FieldFault key={field.id} {...propsOf(field)} fault={fault} />;
            })}
          </div>
        </section>
      ))}
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

// useFaults keeps the marked fields: those that the page found and those that the service refused.
function useFaults({ state, flow, choice }: FormProps) {
  const [faults, setFaults] = useState<Faults>({});
  const focusFirst = useRef<Faults | null>(null); // of these, and of no earlier ones
  const mark = (found: Faults, focus: boolean) => {
    focusFirst.current = focus ? found : null;
    setFaults(found);
  };
  useLayoutEffect(() => mark({}, false), [state.cleared, state.declined]);
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
    if (focusFirst.current === faults) document.querySelector<HTMLElement>("form [aria-invalid=true]")?.focus();
  }, [faults]);
  return [faults, mark] as const;
}
