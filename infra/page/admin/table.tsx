// One table for all lists. On narrow windows each row is a card, with the column's name before each value.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

export interface Column<T> {
  name: string;
  cell(row: T): ComponentChildren;
  kind?: "numeric" | "wide" | "wide long" | "clip" | "clip id"; // wide may be broken into lines, clip is cut at its end
}

interface TableProps<T> {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf(row: T, at: number): string;
}

/** Table has the row's link, or what is marked as such, in a cell: j and k go from one to the next. */
export function Table<T>({ caption, columns, rows, keyOf }: TableProps<T>) {
  const body = useBack(rows);
  return (
    <table role="table" class={columns.length > 5 ? "many" : columns.length < 3 ? "few" : undefined}>
      <caption class="hidden">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ name, kind }) => (
            <th key={name} role="columnheader" scope="col" class={kind}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body} role="rowgroup" onClick={leave}>
        {rows.map((row, at) => (
          <tr key={keyOf(row, at)} role="row" data-row={keyOf(row, at)}>
            {columns.map(({ name, cell, kind }) => (
              <td key={name} role="cell" data-name={name} class={kind}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

// leave remembers the row whose link is followed, for Back.
function leave({ target }: Event) {
  const row =
    target instanceof Element && target.closest("a") && target.closest<HTMLElement>("[data-row]")?.dataset.row;
  if (row) history.replaceState({ row }, "");
}

// useBack has the row in view and its link focused from which somebody comes back, unless the focus is elsewhere by
// then.
function useBack(rows: readonly unknown[]) {
  const body = useRef<HTMLTableSectionElement>(null);
  useLayoutEffect(() => {
    const { row } = (history.state ?? {}) as { row?: string };
    const at = document.activeElement;
    if (!row || (at && at !== document.body && at.tagName !== "H1")) return;
    const link = body.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(row)}"] a`);
    link?.focus({ preventScroll: true });
    link?.scrollIntoView({ block: "center" });
  }, [rows.length]);
  return body;
}

/** Bar is a share of the largest as a line, beside its number. */
export function Bar({ part, of }: { part: number; of: number }) {
  return (
    <svg class="share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <rect class="ground" width="100" height="8" />
      <rect width={of > 0 ? (100 * part) / of : 0} height="8" />
    </svg>
  );
}
