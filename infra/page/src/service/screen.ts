// The page's own API, as internal/page/screen/screen.go writes it.

export interface Screen {
  kind: string; // form, wait, go, message
  operation?: string; // purchase, debit, credit, transfer
  payee?: string; // who receives a transfer or payout
  payment?: ScreenPayment; // after a success
  language: string;
  browser_language?: boolean; // the session names no language: the browser's goes before this one
  merchant?: string;
  branding?: ScreenBrand;
  origins?: string[]; // whose pages may show this one in a frame; absent: any
  test?: boolean;
  order?: ScreenOrder;
  items?: ScreenItem[]; // of a form: the cart
  totals?: ScreenTotal[]; // what the order's amount is made of: they add up to it
  last_try?: boolean; // of a form after a decline: no attempt is left after the next one
  message?: ScreenMessage;
  attempt?: string; // the latest one that the service has taken
  actions?: string[]; // cancel, paid, another: what the payer can do here
  expires_at?: string; // of a form; on a wait screen of what can be paid elsewhere: RFC 3339
  expires_in_ms?: number; // the same as time left
  lifetime_ms?: number;
  methods?: ScreenMethod[];
  seal?: ScreenSeal;
  schedule?: ScreenSchedule; // on a form screen of a payment that charges will follow
  show?: ScreenShown[]; // on a wait screen: what the payer has to use elsewhere
  fields?: ScreenField[]; // on a wait screen: a second form
  step?: string; // which form it is, for SecondForm
  poll_ms?: number;
  go?: ScreenGo; // on a message screen the way on, for the payer to take
}

export interface ScreenPayment {
  at: string; // RFC 3339
  method: string; // a key of the catalogues' methods
  mask?: string; // 6 digits, 6 stars, 4 digits
}

export interface ScreenOrder {
  number: string;
  description: string;
  amount: string; // decimal text, "" when the payer enters it
  currency: string;
  decimals: number;
  vat?: ScreenVAT[]; // of the country that is known, else of each that the payer may choose
}

export interface ScreenBrand {
  logo?: string;
  accent?: string; // #rrggbb
  legal_name?: string;
  terms_url?: string;
  privacy_url?: string;
  support?: ScreenSupport;
}

/** ScreenSupport is where the shop can be reached. At least one is set. */
export interface ScreenSupport {
  email?: string;
  phone?: string;
  address?: string; // to write to, in one line
}

export interface ScreenItem {
  name: string;
  quantity?: string;
  price?: string;
  currency?: string; // of price; absent: the order's
  total?: string; // of the line, as text like the order's amount
  image?: string;
}

export interface ScreenTotal {
  kind: "items" | "delivery" | "discount" | "vat" | "total";
  amount: string; // decimal text, of a discount below 0
}

export interface ScreenVAT {
  country: string;
  amount: string;
}

export interface ScreenSchedule {
  amount: string;
  interval: number;
  unit: string; // day, month
  count?: number; // absent: until further notice
  start: string; // yyyy-mm-dd
}

export interface ScreenShown {
  id: string; // a key of the catalogues' shown
  type: string; // text, copy, amount, qr, barcode, link, deadline, image; any other is drawn as a text
  value: string;
  currency?: string; // of an amount
}

export interface ScreenMessage {
  text: string; // a key of texts.ts; continue_elsewhere: go leads to a provider, where the payer has a step to take
  reason?: ScreenReason;
}

export interface ScreenReason {
  code: string; // a key of the catalogues' reasons
  words?: string; // the provider's own, shown as they are
  language?: string; // of words; absent: not known
  currency?: string; // of both amounts
  arrived?: string;
  due?: string;
}

export interface ScreenMethod {
  id: string;
  label: string; // a key of the catalogues' methods
  name?: string; // the merchant's own name of it, before the text of label
  icon: string;
  group: string;
  note?: string; // key of one line of help
  action: string; // submit: send the form; wallet: open one, and send the token that it gives
  fields: ScreenField[];
  saved?: ScreenSaved[]; // cards to choose from, beside another one
  save?: boolean; // another card may be saved
  wallet?: ScreenWallet;
  countries?: string[]; // billing countries that it fits, while the payer's is not known; absent: all
  networks?: string[]; // of cards that it takes, as in brandNames; absent: not known
}

/** ScreenWallet is what the browser needs to open a wallet. Amount and currency are those of the order. */
export interface ScreenWallet {
  kind: string; // applepay, googlepay
  country: string; // of the merchant
  label: string; // the merchant's name in the payment sheet
  networks: string[];
  test?: boolean; // no wallet is opened: the page shows the test wallet
  applepay?: ScreenApplePay;
  googlepay?: ScreenGooglePay;
}

export interface ScreenApplePay {
  capabilities: string[];
  application_data: string;
  domains: string[]; // of the top-level pages that may open the sheet
  recurring?: { description: string; manage_url: string };
}

export interface ScreenGooglePay {
  frame: string; // the page on the second origin that runs the wallet's script; empty: there is none
  environment: string; // TEST, PRODUCTION
  auth_methods: string[];
  merchant_id?: string;
  merchant_name?: string;
  gateway?: string; // with what follows: tokens for the provider
  gateway_merchant_id?: string;
  gateway_parameters?: Record<string, string>;
  public_key?: string; // tokens for the service
  billing_address?: boolean;
  email?: boolean;
  phone?: boolean;
}

export interface ScreenSaved {
  id: string;
  mask: string; // 6 digits, 6 stars, 4 digits
  expiry: string; // MM/YYYY
  fields: ScreenField[]; // what is still needed for it
  removable?: boolean; // the payer may have it removed
}

export interface ScreenField {
  id: string;
  // card_number, expiry, security_code, card_name, text, email, country, state, phone, amount, consent, select, date,
  // number, code, password, checkbox; any other is a text
  kind: string;
  label?: string; // key of its texts; absent: its id
  label_texts?: Record<string, string>; // the merchant's or provider's own label, by language, before that
  ordered?: boolean; // the merchant's form has its place: before those that are not
  hint?: string; // key of a text that helps to fill it in
  required?: boolean;
  sealed?: boolean;
  max?: number;
  min?: number;
  check?: string; // a rule of check.ts
  pattern?: string; // a regular expression that the whole value matches
  format?: string; // digits, upper, phone: what is changed of what was typed
  mask?: string; // how it is grouped: # is a character
  autocomplete?: string;
  inputmode?: string;
  options?: ScreenOption[]; // to choose from
  options_by?: string; // the id of the field that the options depend on
  value?: string;
  country?: string;
  told?: boolean; // the wallet asks for it, so that the page need not
}

export interface ScreenOption {
  value: string;
  by?: string[]; // the values of options_by that it is offered for; absent: all
  label_texts?: Record<string, string>; // the provider's own label, by language
}

export interface ScreenSeal {
  key_id: string;
  key: string; // uncompressed P-256 point, base64url
  info: string;
}

export interface ScreenGo {
  url: string;
  target: string; // _self, _parent, _top
}

export interface PayRequest {
  attempt: string;
  method: string;
  fields: Record<string, string>;
  saved?: string; // the id of the chosen card; absent for another one
  save?: boolean; // save another one
  sealed?: Sealed;
  browser?: BrowserMeasures; // of a card or wallet
}

/** BrowserMeasures is what 3-D Secure 2 asks of the browser. */
export interface BrowserMeasures {
  language: string;
  screen_width: number;
  screen_height: number;
  color_depth: number;
  time_zone_offset: number; // minutes to be added to local time to get UTC
  java_enabled: boolean;
  javascript_enabled: boolean;
}

/** SecondForm is what is sent of a second form, to /second-form. */
export interface SecondForm {
  step: string;
  fields: Record<string, string>;
}

export interface Sealed {
  key_id: string;
  enc: string;
  ciphertext: string;
}

/** Token is what is sealed of a wallet: its payment token, as JSON text. */
export interface Token {
  token: string;
}

export interface Card {
  number: string;
  expiry_month: number;
  expiry_year: number;
  security_code: string;
  payee_number?: string; // of a transfer: the card that it goes to
  values?: Record<string, string>; // of sealed fields that are no card's, by their ids
}
