// A small picture of the checkout page with a merchant's branding, as it is typed.

import { objectOf, textOf, type Value } from "./rows";

/** ink is the colour of a text that can be read on a colour: black or white. */
export function ink(colour: string): string {
  const [r, g, b] = [1, 3, 5].map((at) => channel(parseInt(colour.slice(at, at + 2), 16) / 255));
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b! > 0.179 ? "#000000" : "#ffffff";
}

const channel = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);

export function Picture({ branding, name }: { branding: Value; name: string }) {
  const { accent, legal_name, terms_url, privacy_url, support } = objectOf(branding);
  const colour = /^#[0-9a-f]{6}$/i.test(textOf(accent)) ? textOf(accent) : "#1a56db";
  const { email, phone, address } = objectOf(support);
  const links = [textOf(terms_url) && "Terms", textOf(privacy_url) && "Privacy"].filter(Boolean);
  return (
    <figure class="picture">
      <figcaption class="soft">How the page looks for payers</figcaption>
      <div aria-hidden="true">
        <p class="shop">
          <span class="letter" style={{ background: colour, color: ink(colour) }}>
            {name.slice(0, 1).toUpperCase()}
          </span>
          {name}
        </p>
        <p class="sum">10.00 EUR</p>
        <p class="method" style={{ borderColor: colour }}>
          Card
        </p>
        <p class="pay" style={{ background: colour, color: ink(colour) }}>
          Pay 10.00 EUR
        </p>
        <p class="foot soft">{[textOf(legal_name), ...links, textOf(email), textOf(phone), textOf(address)].filter(Boolean).join(" · ")}</p>
      </div>
    </figure>
  );
}
