// The small parts of all views: status, amount, time, id, failure, what is loading.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { copyText } from "../src/methods/copy";
import { linkTo, without, type Query } from "./address";
import { sentence, type Failure as Failed } from "./api";
import { decimalText, timeText, utc } from "./text";
import type { Describe, Shape } from "./types";
import { useWorld, type Reading } from "./world";

const shapes: Record<Shape, string> = {
  ok: "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM5 8.2l2.2 2.2L11.2 6",
  wait: "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM8 4.5V8l2.5 1.5",
  bad: "M8 1 15 8 8 15 1 8zM8 4.8v3.7M8 10.6v.6",
  off: "M2.5 2.5h11v11h-11zM5.5 8h5",
};

/** Sign is a shape before a word. */
export function Sign({ shape, children }: { shape: Shape; children: ComponentChildren }) {
  return (
    <span class={"sign " + shape}>
      <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
        <path d={shapes[shape]} />
      </svg>
      {children}
    </span>
  );
}

/** Status is a status in the service's words. */
export function Status({ state, operation }: { state: string; operation?: string | undefined }) {
  const known = statusOf(useWorld().words, state, operation);
  return <Sign shape={known?.shape && shapes[known.shape] ? known.shape : "off"}>{known?.label ?? state}</Sign>;
}

/** statusOf has the words of a status, which are others for a payout. */
export const statusOf = ({ statuses, payouts }: Describe, state: string, operation?: string) =>
  (operation === "credit" && payouts[state]) || statuses[state];

/** Cut is the text of a cell that is cut where it does not fit, and whole in its title. */
export const Cut = ({ text }: { text: string }) => <bdi title={text}>{text}</bdi>;

/** Callbacks is how the delivery of callbacks stands. */
export function Callbacks({ state, count }: { state: string; count?: string }) {
  const shape = ({ delivered: "ok", waiting: "wait", parked: "bad" } as const)[state] ?? "off";
  return <Sign shape={shape}>{count ? `${count} ${state}` : state}</Sign>;
}

/** Further is the link to what a list goes on with. */
export function Further({
  view,
  query,
  cursor,
  label = "Further",
}: {
  view: string;
  query: Query;
  cursor: string | undefined;
  label?: string;
}) {
  return (
    <p class="further">
      {query.cursor && <a href={linkTo(view, without(query, "cursor"))}>Back to the beginning</a>}
      {cursor && <a href={linkTo(view, { ...query, cursor })}>{label}</a>}
    </p>
  );
}

export function Money({ amount, currency }: { amount: string | undefined; currency: string }) {
  if (!amount) return <span class="soft">not known yet</span>;
  return (
    <span class="money">
      {decimalText(amount, currency)} <small>{currency}</small>
    </span>
  );
}

interface TimeProps {
  at: string | undefined;
  both?: boolean; // with UTC behind it
  clock?: boolean; // without the day
  minute?: boolean; // without seconds
  soft?: boolean;
}

/** Time is in the viewer's zone, with UTC in its title. */
export function Time({ at, both, clock, minute, soft }: TimeProps) {
  if (!at) return null;
  const own = timeText(at);
  const universal = utc(at);
  const sameDay = universal.startsWith(own.slice(0, 10));
  return (
    <time dateTime={at} title={universal} class={soft ? "soft" : undefined}>
      {own.slice(clock ? 11 : 0, minute ? 16 : undefined)}
      {both && <small class="soft"> {universal === own + " UTC" ? "UTC" : universal.slice(sameDay ? 11 : 5)}</small>}
    </time>
  );
}

/** Copy is an id that a click copies. */
export function Copy({ text, name, label = text }: { text: string; name: string; label?: string }) {
  const shown = useRef<HTMLSpanElement>(null);
  const [done, setDone] = useState("");
  const copy = async () => {
    if (!shown.current) return;
    setDone((await copyText(shown.current, navigator.clipboard, text)) ? "Copied" : "Not copied: copy it by hand");
    setTimeout(() => setDone(""), 2000);
  };
  return (
    <span class="copied">
      <button type="button" class="copy" onClick={copy} title={`Copy ${name}`}>
        <span class="hidden">Copy {name} </span>
        <bdi ref={shown}>{label}</bdi>
      </button>
      <span role="status">{done}</span>
    </span>
  );
}

/** Failure says what went wrong, what helps, and what to quote. */
export function Failure({ failure, again }: { failure: Failed; again?: () => void }) {
  const { status, code, requestID } = failure;
  return (
    <div class="failure" role="alert">
      <p>{sentence(failure)}</p>
      {status > 0 && (
        <p class="soft">
          Status {status}
          {code > 0 && `, code ${code}`}
          {requestID && (
            <>
              , request <Copy text={requestID} name="request id" />
            </>
          )}
        </p>
      )}
      {failure.signIn && (
        <a href={failure.signIn} target="_blank" rel="noopener">
          Sign in
        </a>
      )}
      {again && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Read shows what was read, and until then that it is being read. */
export function Read<T>({ of, children }: { of: Reading<T>; children: (value: T) => ComponentChildren }) {
  return (
    <div class="read" aria-busy={of.busy}>
      {of.failure && <Failure failure={of.failure} again={of.again} />}
      {of.value !== null ? children(of.value) : of.busy && <p class="late soft">Loading…</p>}
    </div>
  );
}

/** Empty says that there is nothing, and what to do. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children}
    </div>
  );
}

/** Head is a view's heading with what it is for. */
export function Head({
  title,
  children,
  again,
}: {
  title: string;
  children?: ComponentChildren;
  again?: Reading<unknown>;
}) {
  useEffect(() => void (document.title = `${title} · Checkout admin`), [title]);
  return (
    <header class="head">
      <h1 tabIndex={-1}>{title}</h1>
      {again && again.at > 0 && (
        <button type="button" class="plain" onClick={again.again} title="r">
          {again.busy && <span class="late">Loading… </span>}
          Loaded {timeText(new Date(again.at).toISOString()).slice(11)} · load again
        </button>
      )}
      {children && <p class="lead">{children}</p>}
    </header>
  );
}
