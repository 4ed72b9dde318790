// What the payer has to use elsewhere, such as an address to pay to.

import { useRef, useState } from "preact/hooks";
import { copyText } from "./copy";
import type { ScreenShown } from "./screen";
import { shownText, type Texts } from "./texts";

interface ShownProps {
  show: ScreenShown[];
  texts: Texts;
}

/** Shown is drawn on every screen, empty or not: only what is added to a region that is there already is announced, and
 * what stays the same from one poll to the next is not announced again. */
export function Shown({ show, texts }: ShownProps) {
  const [told, tell] = useState("");
  const [copied, setCopied] = useState("");
  const onCopied = (id: string, label: string, done: boolean) => {
    setCopied(done ? id : "");
    tell(done ? texts.copied + ": " + label : texts.copy_failed);
  };
  return (
    <div id="show" class="show">
      <div aria-live="polite">
        {show.length > 0 && (
          <dl>
            {show.map((one) => (
              <Row key={one.id} one={one} texts={texts} copied={copied === one.id} onCopied={onCopied} />
            ))}
          </dl>
        )}
      </div>
      <p id="copied" role="status" class={copied ? "unseen" : "told"}>
        {(show.length > 0 && told) || null}
      </p>
    </div>
  );
}

interface RowProps {
  one: ScreenShown;
  texts: Texts;
  copied: boolean;
  onCopied(id: string, label: string, done: boolean): void;
}

function Row({ one, texts, copied, onCopied }: RowProps) {
  const value = useRef<HTMLElement>(null);
  const label = shownText(texts, one.id);
  const copy = async () => {
    if (value.current) onCopied(one.id, label, await copyText(value.current, navigator.clipboard));
  };
  return (
    <div class="row">
      <dt>{label}</dt>
      <dd>
        <bdi id={one.id} ref={value} dir="ltr">
          {one.value}
        </bdi>
        {/* Its own words are no news. */}
        <span aria-live="off">
          <button id={one.id + "-copy"} type="button" class="copy" onClick={() => void copy()}>
            {copied ? texts.copied : texts.copy}
            <span class="unseen">: {label}</span>
          </button>
        </span>
      </dd>
    </div>
  );
}
