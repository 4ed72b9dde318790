// The drawn sign of a message that stands alone.

import type { State } from "../flow/state";
import { textOf } from "../texts";
import { Drawing, Icon } from "./icons";
import { messageOf, tone } from "./message";

// The drawing that is scanned takes the place of the sign.
function scanned({ screen, paid }: State): boolean {
  return !paid && (screen?.show ?? []).some(({ type }) => ["qr", "barcode", "image"].includes(type));
}

// Drawings that nothing else has.
const paths: Record<string, string> = {
  tick: "m6 12.5 4 4 8-9",
  cross: "m7.5 7.5 9 9M16.5 7.5l-9 9",
  hands: "M12 7v5l3.5 2M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z",
  leave: "M9 6h9v9M18 6 7 17",
};

const awaited = [
  "processing",
  "checking_payment",
  "checking_outcome",
  "checking_first",
  "ending_payment",
  "payout_under_way",
];
const signs: Record<string, string> = {
  continue_elsewhere: "leave",
  redirect: "leave",
  open_link: "leave",
  framed: "leave",
  window_open: "leave",
  window_blocked: "leave",
  window_done: "tick",
  cancelled: "cross",
  cancelled_elsewhere: "cross",
  expired: "hands",
  confirm_in_app: "phone",
  enter_code: "lock",
  choose_account: "bank",
  more_needed: "lock",
  transfer_details: "bank",
  voucher_issued: "voucher",
  pay_elsewhere: "coin",
  partly_paid: "coin",
};

/** Sign is a clock while something is awaited, a tick or a cross when it is decided. */
export function Sign({ state }: { state: State }) {
  if (scanned(state)) return null;
  const key = messageOf(state);
  const usual = { good: "tick", calm: "hands", bad: "warning" }[tone(state)];
  const name = signs[key] ?? usual;
  const path = textOf(paths, name);
  return (
    <span class={awaited.includes(key) ? "sign turning" : "sign"} aria-hidden="true">
      {path ? <Drawing path={path} name={name} {...(name === "tick" && { length: 1 })} /> : <Icon name={name} />}
    </span>
  );
}
