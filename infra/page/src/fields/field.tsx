// One field: label, input or list, fault.

import type { TargetedInputEvent } from "preact";
import { Icon } from "../look/icons";
import { scheduleText } from "../look/schedule";
import { fieldTexts, fill, labelled, languageOf, locales, optionText, textOf } from "../texts";
import type { FieldTexts, Texts } from "../texts";
import type { Screen, ScreenField } from "../service/screen";
import { brandNames, brandOf, codeLength, digitsOf, formatExpiry, formatNumber } from "./card";
import { beforeInput, keepCaret } from "./caret";
import { isRequired, masked, offered, type Fault } from "./check";
import { countryNames, statesOf } from "./countries";
import { cellOf, mendOf } from "./mend";
import { usePlaces } from "./places";
import { postalLabel } from "./postal";

export interface FieldProps {
  screen: Screen;
  field: ScreenField;
  value: string;
  fault: Fault | undefined;
  country: string; // of the form, for a state
  by: string; // the value of the field that the options depend on
  texts: Texts;
  number: string; // of the form's card, "" where there is none
  last: boolean; // of the form: Enter pays
  half: boolean; // beside another one
  onValue(id: string, value: string): void;
  onLeave(id: string): void;
}

const leftToRight = ["card_number", "expiry", "security_code", "phone", "email", "amount", "number", "code", "date"];

/** Field is one cell of a box: label or fault, input or list, and what helps to fill it in. */
export function Field(props: FieldProps) {
  const { field, fault, half, texts } = props;
  const { label } = wordsOf(props);
  if (field.kind === "consent" || field.kind === "checkbox") return <Checkbox {...props} label={label} />;
  const classes = ["cell", half ? "half" : "", fault ? "faulty" : ""];
  return (
    <div class={classes.filter(Boolean).join(" ")}>
      <label for={field.id}>
        {fault ? (
          <>
            <Icon name="warning" />
            <span>{cellOf({ ...props, fault }, label, half, texts)}</span>
          </>
        ) : (
          label
        )}
        {!fault && !isRequired(field, props.country) && <span class="optional"> ({texts.optional})</span>}
      </label>
      <Control {...props} label={label} />
      <Beside {...props} />
    </div>
  );
}

// The merchant's own label goes before the page's texts of the field.
function wordsOf({
  screen,
  field,
  texts,
  country,
}: Pick<FieldProps, "screen" | "field" | "texts" | "country">): FieldTexts {
  const own = field.label_texts?.[languageOf(screen)];
  if (own) return labelled(texts, own);
  const words = fieldTexts(texts, field.label ?? field.id, field.kind === "state" ? country : "");
  const postal = field.autocomplete === "postal-code";
  return postal ? { ...words, label: postalLabel(words.label, country, texts.tag) } : words;
}

/** FieldFault is the fault in full. It describes its field, and stands below the box where it is shown. */
export function FieldFault({ shown, ...props }: FieldProps & { fault: Fault; shown: boolean }) {
  const { field, fault, screen, texts } = props;
  const example = exampleAmount(screen.order?.decimals ?? 0, texts.tag);
  const text = fill(textOf({ ...wordsOf(props) }, fault), { example });
  const mend = mendOf(props, texts, new Date());
  return (
    <p class={shown ? "fault" : "fault unseen"} id={field.id + "-fault"}>
      {mend && /[\p{L}\d]$/u.test(text) ? text + "." : text} {mend}
    </p>
  );
}

// Consent is to the charges of the screen's schedule, in full.
function Checkbox({ label, ...props }: FieldProps & { label: string }) {
  const { screen, field, value, texts, onValue } = props;
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
        <span class={brand ? "beside mark " + brand : "beside"} id={field.id + "-brand"}>
          {brand ? brandNames[brand] : <Icon name="card" />}
        </span>
      );
    }
  }
  return null;
}

function exampleAmount(decimals: number, tag: string): string {
  return new Intl.NumberFormat(locales(tag), { minimumFractionDigits: decimals }).format(decimals > 0 ? 12.5 : 12);
}

type ControlProps = FieldProps & { label: string };

function Control(props: ControlProps) {
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

function List({ list, ...props }: ControlProps & { list: string[][] }) {
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

function Line(props: ControlProps) {
  const { field, value, onValue } = props;
  const format = formatOf(props);
  // A slash that was just deleted is not put back, and what was undone stays so.
  const skips = (how: string) => how.startsWith("history") || (field.kind === "expiry" && how.startsWith("delete"));
  const before = (event: InputEvent) => format && !skips(event.inputType) && beforeInput(event, format);
  const typed = (event: TargetedInputEvent<HTMLInputElement>) => {
    const input = event.currentTarget;
    if (format && !skips((event as Event as InputEvent).inputType ?? "")) keepCaret(input, format(input.value));
    onValue(field.id, input.value);
  };
  // Also takes over what was filled in without an event.
  const left = (input: HTMLInputElement) => {
    const text = format ? format(input.value) : input.value;
    if (text !== value) onValue(field.id, text);
    props.onLeave(field.id);
  };
  return (
    <input
      {...common(props)}
      type={(field.kind === "password" ? "password" : "text") as "text"}
      inputMode={field.kind === "amount" && props.screen.order?.decimals === 0 ? "numeric" : field.inputmode}
      dir={leftToRight.includes(field.kind) || field.mask ? "ltr" : undefined}
      enterkeyhint={props.last ? "go" : "next"}
      placeholder={field.kind === "expiry" ? props.texts.expiry_example : undefined}
      autocapitalize={
        field.kind === "email" ? "none" : field.kind === "text" || field.kind === "card_name" ? "words" : undefined
      }
      spellcheck={false}
      value={value}
      {...{ onbeforeinput: before }}
      onInput={typed}
      onBlur={(event) => left(event.currentTarget)}
    />
  );
}

// A marked field keeps its name for those who listen: what stands in its label then is said better by its description.
function common({ field, fault, country, label }: FieldProps & { label?: string }) {
  const described = [
    field.kind === "card_number" ? field.id + "-brand" : "",
    field.kind === "amount" ? field.id + "-currency" : "",
    fault ? field.id + "-fault" : "",
  ];
  return {
    id: field.id,
    name: field.id,
    autocomplete: field.autocomplete ?? "on",
    "aria-required": isRequired(field, country) ? ("true" as const) : undefined,
    "aria-invalid": fault ? ("true" as const) : undefined,
    "aria-label": fault && label,
    "aria-describedby": described.filter(Boolean).join(" ") || undefined,
  };
}

// formatOf is how a field is written while it is typed in, undefined where it stands as it is typed.
function formatOf({ field, number, texts }: FieldProps): ((text: string) => string) | undefined {
  switch (field.kind) {
    case "card_number":
      return formatNumber;
    case "expiry":
      return (text) => formatExpiry(text, texts.tag);
    case "security_code":
      return (text) => digitsOf(text).slice(0, codeLength(number) ?? 4);
  }
  return field.mask ? (text) => masked(field, text) : undefined;
}
