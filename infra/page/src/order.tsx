// What is being paid for.

import { Fragment } from "preact";
import { amountParts } from "./amount";
import type { ScreenOrder } from "./screen";
import { fill, type Texts } from "./texts";

interface OrderProps {
  order: ScreenOrder;
  texts: Texts;
}

export function Order({ order, texts }: OrderProps) {
  return (
    <section class="order" aria-label={fill(texts.order, { number: order.number })}>
      {hasAmount(order) && (
        <p class="amount">
          <span class="unseen">{texts.amount}: </span>
          <Amount order={order} texts={texts} />
        </p>
      )}
      <p class="description">{order.description}</p>
      <p class="number">{fill(texts.order, { number: order.number })}</p>
    </section>
  );
}

export function hasAmount(order: ScreenOrder): boolean {
  return amountParts(order, "en").length > 0;
}

/** Amount breaks a line, where it has to, between groups of digits and not inside one. */
export function Amount({ order, texts }: OrderProps) {
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
