// What the payment is for: beside the form on wide screens, one line that opens on narrow ones.

import type { Ref } from "preact";
import { useState } from "preact/hooks";
import { fieldTexts, fill, type Texts } from "../texts";
import { formatAmount, hasAmount } from "../texts/amount";
import type { Screen, ScreenItem, ScreenOrder, ScreenVAT } from "../service/screen";
import { Icon } from "./icons";
import { wordsOf } from "./operation";
import { Order } from "./order";

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
  const { merchant, items = [] } = screen;
  const words = wordsOf(screen, texts);
  const over = screen.kind === "message"; // nothing is due any more
  return (
    <div class={open ? "summary open" : "summary"}>
      <header>
        <Logo screen={screen} />
        <h1 ref={heading} tabIndex={-1}>
          {merchant ?? texts.title_plain}
        </h1>
        {order && (
          <button type="button" class="toggle" aria-expanded={open} aria-controls="order" onClick={() => setOpen(!open)}>
            <span class="unseen">{texts.show_order} </span>
            {hasAmount(order) && <bdi>{formatAmount(order, texts.tag)}</bdi>}
            <Icon name="more" />
          </button>
        )}
      </header>
      {order && (
        <div id="order" class="what">
          <Order order={order} vat={vat} typed={typed} label={over ? fieldTexts(texts, "order_amount", "").label : words.amount} to={words.to} texts={texts} />
          {items.length > 0 && (
            <ul class="items">
              {items.map((item, i) => (
                <Item key={i} item={item} order={order} texts={texts} />
              ))}
            </ul>
          )}
          <p class="number">{fill(texts.order, { number: order.number })}</p>
        </div>
      )}
    </div>
  );
}

// Without a logo the first letter stands for the merchant.
function Logo({ screen: { branding, merchant } }: { screen: Screen }) {
  if (branding?.logo) return <img class="logo" src={branding.logo} alt="" width="40" height="40" referrerpolicy="no-referrer" />;
  const letter = merchant && [...merchant.trim()][0];
  return (
    <span class="logo" aria-hidden="true">
      {letter ? letter.toUpperCase() : <Icon name="bag" />}
    </span>
  );
}

function Item({ item, order, texts }: { item: ScreenItem; order: ScreenOrder; texts: Texts }) {
  const { price, quantity, image, name } = item;
  const currency = item.currency ?? order.currency;
  const decimals = currency === order.currency ? order.decimals : (price?.split(".")[1] ?? "").length;
  return (
    <li>
      {image && <img src={image} alt="" width="44" height="44" loading="lazy" referrerpolicy="no-referrer" />}
      <span class="name">
        {name}
        {quantity && <small dir="ltr">× {quantity}</small>}
      </span>
      {price && <bdi>{formatAmount({ amount: price, currency, decimals }, texts.tag) || price}</bdi>}
    </li>
  );
}
