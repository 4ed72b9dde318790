// A picture of the checkout page with a merchant's branding, as it is typed: the page's own colours, words and order.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { accentOn, type Accent } from "../../src/look/colour";
import { useRead } from "../world";
import { example, type Offer } from "./offer";
import { objectOf, textOf, type Value } from "./rows";

interface Props {
  id: string;
  branding: Value;
  name: string;
}

export function Picture({ id, branding, name }: Props) {
  const offer = useRead<Offer>("/offer", example(id));
  const methods = offer.value?.methods.map(({ label }) => label).slice(0, 3) ?? [];
  const drawn = useRef<HTMLDivElement>(null);
  const { accent, logo, legal_name, terms_url, privacy_url, support } = objectOf(branding);
  const colour = /^#[0-9a-f]{6}$/i.test(textOf(accent)) ? textOf(accent) : "";
  const [fit, setFit] = useState<Accent | null>(null);
  useLayoutEffect(() => {
    if (!colour || !drawn.current) return setFit(null);
    const now = getComputedStyle(drawn.current);
    setFit(accentOn(colour, ...["--card", "--ground"].map((ground) => now.getPropertyValue(ground).trim())));
  }, [colour]);
  const contact = Object.values(objectOf(support)).map(textOf).filter(Boolean).join(" · ");
  const links = [textOf(terms_url) && "Terms", textOf(privacy_url) && "Privacy"].filter(Boolean).join(" · ");
  const style = fit && { "--accent": colour, "--brand": fit.edge, "--on-brand": fit.text };
  return (
    <figure class="picture">
      <figcaption class="soft">How the page looks for payers, with what is typed below</figcaption>
      <div ref={drawn} style={style ?? {}} aria-hidden="true">
        <div class="summary">
          <span class="letter">{textOf(logo) ? "logo" : name.trim().slice(0, 1).toUpperCase()}</span>
          <p>
            <strong>{name}</strong>
            <br />
            <span class="soft">A pen</span>
          </p>
          <p class="soft">Amount to pay</p>
          <p class="sum">€10.00</p>
        </div>
        <div class="form">
          {(methods.length ? methods : ["Card"]).map((method, at) => (
            <p key={method} class={at ? "method" : "method chosen"}>
              {method}
            </p>
          ))}
          <p class="pay">Pay €10.00</p>
          <p class="soft">Your details are encrypted before they leave this page.</p>
        </div>
        <p class="foot soft">
          {[`Payment processed for ${textOf(legal_name) || name}`, contact, links].filter(Boolean).join(" · ")}
        </p>
      </div>
    </figure>
  );
}
