// The act that closes a MID, a method or a country until somebody opens it again.

import type { Act } from "./dialog";
import type { Me, Shut } from "./types";
import { merchantName } from "./world";

export const shutName = ({ kind, name }: Shut) => `${kind === "mid" ? "MID" : kind} ${name}`;

export function switched(me: Me, of: Shut, closed: boolean): Act {
  const { merchant, mapping, kind, name } = of;
  return {
    title: closed ? "Close until it is opened again" : "Open again",
    danger: closed,
    button: () => `${closed ? "Close" : "Open"} ${shutName(of)}`,
    path: `/merchants/${encodeURIComponent(merchant)}/switch`,
    body: () => ({ mapping, kind, name, closed }),
    done: () => `It is ${closed ? "closed" : "open"} within a minute.`,
    children: known([
      ["Merchant", merchantName(me, merchant)],
      ["Mapping", mapping],
    ]),
  };
}

/** known is what an act is about. */
export const known = (all: [string, string][]) => (
  <dl class="known">
    {all.map(([name, text]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          <bdi>{text}</bdi>
        </dd>
      </div>
    ))}
  </dl>
);
