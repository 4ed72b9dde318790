// One field: label, input or list, fault.

import type { TargetedInputEvent } from "preact";
import { Icon } from "../look/icons";
import { scheduleText } from "../look/schedule";
import { fieldText, languageOf, optionText, type Texts } from "../texts";
import type { Screen, ScreenField } from "../service/screen";
import { brandNames, brandOf, codeLength, digitsOf, formatExpiry, formatNumber } from "./card";
import { beforeInput, keepCaret, type Format } from "./caret";
import { isRequired, masked, offered, type Fault } from "./check";
import { countryNames, statesOf } from "./countries";
import { usePlaces } from "./places";
import { postalLabel } from "./postal";

export interface FieldProps {
  screen: Screen;
  field: ScreenField;
  label: string;
  value: string;
  fault: Fault | undefined;
  line: string; // of the fault, below the box; "" where the cell says all
  country: string; // of the form, for a state
  by: string; // the value of the field that the options depend on
  texts: Texts;
  number: string; // of the form's card, "" where there is none
  last: boolean; // of the form: Enter pays
  half: boolean; // beside another one
  today: Date;
  onValue(id: string, value: string): void;
  onLeave(id: string): void;
}

const leftToRight = ["card_number", "expiry", "security_code", "phone", "email", "amount", "number", "code", "date"];

/** Field is one cell of a box: label or fault, input or list, and what helps to fill it in. */
export function Field(props: FieldProps) {
  const { field, fault, label, half, texts } = props;
  if (field.kind === "consent" || field.kind === "checkbox") return <Checkbox {...props} />;
  const after = globalThis.checkoutAfter;
  const classes = ["cell", half ? "half" : "", fault ? "faulty " + fault : ""];
  return (
    <div class={classes.filter(Boolean).join(" ")}>
      <label for={field.id}>
        {fault ? (
          <>
            <Icon name="warning" />
            <span>{after?.cellOf({ ...props, fault }, texts) ?? label}</span>
          </>
        ) : (
          label
        )}
        {!fault && !isRequired(field, props.country) && <span class="optional"> ({texts.optional})</span>}
      </label>
      <Control {...props} />
      <Beside {...props} />
      {after && <after.Writing {...props} />}
    </div>
  );
}

/** labelOf is the merchant's own label of a field, or the page's. */
export function labelOf(screen: Screen, field: ScreenField, country: string, texts: Texts): string {
  const own = field.label_texts?.[languageOf(screen)];
  if (own) return own;
  const label = fieldText(texts, field.label ?? field.id, field.kind === "state" ? country : "");
  return field.autocomplete === "postal-code" ? postalLabel(label, country, texts.tag) : label;
}

// Consent is to the charges of the screen's schedule, in full.
function Checkbox(props: FieldProps) {
  const { screen, field, label, value, texts, onValue } = props;
  const { schedule, order } = field.kind === "consent" ? screen : {};
  return (
    <label class="consent">
      <input
        {...common(props)}
        type="checkbox"
        value="true"
        checked={value === "true"}
        onChange={(event) => onValue(field.id, event.currentTarget.checked ? "true" : "")}
      />
      <span>{schedule && order ? scheduleText(texts.recurring.consent, schedule, order, texts) : label}</span>
    </label>
  );
}

// Beside the input stands what helps to fill it in: a card's brand, where its code is, an amount's currency.
function Beside({ screen, field, value, number }: FieldProps) {
  switch (field.kind) {
    case "amount":
      return (
        <span class="beside" id={field.id + "-currency"}>
          {screen.order?.currency}
        </span>
      );
    case "security_code":
      return (
        <span class="beside">
          <Icon name={brandOf(number) === "amex" ? "code_front" : "code_back"} />
        </span>
      );
    case "card_number": {
      const brand = brandOf(value);
      return (
        <span class={brand ? "beside mark n-" + brand : "beside"} id={field.id + "-brand"}>
          {brand ? brandNames[brand] : <Icon name="card" />}
        </span>
      );
    }
  }
  return null;
}

function Control(props: FieldProps) {
  const list = useList(props);
  return list ? <List {...props} list={list} /> : <Line {...props} />;
}

function useList({ screen, field, texts, country, by }: FieldProps): string[][] | null {
  usePlaces(field.kind === "country" ? texts.tag : field.kind === "state" && statesOf(country) ? "states" : "");
  const names = field.kind === "country" ? countryNames(texts.tag) : null;
  const options = field.options && offered(field, by).map(({ value, label_texts }) => [
    value,
    label_texts?.[languageOf(screen)] ?? optionText(texts, field.label ?? field.id, value),
  ]);
  return options ?? (field.kind === "state" ? statesOf(country) : names) ?? null;
}

function List({ list, ...props }: FieldProps & { list: string[][] }) {
  const { field, value, texts, onValue } = props;
  return (
    <>
      <select
        {...common(props)}
        data-start={field.value}
        value={list.some(([code]) => code === value) ? value : ""}
        onChange={(event) => onValue(field.id, event.currentTarget.value)}
      >
        <option value="">{texts.choose}</option>
        {list.map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
      <span class="beside">
        <Icon name="more" />
      </span>
    </>
  );
}

function Line(props: FieldProps) {
  const { field, value, country, onValue } = props;
  const after = globalThis.checkoutAfter;
  const format = formatOf(props);
  // A slash that was just deleted is not put back, and what was undone stays so.
  const skips = (how: string) => how.startsWith("history") || (field.kind === "expiry" && how.startsWith("delete"));
  const before = (event: InputEvent) => format && !skips(event.inputType) && beforeInput(event, format);
  const typed = (event: TargetedInputEvent<HTMLInputElement>) => {
    const input = event.currentTarget;
    const { inputType = "" } = event as Event as InputEvent;
    if (format && !skips(inputType)) keepCaret(input, format(input.value, /^insert(Composition)?Text/.test(inputType)));
    onValue(field.id, input.value);
  };
  // Also takes over what was filled in without an event.
  const left = (input: HTMLInputElement) => {
    const typed = input.value;
    const text = format?.(typed, false) ?? globalThis.checkoutAfter?.withCode(field, typed, country) ?? typed;
    if (text !== value) onValue(field.id, text);
    props.onLeave(field.id);
  };
  return (
    <input
      {...common(props)}
      type={(field.kind === "password" ? "password" : "text") as "text"}
      inputMode={
        (field.kind === "amount" && props.screen.order?.decimals === 0) || after?.isInDigits(field, country)
          ? "numeric"
          : field.inputmode
      }
      dir={
        leftToRight.includes(field.kind) || field.mask || field.autocomplete === "postal-code" ? "ltr" : undefined
      }
      enterkeyhint={props.last ? "go" : "next"}
      placeholder={field.kind === "expiry" ? props.texts.expiry_example : after?.codeOf(field, country)}
      autocapitalize={
        field.kind === "email" ? "none" : field.kind === "text" || field.kind === "card_name" ? "words" : undefined
      }
      spellcheck={false}
      value={value}
      {...{ onbeforeinput: before }}
      onInput={typed}
      onPaste={field.kind === "card_number" ? (event) => globalThis.checkoutAfter?.pasteCard(event) : undefined}
      onBlur={(event) => left(event.currentTarget)}
    />
  );
}

function common({ field, fault, line, country, by }: FieldProps) {
  const described = [
    field.kind === "card_number" ? field.id + "-brand" : "",
    field.kind === "amount" ? field.id + "-currency" : "",
    line ? field.id + "-fault" : "",
    field.writing || field.writings?.[by] ? field.id + "-writing" : "",
  ];
  return {
    id: field.id,
    name: field.id,
    autocomplete: field.autocomplete ?? "on",
    "aria-required": isRequired(field, country) ? ("true" as const) : undefined,
    "aria-invalid": fault ? ("true" as const) : undefined,
    "aria-describedby": described.filter(Boolean).join(" ") || undefined,
  };
}

// formatOf is how a field is written while it is typed in, undefined where it stands as it is typed.
function formatOf({ field, number, texts }: FieldProps): Format | undefined {
  switch (field.kind) {
    case "card_number":
      return formatNumber;
    case "expiry":
      return (text, typing) => formatExpiry(text, texts.tag, typing);
    case "security_code":
      return (text) => digitsOf(text).slice(0, codeLength(number) ?? 4);
  }
  return field.mask ? (text) => masked(field, text) : undefined;
}
