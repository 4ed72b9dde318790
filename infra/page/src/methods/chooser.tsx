// The choice among methods.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../look/icons";
import { methodText, type Texts } from "../texts";
import type { ScreenMethod } from "../service/screen";
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
