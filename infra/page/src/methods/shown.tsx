// What the payer has to use elsewhere, such as an address to pay to. What draws it is a script of its own, which shares
// Preact with the page.

import { useEffect, useState } from "preact/hooks";
import { shownText, type Texts } from "../texts";
import { useDrawn } from "../service/drawn";
import type { ScreenShown } from "../service/screen";

type Code = typeof import("./rows");

declare global {
  var checkoutRows: Code | undefined; // set by the script
}

// Written by build.mjs.
declare const ROWS_FILE: string;

const patience = 1500; // until what has to be shown is shown without it

/** useRows returns what draws the rows, and whether it has not come for so long that they are drawn without it. */
function useRows(needed: boolean): [code: Code | undefined, late: boolean] {
  const [code, failed] = useDrawn(needed, ROWS_FILE, () => globalThis.checkoutRows);
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!needed || code) return;
    const timer = window.setTimeout(() => setLate(true), patience);
    return () => clearTimeout(timer);
  }, [needed, code]);
  return [code, late || failed > 0];
}

/** Shown is drawn on every screen, empty or not: only what is added to a region that is there already is announced, and
 * what stays the same from one poll to the next is not announced again. */
export function Shown({ show, first, texts }: { show: ScreenShown[]; first: string; texts: Texts }) {
  const [code, late] = useRows(show.length > 0);
  const [told, tell] = useState("");
  const [copied, setCopied] = useState("");
  const onCopied = (id: string, done: boolean) => {
    setCopied(done ? id : "");
    tell(done ? texts.copied + ": " + shownText(texts, id) : texts.copy_failed);
  };
  return (
    <div id="show" class="show">
      <div aria-live="polite">
        {code && show.length > 0 && (
          <code.Rows show={show} first={first} texts={texts} copied={copied} onCopied={onCopied} />
        )}
        {/* Enough to pay with, should the script not come. */}
        {!code && late && show.map(({ id, value }) => <p key={id}>{shownText(texts, id) + ": " + value}</p>)}
      </div>
      <p id="copied" role="status" class={copied ? "unseen" : "told"}>
        {(show.length > 0 && told) || null}
      </p>
    </div>
  );
}
