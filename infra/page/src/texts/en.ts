import type { Texts } from "./texts";

const state = {
  label: "State",
  required: "State is required.",
  invalid: "Please enter a valid State",
};

const en: Texts = {
  tag: "en",
  dir: "ltr",

  title: "Checkout – {merchant}",
  title_plain: "Checkout",
  test_mode: "Test mode",
  order: "Order {number}",
  amount: "Amount due",
  method: "Payment method",
  details: "Payment details",
  pay: "Pay {amount}",
  pay_plain: "Pay",
  sending: "Sending…",
  close: "Cancel and go back",
  time_left: "Time left to pay",
  optional: "optional",
  choose: "Choose…",
  sealed: "Your card data is encrypted before it leaves this page.",
  go_on: "Continue",
  loading: "Loading…",
  vat: "including VAT {amount}",
  saved_cards: "Your cards",
  saved_card: "{brand} ending in {digits}",
  saved_expiry: "Expires {expiry}",
  another_card: "Another card",
  copy: "Copy",
  copied: "Copied",
  copy_failed: "Your browser does not allow copying here. Please copy the marked text yourself.",

  messages: {
    declined: "Your payment was declined.",
    too_many_declines: "Your payment was declined, and no further attempt is possible.",
    paid: "Thank you, your payment is complete.",
    cancelled: "The payment was cancelled.",
    expired: "The time to pay is over. Please start again from the shop.",
    processing: "Your payment is being processed. Please keep this page open.",
    partly_paid: "A part of the amount has arrived. Please pay the missing amount to the same address, within the time that is left.",
    checking_payment: "The time to pay is over. Please do not pay any more. We are checking whether your payment has arrived…",
    paid_too_little: "Less was paid than was due, and the time to pay is over. The shop was told what has arrived: please contact the shop about it.",
    paid_too_late: "Your payment arrived too late: the time to pay was over. The shop was told of it. Please do not pay again, and contact the shop.",
    unknown_session: "This payment page does not exist or is no longer available.",
    technical_problem: "There is a technical problem. Please try again later.",
    continue_elsewhere: "Your payment waits for your confirmation.",
    redirect: "Taking you to the next page…",
    pay_elsewhere: "Please pay with the details below. This page goes on by itself when your payment has arrived.",
    too_many: "There were too many attempts. Please try again in {time}.",
    try_now: "You can try again now.",
    check_fields: "Please check the marked fields.",
    connection_lost: "Connection lost, checking…",
    connection_back: "The connection is back. Please try again: you will not be charged twice.",
  },
  declined_reason: "Reason: {reason}",
  declined_again: "Please try again or pay in another way.",

  recurring: {
    consent: "I agree to be charged {amount} {every}, starting on {start}, {times}.",
    info: "You will be charged {amount} {every}, starting on {start}, {times}.",
    single: { day: "every day", month: "every month" },
    several: "every {interval}",
    times: "{count} times in total",
    once: "one time only",
    endless: "until further notice",
  },

  shown: {
    crypto_address: "Address",
    crypto_coin: "Coin",
    crypto_network: "Network",
    crypto_amount: "Amount",
    amount_received: "Arrived so far",
    amount_missing: "Still missing",
  },
  methods: {
    card: "Card",
    applepay: "Apple Pay",
    googlepay: "Google Pay",
  },
  fields: {
    payer_card: {
      label: "Card number",
      required: "Invalid card",
      invalid: "Invalid card",
    },
    payer_expiryDate: {
      label: "Expiry date",
      required: "The expiration date of card is expired and not valid.",
      invalid: "The expiration date of card is expired and not valid.",
    },
    payer_cvv: {
      label: "Security code",
      required: "Invalid security code",
      invalid: "Invalid security code",
    },
    payer_name: {
      label: "Name on card",
      required: "The name on card field must hold first and last name in letters.",
      invalid: "The name on card field must hold first and last name in letters.",
    },
    payer_email: {
      label: "Email",
      required: "Email is required.",
      invalid: "Please enter a valid Email",
    },
    payer_country: {
      label: "Country",
      required: "Country is required.",
      invalid: "Please enter a valid Country",
    },
    payer_state: {
      label: "State/Region",
      required: "State/Region is required.",
      invalid: "Please enter a valid State/Region",
    },
    payer_state_US: state,
    payer_state_CA: {
      label: "Province",
      required: "Province is required.",
      invalid: "Please enter a valid Province",
    },
    payer_state_AU: state,
    payer_state_JP: {
      label: "Prefecture",
      required: "Prefecture is required.",
      invalid: "Please enter a valid Prefecture",
    },
    payer_state_IN: state,
    payer_city: {
      label: "City",
      required: "City is required.",
      invalid: "Please enter a valid City",
    },
    payer_address: {
      label: "Address line",
      required: "Address line is required.",
      invalid: "Please enter a valid Address line",
    },
    payer_zip: {
      label: "Zip code",
      required: "Zip code is required.",
      invalid: "Please enter a valid Zip code",
    },
    payer_phone: {
      label: "Phone number",
      required: "Phone number is required.",
      invalid: "Please enter a valid Phone number",
    },
    order_amount: {
      label: "Amount",
      required: "Amount is required.",
      invalid: "Please enter a valid amount, for example {example}",
    },
    recurring_consent: {
      label: "I agree to the recurring charges",
      required: "Please agree to the recurring charges to go on.",
      invalid: "Please agree to the recurring charges to go on.",
    },
    payee_card: {
      label: "Recipient's card number",
      required: "Invalid card",
      invalid: "Invalid card",
    },
  },
  field: {
    label: "{label}",
    required: "{label} is required.",
    invalid: "Please enter a valid {label}",
  },
};

export default en;
