// What the admin API answers. Amounts are text, times RFC 3339.

// Generated from infra/admin.yaml: go test ./internal/local/contract -run Generated -update

export type Mode = "live" | "test";

export interface Me {
  who: string; // As AWS knows the caller, or as grants name a person who has signed in.
  name?: string; // The e-mail address of a person who has signed in, if the provider has verified it.
  via: string;
  grants: Grant[];
  limits: Limit[]; // Of the roles of the caller.
  rights: Rights;
  stack: string;
  version: string;
  merchants: Merchant[]; // Whose payments the caller may see.
}

export interface Overview {
  at: string;
  items: OverviewItem[]; // One of each kind, in this order.
  hours?: HourList;
}

export interface Listing {
  rows: Row[];
  cursor?: string;
  searched_to: string; // Everything later was looked at.
  searched: number; // Payments that were looked at for this page.
  note?: string; // If they are not in the order of time alone.
}

export interface Found {
  rows: Row[];
  by: string; // As what the text was searched for, in words.
  cursor?: string; // Absent if all was searched.
  note?: string; // What would help.
  searched?: number; // Payments that were looked at one by one for this page.
  searched_to?: string; // Everything later was searched.
}

export interface View {
  row: Row;
  summary: Summary;
  amounts: Amount[]; // The amounts that the texts name, each as an amount, a space and a currency.
  money?: Money;
  facts: Fact[];
  timeline: Event[];
  callbacks: Delivery[];
  possible: Possible[];
  chain?: ChainItem; // The recurring chain that it has begun or belongs to.
}

export interface Totals {
  groups: Group[];
  sums: Sum[];
  declines: Decline[];
  lines: number;
  cursor?: string;
}

export interface Deliveries {
  callbacks: Undelivered[]; // In the order of their next tries, or of when they were parked.
  waiting: number; // Of all pages, or at least so many if `more` is true.
  parked: number; // Likewise.
  more?: boolean; // There are so many that not all were counted.
  cursor?: string;
}

export interface Address {
  merchant: string;
  mode: Mode;
  url: string;
  open_until?: string; // Of its circuit breaker.
  slow?: boolean;
  waiting: number;
  parked: number;
  oldest?: string;
}

export interface Circuit {
  merchant: string;
  mode: Mode;
  mapping: string;
  mid: string;
  connector: string;
  state: string; // open, half_open.
  since: string;
  until: string;
  reason: string;
}

export interface Shut {
  merchant: string;
  mapping: string;
  kind: string; // mid, method, country.
  name: string;
}

export interface Grant {
  who: string; // An ARN, or one that ends with /* for everybody who has assumed a role.
  role: string;
  merchants: string[]; // Ids, or * alone for all.
  mode: string; // live, test, both.
  by: string; // Who gave it.
  at: string;
}

/** That of a person who has signed in. */
export interface Session {
  id: string;
  who: string; // As grants name the person.
  email?: string; // That the provider has verified.
  via: string; // page, command. What has the session.
  started_at: string;
  used_at: string; // To the minute.
  ends_at: string; // If it is not used any more.
}

export interface Entry {
  id: string;
  who: string;
  by?: string;
  command: string;
  reason?: string;
  via?: string;
  role?: string;
  request_id?: string;
  at: string;
  what: string;
  changes?: string[];
}

export interface Done {
  payment_id: string;
  reference?: string;
  status: string;
  text: string; // What became of it.
  decided: boolean;
  amount?: string; // Of a refund, capture or void: what has moved, or is to move.
  left?: string; // After a refund: what can still be refunded.
  approval?: string; // Id of the approval that it waits for.
}

export interface Sent {
  seq: number;
  state: string; // waiting, delivered, parked, dropped.
  decided: boolean; // It was tried.
  try?: Try;
  text: string; // What became of it.
}

export interface BulkSent {
  sent: number;
  left: number;
  cursor?: string;
}

export interface Uses {
  // Days of last uses, UTC, by places in the settings. Credentials of a MID have one: mappings[a].mids[b].credentials.
  used: Record<string, string>;
  overlaps: Overlap[];
}

export interface SecretView {
  since: string;
  fingerprint?: string; // Its first 8 digits. Without it an earlier release has stored the secret.
  old_until?: string; // Until then the secret that it replaced is valid.
  certificate?: Certificate;
}

export interface ApprovalList {
  approvals: Approval[];
  cursor?: string;
}

export interface Chain {
  id: string; // Of the initial payment.
  merchant: string;
  mode: Mode;
  order: string; // Of the initial payment.
  state: string;
  amount?: string; // Of each scheduled charge.
  currency: string;
  interval?: string; // In words.
  next_at?: string; // When the next charge is due.
  charges_made: number; // By the schedule.
  schedule_id?: string;
  mid: string;
  means: string; // What is charged next, or why nothing is.
  terms: Fact[];
  next: string[]; // The next dates.
  charges: ChainCharge[]; // All payments, the latest first.
  more?: boolean; // There are older payments.
  events: ChainEvent[];
  created_at: string;
  possible: ChainPossible[];
}

export interface ChainList {
  chains: ChainItem[];
  cursor?: string;
}

export interface ChainDone {
  id: string;
  text: string; // What became of it.
  next_at?: string; // When the next charge is due.
  amount: string; // Of each scheduled charge.
}

export interface BlockList {
  blocks: Block[];
  more?: boolean; // There are older ones: name a merchant.
}

/** What a person with a role may return to payers alone. What goes beyond it waits for the approval of another person.

 * */
export interface Limit {
  role: string;
  currency: string; // A code, or * for all that have no limit of their own, of which nothing may be returned.
  one: string; // The most of one act.
  day: string; // The most of a person and day in UTC.
}

/** How far each right of the caller goes at most, by its name. */
export type Rights = Record<string, Level>;

export interface Merchant {
  id: string;
  name: string;
}

export interface OverviewItem {
  kind: string; // waiting, approvals, parked, addresses, circuits, closed, disputes.
  label: string;
  count: number;
  more?: boolean; // Not all were read: there are at least so many.
  oldest?: string; // Since when the oldest one is there.
  payment_id?: string; // Of the oldest one.
  merchant?: string; // Of the oldest one.
  name?: string; // The MID, method, country or address that is the oldest one.
}

export interface HourList {
  hours: Hour[]; // Until now, the first one first.
  counted_from?: string; // Earlier hours were not counted: there are too many charges.
}

/** A payment in a list. */
export interface Row {
  merchant: string;
  mode: Mode;
  id: string; // Of the payment.
  state: string;
  order: string;
  amount?: string;
  currency: string;
  refunded?: string; // So far, or given back.
  status?: string; // Of the payment.
  session?: string;
  open_until?: string;
  reason_code?: string;
  operation: string;
  method?: string;
  mid?: string;
  country?: string;
  card?: string; // Its mask.
  approval_code?: string;
  email?: string; // Masked for those who may not see it.
  created_at: string;
  changed_at?: string;
  callbacks?: string; // The worst of its callbacks.
}

export interface Summary {
  state: string;
  means: string;
  turn: string;
  next?: string;
  at?: string; // Of what comes next.
  tell: string;
  retry?: string;
}

export interface Amount {
  amount: string;
  currency: string;
}

/** What became of a payment's money, in its currency. A request without an outcome has moved nothing yet. A session
 * that nobody has tried to pay has none. */
export interface Money {
  direction: string; // in, out. Of a payout `out`: the money of the merchant.
  currency: string;
  asked?: string; // Absent until the payer has entered it.
  arrived: string; // All that was ever taken, also for a charge that counts as declined.
  returned: string; // Refunded, voided after the capture, charged back, reversed or given back.
  kept: string; // What arrived and was not returned.
  refunded?: string; // The part of what was returned that was refunded or given back.
  reserved?: string; // Authorised, and neither captured nor voided.
  returning?: string; // By refunds and give-backs without an outcome. It is among what is kept.
  received?: MoneyReceived;
}

export interface Fact {
  name: string;
  text: string;
}

export interface Event {
  at: string;
  kind: string;
  text: string;
  details?: Fact[];
  said?: string; // What a program said in its own words. Absent for those who see masked data.
}

export interface Delivery {
  seq: number;
  id: string; // The webhook-id.
  event: string;
  says: string; // The event as a sentence.
  state: string; // waiting, delivered, parked, dropped.
  url: string;
  created_at: string;
  next_at?: string;
  tries: Try[];
  may_send: boolean;
  why_not?: string;
}

export interface Possible {
  act: string; // refund, capture, void, look-up, settle, retry.
  label: string;
  allowed: boolean;
  why?: string; // It is not allowed.
  amount?: string; // The most.
  partial?: boolean;
  reference?: string;
  verdicts?: string[];
  needs?: Needs[]; // What each of the verdicts needs.
}

export interface ChainItem {
  id: string; // Of the initial payment.
  merchant: string;
  mode: Mode;
  order: string; // Of the initial payment.
  state: string;
  amount?: string; // Of each scheduled charge.
  currency: string;
  interval?: string; // In words.
  next_at?: string; // When the next charge is due.
  charges_made: number; // By the schedule.
  schedule_id?: string;
  mid: string;
}

export interface Group {
  day: string;
  currency: string;
  method: string;
  mid: string;
  type: string;
  succeeded: number;
  failed: number;
  amount: string;
  moved: string; // Money from the payers; negative to payers or payees.
}

export interface Sum {
  currency: string;
  paid: string;
  returned: string;
  paid_out?: string;
  net: string;
  attempts: number; // Charges that have ended. Payouts are none.
  accepted: number;
}

export interface Decline {
  reason_code: string;
  text: string;
  count: number;
}

export interface Undelivered {
  payment_id: string;
  seq: number;
  merchant: string;
  test?: boolean;
  url?: string;
  event: string;
  created_at: string;
  state: string; // waiting, parked.
  at: string; // Of its next try, or when it was parked.
  tries: number;
  last_try?: string;
}

export interface Try {
  at: string;
  status?: number; // Of the HTTP response.
  error?: string;
  ms?: number; // Milliseconds until the response, or until there was none.
  response?: string; // The beginning of a response that is no success.
}

export interface Overlap {
  secret: string; // live_key, test_key, password.
  until: string;
  old: Counted;
  new: Counted;
  more?: boolean; // There were more uses than were counted.
}

/** What the certificate beside a wallet's key says. */
export interface Certificate {
  subject: string;
  issuer: string;
  serial: string; // Hexadecimal.
  merchant_identifier?: string; // That it was issued for.
  until: string;
}

/** An act that returns more than its person may return alone. */
export interface Approval {
  id: string;
  merchant: string;
  test?: boolean;
  payment_id: string;
  order: string;
  do: string; // refund, void, give-back.
  amount: string;
  currency: string;
  why: string; // The limit that it exceeds.
  who: string; // Who asks, as AWS or the sign-in provider knows them.
  by: string;
  reason: string;
  at: string;
  until: string; // From then on nobody can approve it.
  state: string; // waiting, approved, rejected, expired.
  decided_by?: string;
  decided_at?: string;
  decided_because?: string;
  reference?: string; // Of the request that was made, or that is given back.
  of?: string; // The amount as it was asked for.
  stop_schedule?: boolean; // The refund stops the schedule of the recurring chain, too.
}

export interface ChainCharge {
  payment_id: string;
  at: string;
  order: string;
  amount: string;
  currency: string;
  status: string;
  reason_code?: string;
  initial?: boolean; // The payer has made it.
}

export interface ChainEvent {
  at: string;
  text: string;
  reason?: string;
}

export interface ChainPossible {
  act: string; // stop, resume, move, lower.
  label: string;
  does: string;
  allowed: boolean;
  why?: string; // It is not allowed.
}

export interface Block {
  id: string;
  merchant: string; // Its id, or * for all.
  mode: Mode;
  kind: string; // card, email, ip.
  value: string; // Of a card 6 digits, 6 stars and 4 digits. For roles that see no payers' data masked.
  payment_id?: string; // Of which the value was taken.
  reason?: string; // Not of what is blocked for all, unless the caller may see all merchants.
  by?: string;
  at: string;
  until: string;
}

export interface Level {
  live?: string; // masked, full.
  test?: string; // masked, full.
}

/** Charges that ended in an hour, without payouts. The hour that it is now is compared with as many minutes. */
export interface Hour {
  at: string; // Its beginning.
  charges: Charges;
  week_before: Charges;
}

/** What arrived where a payer pays elsewhere, such as at the address of a coin. */
export interface MoneyReceived {
  currency: string;
  due?: string; // Absent if the payer might pay any amount.
  arrived: string;
  counts: boolean; // The payment has succeeded by it.
  waiting?: string; // The part that does not count and waits for a person.
  returned?: string; // The part that did not count and was returned.
  closed?: string; // The part that did not count, whose case a person has closed.
}

export interface Needs {
  verdict: string;
  means: string;
  currency?: string; // Of the amount that may be named. Absent: none may.
  most?: string; // That may be named. Absent: as much as there was.
  amount?: string; // That counts if none is named. Absent: one has to be.
  transfer?: boolean; // The reference of the payment by which it was returned has to be named.
}

export interface Counted {
  count: number; // Accepted requests. It lags by a minute at most.
  last?: string;
}

export interface Charges {
  ended: number;
  accepted: number;
}

// End of what is generated.

export type Shape = "ok" | "wait" | "bad" | "off";

export interface Owned {
  merchant: string;
  mode?: Mode;
  test?: boolean;
}

export interface Choice {
  value: string;
  label: string;
}

export interface FilterField {
  name: string;
  label: string;
  kind: "text" | "choice" | "day" | "amount";
  choices?: (string | Choice)[];
}

export interface Describe {
  statuses: Record<string, { label: string; means: string; turn: string; tell: string; shape: Shape }>;
  payouts: Describe["statuses"]; // Those of payouts that differ.
  reason_codes: Record<string, { text: string; tell: string; retry: string }>;
  columns: { name: string; label: string }[];
  filters: FilterField[];
  acts: Record<string, { label: string; does: string; danger?: boolean }>;
}

/** Open is a request to a provider without an outcome. */
export interface Open extends Owned {
  payment_id: string;
  order: string;
  reference: string;
  type: string;
  amount?: string;
  currency: string;
  mid: string;
  connector: string;
  sent_at?: string;
  unknown_since?: string;
  look_ups: number;
  why?: string;
  due_at?: string;
  late?: boolean;
}

export interface Opens {
  requests: Open[] | null;
  cursor?: string;
}
