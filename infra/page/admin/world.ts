// What every view knows: who looks, and the words of the service.

import { createContext } from "preact";
import { useContext, useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { Place, Query } from "./address";
import { read, type Failure } from "./api";
import type { Describe, Me, Mode, Owned } from "./types";

export interface World {
  me: Me;
  words: Describe;
  place: Place;
  mode: Mode;
  help(): void; // lists the keys
}

export const WorldContext = createContext<World>(undefined as unknown as World);
export const useWorld = () => useContext(WorldContext);

/** may reports whether a person has a right for payments of a mode, of some merchant. */
export function may(me: Me, right: string, mode: Mode): boolean {
  const level = me.rights[right]?.[mode];
  return Boolean(level) && level !== "none";
}

export const mayAny = (me: Me, right: string) => may(me, right, "live") || may(me, right, "test");

export const modeOf = (owned: Owned): Mode => owned.mode ?? (owned.test ? "test" : "live");

/** merchantName is a merchant's name, or its id where it has none. */
export const merchantName = ({ merchants }: Me, id: string) => merchants.find((one) => one.id === id)?.name || id;

export interface Reading<T> {
  value: T | null;
  failure: Failure | null;
  busy: boolean;
  at: number; // when value came
  again(): void;
}

const listeners = new Set<() => void>();

/** readAgain has all that is shown read again. */
export const readAgain = () => listeners.forEach((again) => again());

/** useRead reads what a view shows. While it reads something else, what came before stays. */
export function useRead<T>(path: string, query: Query = {}): Reading<T> {
  const [state, setState] = useState({ value: null as T | null, failure: null as Failure | null, busy: true, at: 0 });
  const [turn, setTurn] = useState(0);
  const again = () => setTurn((n) => n + 1);
  const key = JSON.stringify(query);
  // Before anything is painted, so that the answer comes meanwhile.
  useLayoutEffect(() => {
    const stop = new AbortController();
    setState((before) => ({ ...before, busy: true }));
    void read<T>(path, query, stop.signal).then((answer) => {
      if (stop.signal.aborted) return;
      if (answer.failure) setState((before) => ({ ...before, failure: answer.failure, busy: false }));
      else setState({ value: answer.value, failure: null, busy: false, at: Date.now() });
    });
    return () => stop.abort();
  }, [path, key, turn]);
  useEffect(() => {
    listeners.add(again);
    return () => void listeners.delete(again);
  }, []);
  return { ...state, again };
}
