// What the flow needs of the browser.

import type { Ask } from "../service/api";
import type { ScreenGo } from "../service/screen";

/** World is everything around the flow, so that tests can stand in for it. */
export interface World {
  ask: Ask;
  now(): number;
  newID(): string;
  later(ms: number, run: () => void): () => void; // returns how to stop it
  leave(go: ScreenGo, comesBack: boolean): boolean;
  framed: boolean;
  page: string; // its address
  open(): boolean; // the page in a window of its own, from which it goes on to where this frame may not go
  close(): void; // the window, if the browser allows that
  storage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
}
