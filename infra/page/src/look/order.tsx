// What is being paid for.

import { Fragment } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { fill, type Texts } from "../texts";
import { amountParts, hasAmount } from "../texts/amount";
import type { ScreenOrder, ScreenVAT } from "../service/screen";

interface AmountProps {
  order: ScreenOrder;
  texts: Texts;
}

interface OrderProps extends AmountProps {
  vat: ScreenVAT | undefined;
  label: string; // before the amount: what the payer does
  to: string; // behind the amount: who receives it
  typed: boolean; // the payer types the amount: its place is kept, so that nothing jumps while they do
}

/**
 * Order shows the amount and the VAT as far as they are known; VAT that comes with the payer's country is announced.
 */
export function Order({ order, vat, typed, label, to, texts }: OrderProps) {
  return (
    <section class="order" aria-label={fill(texts.order, { number: order.number })}>
      <p class="label">{label}</p>
      {(hasAmount(order) || typed) && (
        <p class="amount">
          {hasAmount(order) && <Amount order={order} texts={texts} />}
        </p>
      )}
      {to && <p class="to">{to}</p>}
      {order.vat && (
        <p id="vat" class="vat" role="status">
          {vat && <WithAmount text={texts.vat} order={{ ...order, amount: vat.amount }} texts={texts} />}
        </p>
      )}
      <Description text={order.description} texts={texts} />
    </section>
  );
}

// Two lines, and the rest on demand.
function Description({ text, texts }: { text: string; texts: Texts }) {
  const line = useRef<HTMLParagraphElement>(null);
  const [long, setLong] = useState(false);
  const [open, setOpen] = useState(false);
  // It may be hidden at first, and as wide as it likes later. The observer is called when the browser has the measures
  // anyway, before it paints: asking for them earlier costs a layout.
  useLayoutEffect(() => {
    const shown = line.current;
    if (!shown) return;
    const sizes = new ResizeObserver(() => setLong(shown.scrollHeight > shown.clientHeight));
    sizes.observe(shown);
    return () => sizes.disconnect();
  }, [text]);
  return (
    <>
      <p ref={line} id="description" class={open ? "description" : "description short"}>
        {text}
      </p>
      {(long || open) && (
        <button
          type="button"
          class="quiet inline"
          aria-expanded={open}
          aria-controls="description"
          onClick={() => setOpen(!open)}
        >
          {open ? texts.less : texts.more}
        </button>
      )}
    </>
  );
}

/** WithAmount is a text whose {amount} is the order's. */
export function WithAmount({ text, ...props }: AmountProps & { text: string }) {
  const [before, after] = text.split("{amount}");
  if (after === undefined) return <>{text}</>;
  return (
    <>
      {before}
      <Amount {...props} />
      {after}
    </>
  );
}

// Amount breaks a line, where it has to, between groups of digits and not inside one.
function Amount({ order, texts }: AmountProps) {
  return (
    <bdi class="digits">
      {amountParts(order, texts.tag).map((part, i) => (
        <Fragment key={i}>
          {i > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </bdi>
  );
}
