// What is being paid for.

import { Fragment } from "preact";
import { amountParts } from "./amount";
import type { ScreenOrder, ScreenVAT } from "./screen";
import { fill, type Texts } from "./texts";

interface AmountProps {
  order: ScreenOrder;
  texts: Texts;
}

interface OrderProps extends AmountProps {
  vat: ScreenVAT | undefined;
  label: string; // before the amount: what the payer does
  typed: boolean; // the payer types the amount: its place is kept, so that nothing jumps while they do
}

/** Order shows the amount and the VAT as far as they are known; VAT that comes with the payer's country is announced. */
export function Order({ order, vat, typed, label, texts }: OrderProps) {
  return (
    <section class="order" aria-label={fill(texts.order, { number: order.number })}>
      <p class="label">{label}</p>
      {(hasAmount(order) || typed) && (
        <p class="amount">
          {hasAmount(order) && <Amount order={order} texts={texts} />}
        </p>
      )}
      {order.vat && (
        <p id="vat" class="vat" role="status">
          {vat && <WithAmount text={texts.vat} order={{ ...order, amount: vat.amount }} texts={texts} />}
        </p>
      )}
      <p class="description">{order.description}</p>
    </section>
  );
}

export function hasAmount(order: ScreenOrder): boolean {
  return amountParts(order, "en").length > 0;
}

/** WithAmount is a text whose {amount} is the order's. */
export function WithAmount({ text, ...props }: AmountProps & { text: string }) {
  const [before, after] = text.split("{amount}");
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
