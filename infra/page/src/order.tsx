// What is being paid for.

import { formatAmount } from "./amount";
import type { ScreenOrder } from "./screen";
import { fill, type Texts } from "./texts";

export function Order({ order, texts }: { order: ScreenOrder; texts: Texts }) {
  const amount = formatAmount(order, texts.tag);
  return (
    <section class="order" aria-label={fill(texts.order, { number: order.number })}>
      {amount && (
        <p class="amount">
          <span class="unseen">{texts.amount}: </span>
          <bdi>{amount}</bdi>
        </p>
      )}
      <p class="description">{order.description}</p>
      <p class="number">{fill(texts.order, { number: order.number })}</p>
    </section>
  );
}
