// The choice among methods.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../look/icons";
import { fill, textOf, type Texts } from "../texts";
import type { ScreenMethod } from "../service/screen";
import { nameOf, type Choice } from "./choice";
import { Marks } from "./marks";
import { regionsOf, waysOf } from "./ways";

interface MethodsProps {
  methods: ScreenMethod[];
  choice: Choice;
  number: string; // of the card, as far as it is known
  texts: Texts;
  onMethod(id: string): void;
  loadRest(): Promise<boolean>; // what draws an opened list, and its texts
  children: ComponentChildren; // of the chosen one
}

/** Methods is a list of rows; the chosen one opens with its fields. */
export function Methods({ methods, choice, number, texts, onMethod, loadRest, children }: MethodsProps) {
  const [opened, setOpened] = useState<"" | "by keyboard" | "by pointer">("");
  const [query, setQuery] = useState("");
  const list = useRef<HTMLFieldSetElement>(null);
  // Whoever pressed the button with a finger is not given a keyboard, and whoever types at once goes on.
  useLayoutEffect(() => {
    const first = opened === "by keyboard" ? "#search, :checked" : ":checked";
    if (opened) list.current?.querySelector<HTMLElement>(first)?.focus({ preventScroll: opened === "by pointer" });
  }, [opened]);
  const toggle = async ({ detail }: MouseEvent) => {
    if (!(await loadRest())) return;
    setQuery("");
    setOpened(opened ? "" : detail ? "by pointer" : "by keyboard");
  };
  const chosen = choice.method.id;
  const headingOf = ({ group }: ScreenMethod) => (opened ? texts.ways?.[group] : undefined);
  const name = (m: ScreenMethod) => nameOf(m, texts);
  const ways = opened
    ? globalThis.checkoutAfter!.openedWays(methods, chosen, query, name)
    : waysOf(methods, chosen, regionsOf(navigator.languages));
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
      {ways.shown.flatMap((method, i) => [
        headingOf(method) && method.group !== ways.shown[i - 1]?.group && (
          <h2 key={method.group} id={"ways-" + method.group}>
            {headingOf(method)}
          </h2>
        ),
        <div key={method.id} class={method.id === chosen ? "way chosen" : "way"}>
          <label>
            <input
              type="radio"
              name="method"
              value={method.id}
              aria-describedby={headingOf(method) && "ways-" + method.group}
              checked={method.id === chosen}
              onChange={() => onMethod(method.id)}
            />
            <Way method={method} number={method.id === chosen ? number : ""} texts={texts}>
              {method.id !== chosen && textOf(texts.notes, method.note ?? "")}
            </Way>
          </label>
          {method.id === chosen && <div class="open">{children}</div>}
        </div>,
      ])}
      {(opened || ways.more > 0) && (
        <button id="more_ways" type="button" class="more-ways" aria-expanded={!!opened} onClick={toggle}>
          {opened ? texts.fewer_ways : fill(texts.more_ways, { count: String(ways.more) })}{" "}
          <Icon name="more" />
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

interface WayProps {
  method: ScreenMethod;
  number: string;
  texts: Texts;
  children?: ComponentChildren; // one line of help
}

/** Way is how a method is known: its icon, its name, and the cards that it takes. */
export function Way({ method, number, texts, children }: WayProps) {
  return (
    <>
      <span class={"icon-box m-" + method.id}>
        <Icon name={method.icon} />
      </span>
      <span class="name">
        {nameOf(method, texts)}
        <Marks networks={method.networks} number={number} texts={texts} />
        {children && <small>{children}</small>}
      </span>
    </>
  );
}
