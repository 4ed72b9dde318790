// What the keyboard does, beside what browsers do by themselves. The list of keys is made of the same table.

export type Deed = "find" | "next" | "previous" | "again" | "help";

export const keys: readonly { key: string; does: string; deed?: Deed }[] = [
  { key: "/", does: "find a payment", deed: "find" },
  { key: "j", does: "next row", deed: "next" },
  { key: "k", does: "row before", deed: "previous" },
  { key: "Enter", does: "open the row" },
  { key: "r", does: "load this view again", deed: "again" },
  { key: "?", does: "list the keys", deed: "help" },
  { key: "Esc", does: "close a dialog, leave the find field" },
];

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "isComposing">;

/** deedOf is what a key does, null for one that is the browser's or is typed. */
export function deedOf(pressed: Pressed, typing: boolean): Deed | null {
  if (typing || pressed.ctrlKey || pressed.metaKey || pressed.altKey || pressed.isComposing) return null;
  return keys.find(({ key }) => key === pressed.key)?.deed ?? null;
}

/** moved is the row that j or k goes to, from none at first. */
export function moved(at: number, by: 1 | -1, rows: number): number {
  return at < 0 ? (by > 0 ? 0 : rows - 1) : Math.min(Math.max(at + by, 0), rows - 1);
}
