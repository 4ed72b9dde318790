// What the payment is for: beside the form on wide screens, one line that opens on narrow ones.

import { Fragment, type Ref } from "preact";
import { useState } from "preact/hooks";
import { fieldText, fill, textOf, type Texts } from "../texts";
import { formatAmount, hasAmount } from "../texts/amount";
import type { Screen, ScreenItem, ScreenOrder, ScreenTotal, ScreenVAT } from "../service/screen";
import { Icon } from "./icons";
import { wordsOf } from "./operation";
import { Order } from "./order";
import { Picture } from "./picture";

interface SummaryProps {
  screen: Screen;
  order: ScreenOrder | undefined;
  vat: ScreenVAT | undefined;
  typed: boolean;
  texts: Texts;
  heading: Ref<HTMLHeadingElement>;
}

export function Summary({ screen, order, vat, typed, texts, heading }: SummaryProps) {
  const [open, setOpen] = useState(false);
  const { merchant, items = [], totals = [] } = screen;
  const words = wordsOf(screen, texts);
  const over = screen.kind === "message"; // nothing is due any more
  return (
    <div class={open ? "summary open" : "summary"}>
      <header class={screen.branding?.logo ? "own" : ""}>
        <Picture src={screen.branding?.logo} name={merchant} class="logo" />
        <div class="who">
          <h1 ref={heading} tabIndex={-1} class="short" title={merchant}>
            {merchant ?? texts.title_plain}
          </h1>
          <p class={words.who ? "" : "short"}>{words.who || order?.description}</p>
        </div>
        {order && (
          <button
            type="button"
            class="toggle"
            aria-expanded={open}
            aria-controls="order"
            onClick={() => setOpen(!open)}
          >
            <span class="unseen">{texts.show_order} </span>
            {hasAmount(order) && <bdi>{formatAmount(order, texts.tag)}</bdi>}
            <Icon name="more" />
          </button>
        )}
      </header>
      {order && (
        <div id="order" class="what">
          <Order
            order={order}
            vat={vat}
            typed={typed}
            label={over ? fieldText(texts, "order_amount", "") : words.amount}
            to={words.to}
            texts={texts}
          />
          {items.length > 0 && <Items items={items} order={order} texts={texts} />}
          {totals.length > 0 && <Totals totals={totals} order={order} texts={texts} />}
          <p class="number">{fill(texts.order, { number: order.number })}</p>
        </div>
      )}
    </div>
  );
}

const few = 6; // items of a cart that is shown whole

function Items({ items, order, texts }: { items: ScreenItem[]; order: ScreenOrder; texts: Texts }) {
  const [whole, setWhole] = useState(false);
  return (
    <ul class="items">
      {items.slice(0, whole ? items.length : few).map((item, i) => (
        <Item key={i} item={item} order={order} texts={texts} />
      ))}
      {items.length > few && (
        <li>
          <button type="button" class="quiet inline" aria-expanded={whole} onClick={() => setWhole(!whole)}>
            {whole ? texts.less : fill(texts.cart.all, { count: String(items.length) })}
          </button>
        </li>
      )}
    </ul>
  );
}

// A line has its own total, or says what is known: how many, and the price of one.
function Item({ item, order, texts }: { item: ScreenItem; order: ScreenOrder; texts: Texts }) {
  const { price, quantity, total, image, name } = item;
  const currency = item.currency ?? order.currency;
  const text = (amount: string) => {
    const decimals = currency === order.currency ? order.decimals : (amount.split(".")[1] ?? "").length;
    return formatAmount({ amount, currency, decimals }, texts.tag) || amount;
  };
  const line = total ?? (quantity ? "" : price);
  return (
    <li>
      {image && <Picture src={image} name={name} class="picture" loading="lazy" />}
      <span class="name">
        {name}
        {quantity && (
          <small>
            <bdi dir="ltr">{price ? `${quantity} × ${text(price)}` : "× " + quantity}</bdi>
          </small>
        )}
      </span>
      {line && <bdi>{text(line)}</bdi>}
    </li>
  );
}

function Totals({ totals, order, texts }: { totals: ScreenTotal[]; order: ScreenOrder; texts: Texts }) {
  return (
    <dl class="facts">
      {totals.map(({ kind, amount }) => (
        <Fragment key={kind}>
          <dt>{textOf(texts.cart, kind)}</dt>
          <dd>
            <bdi dir="ltr">
              {amount.startsWith("-") && "\u2212"}
              <bdi>{formatAmount({ ...order, amount: amount.replace("-", "") }, texts.tag)}</bdi>
            </bdi>
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}
