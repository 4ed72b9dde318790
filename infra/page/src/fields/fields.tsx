// The fields of a form: of a method, or of what is asked for later.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Flow } from "../flow/flow";
import type { State } from "../flow/state";
import { languageOf, textOf, type Texts } from "../texts";
import { loadRest } from "../texts/load";
import type { Screen, ScreenField } from "../service/screen";
import { Field, labelOf } from "./field";
import { lengthOf, mostOf } from "./check";
import { groupsOf, inHalf } from "./group";
import { filledIn } from "./inputs";
import { usePlaces } from "./places";
import { byOf, countryFor, faultsFrom, faultsIn, valueOf, type Faults, type Values } from "./values";

export const formID = "form";

export interface FieldsProps {
  screen: Screen;
  state: State;
  flow: Flow;
  texts: Texts;
  fields: ScreenField[];
  marks?: ComponentChildren; // of the cards that are taken
  note?: string; // what comes after the form
  number?: string; // of the card that is paid with, as far as it is known
  values: Values; // what the payer typed, by field id
  onValues(values: Values): void;
  onSend(values: Values): void;
}

/**
 * Fields is the form itself. It checks what it can and hands the rest to the flow; the button that sends it stands
 * elsewhere.
 */
export function Fields(props: FieldsProps) {
  const { screen, state, flow, texts } = props;
  const place = props.fields.find((f) => f.kind === "country" || f.country);
  const country = place && countryFor(place, props.fields, props.values);
  const groups = groupsOf(props.fields, country);
  usePlaces(country && props.fields.some(byCountry) ? "addresses" : "");
  const fields = groups.flatMap((group) => group.fields);
  const [faults, mark, latest] = useFaults(props);
  const passed = useRef<Values>({}); // unusual values that were marked once: the next time they are sent
  const [named, tell] = useState(""); // the field whose fault is told in full until it is mended
  const faultsOf = (values: Values) => faultsIn(fields, values, screen.order?.decimals ?? 0, props.number);

  const onValue = (id: string, value: string) => {
    const values = { ...props.values, ...filledIn(), [id]: value };
    const country = fields.find((f) => f.kind === "country");
    const region = fields.find((f) => f.kind === "state");
    if (region && country?.id === id) values[region.id] = "";
    const line = fields.find((f) => f.id === id && f.autocomplete === "address-line1");
    if (line && lengthOf(line, value) > mostOf(line)) values[id + 2] ??= ""; // its second line is shown from now on
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
    if (state.busy !== "no" || state.still || state.retryIn > 0) return;
    const values = { ...props.values, ...filledIn() };
    props.onValues(values);
    const found = faultsOf(values);
    for (const id of Object.keys(found).filter((id) => found[id] === "unusual")) {
      if (passed.current[id] === values[id]) delete found[id];
      else passed.current[id] = values[id]!;
    }
    const sound = Object.keys(found).length === 0;
    mark(found, !sound);
    if (!sound) return flow.notice("check_fields");
    props.onSend(values);
  };

  // Only what was filled in: whoever passes an empty field may come back to it. What is pressed on the way out stays in
  // its place until it is let go.
  const left = (id: string) => {
    const values = { ...props.values, ...filledIn() };
    const fault = faultsOf(values)[id];
    if (!fault || fault === "required" || faults[id] === fault) return;
    const run = () => mark({ ...latest.current, [id]: fault }, false);
    if (document.querySelector(":active")) addEventListener("mouseup", run, { once: true });
    else run();
  };

  const reached = ({ target }: FocusEvent) => {
    const { id } = target as Element;
    if (faults[id]) tell(id);
  };
  const propsOf = (field: ScreenField, group: ScreenField[]) => {
    const country = countryFor(field, fields, props.values);
    const value = valueOf(field, fields, props.values);
    const label = labelOf(screen, field, country, texts);
    const fault = faults[field.id];
    const number = props.number ?? "";
    const by = byOf(field, fields, props.values);
    const marked = { field, label, value, number, country, by, half: inHalf(field, group), today: new Date() };
    return {
      ...marked,
      screen,
      fault,
      line: (fault && globalThis.checkoutAfter?.lineOf({ ...marked, fault }, texts, screen.order?.decimals ?? 0)) ?? "",
      texts,
      last: field === fields[fields.length - 1],
      onValue,
      onLeave: left,
    };
  };
  const shown = faults[named] ? named : Object.keys(faults)[0];
  return (
    <form id={formID} noValidate onSubmit={submit} onFocusIn={reached}>
      {groups.map((group) => (
        <section key={group.fields[0]?.id} class="group">
          {groups.length > 1 && textOf(texts.groups, group.name) && (
            <h2>
              {textOf(texts.groups, group.name)}
              {group.name === "card" && props.marks}
            </h2>
          )}
          <div class={group.name === "agreement" ? "" : "box"}>
            {group.fields.map((field) => (
              <Field key={field.id} {...propsOf(field, group.fields)} />
            ))}
          </div>
          {group.fields.map((field) => {
            const { line } = propsOf(field, group.fields);
            const told = field.id === shown || group.name === "agreement"; // which has no cell
            return (
              line && (
                <p key={field.id} id={field.id + "-fault"} class={"fault " + (told ? faults[field.id] : "unseen")}>
                  {line}
                </p>
              )
            );
          })}
        </section>
      ))}
      {props.note && <p class="help">{props.note}</p>}
    </form>
  );
}

// byCountry is said of what each country writes in its own way.
const byCountry = ({ kind, autocomplete }: ScreenField) => kind === "phone" || autocomplete === "postal-code";

// useFaults keeps the marked fields: those that the page found and those that the service refused.
function useFaults({ screen, state, flow, fields, texts }: FieldsProps) {
  const [faults, setFaults] = useState<Faults>({});
  const marked = useRef(faults);
  const focusFirst = useRef<Faults | null>(null); // of these, and of no earlier ones
  const mark = (found: Faults, focus: boolean) => {
    marked.current = found;
    const show = () => {
      if (marked.current !== found) return;
      focusFirst.current = focus ? found : null;
      setFaults(found);
    };
    // What is said of faults comes while the form is begun.
    if ((texts.mend && globalThis.checkoutAfter) || Object.keys(found).length === 0) show();
    else void loadRest(languageOf(screen)).then(show);
  };
  useLayoutEffect(() => mark({}, false), [state.cleared, state.declined]);
  useEffect(() => {
    if (state.faults.length === 0) return;
    const found = faultsFrom(state.faults, fields);
    const known = Object.keys(found).length > 0;
    flow.notice(known ? "check_fields" : "technical_problem");
    if (known) mark(found, true);
    // Not the payer's fault: perhaps the screen is out of date.
    else void flow.refresh();
  }, [state.faults]);
  useEffect(() => {
    if (focusFirst.current === faults) document.querySelector<HTMLElement>("form [aria-invalid=true]")?.focus();
  }, [faults]);
  return [faults, mark, marked] as const;
}
