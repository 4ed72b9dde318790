// The networks of the cards that a method takes, as small marks. The operator's own come by build/logos.mjs.

import { brandNames, brandOf, type Brand } from "../fields/card";
import type { Texts } from "../texts";

interface MarksProps {
  networks: string[] | undefined;
  number: string; // of the card, as far as it is known: its network is lit
  texts: Texts;
}

const short: Record<string, string> = { mastercard: "MC", diners: "DC", unionpay: "UP" };
const nameOf = (network: string) => brandNames[network as Brand] ?? network;

export function Marks({ networks = [], number, texts }: MarksProps) {
  if (networks.length === 0) return null;
  const brand = brandOf(number);
  return (
    <span
      class={brand ? "marks known" : "marks"}
      role="img"
      aria-label={texts.accepted_cards + ": " + networks.map(nameOf).join(", ")}
    >
      {networks.map((network) => (
        <svg key={network} class={(network === brand ? "lit n-" : "n-") + network} viewBox="0 0 24 16">
          <title>{nameOf(network)}</title>
          <text x="12" y="10.5">
            {short[network] ?? network.slice(0, 4).toUpperCase()}
          </text>
        </svg>
      ))}
    </span>
  );
}
