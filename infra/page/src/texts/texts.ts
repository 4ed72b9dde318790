// The shape of a catalogue. Every language has every text of English: the compiler and a test see to it.

import type { Names } from "./names/en";

export type { Names };

/** A text with {count}, by the categories that Intl.PluralRules has for the language. */
export type Plural = { other: string } & Partial<Record<"zero" | "one" | "two" | "few" | "many", string>>;

export interface Texts {
  tag: string; // BCP 47, for the lang attribute and for Intl
  dir: "ltr" | "rtl";

  title: string; // {merchant}
  title_plain: string;
  test_mode: string;
  order: string; // {number}
  amount: string;
  method: string;
  pay: string; // {amount}
  pay_plain: string;
  sending: string;
  close: string;
  time_left: string; // the time follows
  optional: string;
  choose: string;
  expiry_example: string; // month and year as on a card
  sealed: string;
  go_on: string;
  vat: string; // {amount}
  saved_cards: string;
  saved_card: string; // read to those who can't see the dots: {brand} {digits}
  saved_expiry: string; // {expiry}
  another_card: string;
  copy: string;
  copied: string;
  copy_failed: string;

  no_money: string;
  test_fill: string;
  test_cards: Record<string, string>; // by the outcome
  amount_receive: string;
  amount_send: string;
  receive_plain: string;
  send: string; // {amount}
  send_plain: string;
  show_order: string;
  groups: Record<string, string>; // headings of fields that stand together
  more_ways: string; // {count}
  search_ways: string;
  no_ways: string;
  use_another_card: string;
  ask_now: string;
  have_paid: string;
  taking_back: string; // {merchant}
  back_to: string; // {merchant}
  reference: string;
  print: string;
  handled_for: string; // {merchant}
  terms: string;
  privacy: string;
  another_way: string;
  have_paid_told: string;
  more: string;
  less: string;
  language: string;
  or: string;
  paid_at: string;
  paid_with: string;
  to_payee: string; // {payee}
  network_warning: string; // {coin} {network}
  receive: string; // {amount}
  from_merchant: string; // {merchant}, of a payout
  send_to: string; // {payee}, of a transfer
  last_try: string;
  may_close: string;
  leave_ask: string; // after "I have paid"
  leave_text: string;
  leave_yes: string;
  leave_no: string;
  open_window: string; // where the page stands in a frame
  contact: string; // {merchant}
  accepted_cards: string;
  save_card: string;
  save_consent: string; // {merchant}
  remove_card: string;
  remove_ask: string;
  keep_card: string; // beside remove_card
  card_removed: string;

  headings: Record<string, string>; // of the messages that stand alone
  notes: Record<string, string>; // one line of help of a method
  mend: Record<MendKey, string>; // how a fault is mended
  cell: Record<CellKey, string>; // a fault in the place of its field's label
  cart: Record<"items" | "delivery" | "discount" | "vat" | "total", string>;

  messages: Record<MessageKey, string>;
  reasons: Record<ReasonKey, string>;
  declined_reason: string; // {reason}
  declined_again: string;

  recurring: {
    consent: string; // {amount} {every} {start} {times}
    info: string; // the same, where no consent is asked for
    single: Record<"day" | "month", string>; // every one of a unit
    several: string; // {interval}, such as "3 months"
    times: Plural; // 2 and more
    once: string;
    endless: string;
  };

  units: Record<"day" | "month" | "hour" | "minute" | "second", Plural>; // as they stand in several, in too_many and behind time_left

  shown: Record<string, string>;
  methods: Record<string, string>; // of cards
  fields: Record<string, FieldTexts>; // of cards
  names?: { [part in keyof Names]?: Record<string, string> }; // of methods, and with the rest of their fields
  field: FieldTexts; // any other field, {label}
}

/** The texts of internal/page/screen/screen.go, and the page's own. */
export type MessageKey =
  | "declined"
  | "too_many_declines"
  | "paid"
  | "cancelled"
  | "expired"
  | "processing"
  | "more_needed"
  | "partly_paid"
  | "checking_payment"
  | "checking_outcome"
  | "checking_first"
  | "paid_too_little"
  | "paid_too_late"
  | "unknown_session"
  | "technical_problem"
  | "continue_elsewhere"
  | "redirect"
  | "pay_elsewhere"
  | "too_many" // {time}, such as "20 seconds"
  | "try_now"
  | "check_fields"
  | "connection_lost"
  | "connection_back"
  | "scan_qr"
  | "confirm_in_app"
  | "enter_code"
  | "code_wrong"
  | "transfer_details"
  | "voucher_issued"
  | "open_link"
  | "payout_under_way"
  | "not_sent"
  | "service_problem"
  | "paid_credit"
  | "paid_transfer"
  | "declined_credit"
  | "too_many_declines_credit"
  | "cancelled_credit"
  | "expired_credit"
  | "processing_credit"
  | "checking_outcome_credit"
  | "ending_payment"
  | "cancelled_elsewhere" // with details to pay with, so that money may be on its way
  | "declined_elsewhere" // the same of a payment that was declined
  | "window_open" // the page stands in a frame, and the next one is open in a window
  | "window_blocked"
  | "window_done"
  | "framed"; // the merchant does not let this website show the page in a frame

/** The codes of internal/reason/reason.go. */
export type ReasonKey =
  | "declined"
  | "insufficient_funds"
  | "exceeds_limit"
  | "try_again_later"
  | "call_issuer"
  | "authentication_failed"
  | "card_not_supported"
  | "card_invalid"
  | "card_expired"
  | "security_code_invalid"
  | "pin_invalid"
  | "too_many_pins"
  | "address_mismatch"
  | "account_invalid"
  | "voucher_invalid"
  | "duplicate"
  | "payer_refused"
  | "payer_too_slow"
  | "paid_too_little" // {arrived} {due}
  | "paid_too_late" // {arrived}
  | "paid_too_much" // {arrived} {due}
  | "payee_card_invalid"
  | "card_unreadable"
  | "token_invalid"
  | "value_invalid"
  | "not_supported"
  | "not_sent"
  | "taken_back";

/** What a marked cell says in the place of its label, at most 20 characters where two stand in a row. */
export type CellKey =
  | "required" // {label}
  | "invalid" // {label}
  | "number_short" // {label}
  | "number_digit" // {label}
  | "expiry_required"
  | "expiry_month"
  | "expiry_past" // {value}
  | "code"; // {count}

/** How a fault is mended: see mend.ts. */
export type MendKey =
  | "number_empty"
  | "number_short"
  | "number_digit"
  | "expiry_empty"
  | "expiry_month"
  | "expiry_past"
  | "code_back"
  | "code_front"
  | "name"
  | "email"
  | "phone";

export interface FieldTexts {
  label: string;
  required: string;
  invalid: string; // of an amount with {example}
}
