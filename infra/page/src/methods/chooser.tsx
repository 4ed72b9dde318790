// Choices among few: methods, saved cards.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { brandOf, brandNames } from "../fields/card";
import { Icon } from "../look/icons";
import { fill, methodText, type Texts } from "../texts";
import type { ScreenMethod, ScreenSaved } from "../service/screen";
import type { Choice } from "./choice";
import { waysOf } from "./ways";

interface MethodsProps {
  methods: ScreenMethod[];
  choice: Choice;
  texts: Texts;
  onMethod(id: string): void;
  children: ComponentChildren; // of the chosen one
}

/** Methods is a list of rows; the chosen one opens with its fields. */
export function Methods({ methods, choice, texts, onMethod, children }: MethodsProps) {
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState("");
  const list = useRef<HTMLFieldSetElement>(null);
  useEffect(() => void (open && list.current?.querySelector("input")?.focus()), [open]); // the button is gone
  const chosen = choice.method.id;
  const ways = waysOf(methods, chosen, open, query, (m) => methodText(texts, m.label));
  return (
    <fieldset id="method" class="methods" ref={list}>
      <legend class="unseen">{texts.method}</legend>
      {ways.search && (
        <input
          id="search"
          type="search"
          aria-label={texts.search_ways}
          placeholder={texts.search_ways}
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
      )}
      {ways.shown.map((method) => (
        <div key={method.id} class={method.id === chosen ? "way chosen" : "way"}>
          <label>
            <input
              type="radio"
              name="method"
              value={method.id}
              checked={method.id === chosen}
              onChange={() => onMethod(method.id)}
            />
            <span class="icon-box">
              <Icon name={method.icon} />
            </span>
            <span class="name">{methodText(texts, method.label)}</span>
          </label>
          {method.id === chosen && <div class="open">{children}</div>}
        </div>
      ))}
      {ways.more > 0 && (
        <button id="more_ways" type="button" class="more-ways" onClick={() => setOpen(true)}>
          {fill(texts.more_ways, { count: String(ways.more) })} <Icon name="more" />
        </button>
      )}
      {ways.search && (
        <p role="status" class="hint">
          {ways.none && texts.no_ways}
        </p>
      )}
    </fieldset>
  );
}

interface SavedProps {
  choice: Choice;
  texts: Texts;
  onSaved(id: string): void;
}

export function Saved({ choice, texts, onSaved }: SavedProps) {
  const options = (choice.method.saved ?? []).map((card) => ({ id: card.id, label: <SavedCard card={card} texts={texts} /> }));
  options.push({ id: "", label: <>{texts.another_card}</> });
  return <Radios name="saved" legend={texts.saved_cards} options={options} chosen={choice.saved?.id ?? ""} onChoose={onSaved} />;
}

// The dots are for the eye; to be heard, they are words.
function SavedCard({ card, texts }: { card: ScreenSaved; texts: Texts }) {
  const brand = brandOf(card.mask.replace(/\D.*/, ""));
  const name = brand ? brandNames[brand] : methodText(texts, "card");
  const last = card.mask.slice(-4);
  return (
    <span class="saved">
      <bdi>
        <span aria-hidden="true">
          {name} <bdi class="last" dir="ltr">•••• {last}</bdi>
        </span>
        <span class="unseen">{fill(texts.saved_card, { brand: name, digits: last })}, </span>
      </bdi>
      <span class="expiry">{fill(texts.saved_expiry, { expiry: card.expiry })}</span>
    </span>
  );
}

interface RadiosProps {
  name: string;
  legend: string;
  options: { id: string; label: ComponentChildren }[];
  chosen: string;
  onChoose(id: string): void;
}

function Radios({ name, legend, options, chosen, onChoose }: RadiosProps) {
  return (
    <fieldset id={name} class="choices">
      <legend>{legend}</legend>
      {options.map(({ id, label }) => (
        <label key={id} class="choice">
          <input type="radio" name={name} value={id} checked={id === chosen} onChange={() => onChoose(id)} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
