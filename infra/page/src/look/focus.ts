// Where the focus goes when drawing takes it away.

import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

const closed = (e: Element) => e.matches(":disabled, [inert] *");

/** useKeptFocus gives it back: to what was closed while a request was under way, or to the heading if that is gone. */
export function useKeptFocus(heading: RefObject<HTMLElement | null>): void {
  const last = useRef<HTMLElement | null>(null);
  const taken = useRef(false); // not given up on purpose
  useEffect(() => {
    const got = ({ target }: FocusEvent) => (last.current = target as HTMLElement);
    const lost = ({ target }: FocusEvent) => (taken.current = closed(target as HTMLElement));
    document.addEventListener("focusin", got);
    document.addEventListener("focusout", lost);
    return () => {
      document.removeEventListener("focusin", got);
      document.removeEventListener("focusout", lost);
    };
  }, []);
  useEffect(() => {
    const had = last.current;
    if (!had || document.activeElement !== document.body) return;
    if (!had.isConnected) heading.current?.focus({ preventScroll: true });
    else if (taken.current && !closed(had)) had.focus({ preventScroll: true });
  });
}

/** useFocusBack: the button whose question is open has the focus again when that is closed. asked is its id, or "". */
export function useFocusBack(asked: string): void {
  const last = useRef("");
  useEffect(() => {
    if (!asked) document.getElementById(last.current)?.focus();
    last.current = asked;
  }, [asked]);
}
