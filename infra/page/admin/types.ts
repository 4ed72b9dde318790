// What the admin API answers (infra/admin.yaml). Amounts are text, times RFC 3339.

export type Mode = "live" | "test";
export type Shape = "ok" | "wait" | "bad" | "off";

export interface Owned {
  merchant: string;
  mode?: Mode;
  test?: boolean;
}

export interface Me {
  who: string;
  grants: Grant[];
  rights: Record<string, { live: unknown; test: unknown }>;
  stack: string;
  version: string;
  merchants: { id: string; name: string }[];
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
  reason_codes: Record<string, { text: string; tell: string; retry: string }>;
  columns: { name: string; label: string }[];
  filters: FilterField[];
  acts: Record<string, { label: string; does: string; danger?: boolean }>;
}

export interface Row {
  merchant: string;
  mode: Mode;
  id: string;
  state: string;
  order: string;
  amount?: string;
  currency: string;
  reason_code?: string;
  operation: string;
  method?: string;
  mid?: string;
  country?: string;
  card?: string;
  approval_code?: string;
  email?: string;
  created_at: string;
  changed_at?: string;
  callbacks?: string;
}

export interface List {
  rows: Row[] | null;
  cursor?: string;
  searched_to: string;
}

export interface Found {
  rows: Row[] | null;
  by: string;
  more?: boolean;
  note?: string;
}

export interface Summary {
  state: string;
  means: string;
  turn: string;
  next?: string;
  at?: string;
  tell: string;
  retry?: string;
}

export interface Try {
  at: string;
  status?: number;
  error?: string;
  ms?: number; // until the response, or until there was none
  response?: string; // the beginning of one that is no success, as a stranger wrote it
}

export interface Delivery {
  seq: number;
  id: string;
  event: string;
  state: string;
  url: string;
  created_at: string;
  next_at?: string;
  tries: Try[] | null;
  may_send: boolean;
  why_not?: string;
}

export interface Possible {
  act: string;
  label: string;
  allowed: boolean;
  why?: string;
  amount?: string;
  partial?: boolean;
  reference?: string;
  verdicts?: string[];
}

export interface Fact {
  name: string;
  text: string;
}

export interface View {
  row: Row;
  summary: Summary;
  facts: Fact[] | null;
  timeline: { at: string; kind: string; text: string; details?: Fact[] }[] | null;
  callbacks: Delivery[] | null;
  possible: Possible[] | null;
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
  moved: string; // money from the payers; negative: to payers or payees
}

export interface Sum {
  currency: string;
  paid: string;
  returned: string;
  paid_out?: string;
  net: string;
  attempts: number;
  accepted: number;
}

export interface Decline {
  reason_code: string;
  text: string;
  count: number;
}

export interface Totals {
  groups: Group[] | null;
  sums: Sum[] | null;
  declines: Decline[] | null;
  lines: number;
  cursor?: string;
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

export interface Undelivered extends Owned {
  payment_id: string;
  seq: number;
  url?: string; // none: the merchant has set none
  event: string;
  created_at: string;
  state: string;
  at: string;
  tries: number;
  last_try?: string;
}

export interface Deliveries {
  callbacks: Undelivered[] | null;
  waiting: number;
  parked: number;
  more?: boolean; // there are so many that not all were counted
  cursor?: string;
}

export interface Address extends Owned {
  url: string;
  open_until?: string;
  slow?: boolean;
  waiting: number;
  parked: number;
  oldest?: string;
}

export interface Circuit extends Owned {
  mapping: string;
  mid: string;
  connector: string;
  state: string;
  since: string;
  until: string;
  reason: string;
}

export interface Grant {
  who: string;
  role: string;
  merchants: string[];
  mode: string;
  by: string;
  at: string;
}

export interface Entry {
  id: string;
  at: string;
  who: string;
  via?: string;
  role?: string;
  by?: string;
  command: string;
  what: string;
  reason?: string;
  changes?: string[];
  request_id?: string;
}

export interface Done {
  payment_id: string;
  reference?: string;
  status: string;
  text: string;
  decided: boolean;
  amount?: string;
  left?: string;
}

export interface BulkSent {
  sent: number;
  left: number;
  cursor?: string;
}
