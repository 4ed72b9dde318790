// The page's own API, and what is sealed of what it sends.

// Generated from infra/openapi.yaml: go test ./internal/local/contract -run Generated -update

export interface Screen {
  // form, wait, go, message. form: show a form; wait: show a message and poll; go: leave the page; message: show a
  // final message.
  kind: string;
  operation?: string; // purchase, debit, credit, transfer. Whether the payer pays, receives or sends.
  language: string; // Of the texts.
  // The session names no language: the first of the browser's that the page has goes before it.
  browser_language?: boolean;
  merchant?: string;
  branding?: ScreenBrand;
  origins?: string[]; // That may show the page in a frame; absent: any.
  test?: boolean; // No real money.
  order?: ScreenOrder;
  payee?: string; // Who receives a transfer or payout, by name.
  payment?: ScreenPayment;
  items?: ScreenItem[]; // The cart.
  totals?: ScreenTotal[]; // What the order's amount is made of: they add up to it.
  last_try?: boolean; // On a form screen after a decline: no attempt is left after the next one.
  message?: ScreenMessage;
  attempt?: string; // The latest one that was taken.
  actions?: string[]; // What the payer can do beside paying.
  expires_at?: string; // End of a form; on a wait screen of what can be paid elsewhere.
  expires_in_ms?: number; // Time left until then.
  lifetime_ms?: number;
  more_time_ms?: number; // For how long the payer can ask for more time; absent: not any more.
  methods?: ScreenMethod[];
  seal?: ScreenSeal;
  schedule?: ScreenSchedule;
  show?: ScreenShown[]; // What the payer needs to pay elsewhere.
  fields?: ScreenField[]; // On a wait screen a second form.
  step?: string; // Which form it is.
  poll_ms?: number;
  go?: ScreenGo; // On a message screen the way on, if there is one.
}

export interface PayRequest {
  attempt: string; // An id of the page's own.
  method: string;
  fields: Record<string, string>; // Values by the id of their field.
  saved?: string; // For another card nothing.
  save?: boolean; // The payer wants another card saved. It is ignored where the method has no save.
  sealed?: Sealed | null; // Where the form has a sealed field.
  browser?: BrowserMeasures;
}

export interface SecondForm {
  step: string; // Which form was shown.
  fields: Record<string, string>; // Values by the id of their field.
}

/** How the page looks for this merchant's payers. */
export interface ScreenBrand {
  logo?: string; // An https address or a path of the page.
  accent?: string;
  legal_name?: string;
  terms_url?: string;
  privacy_url?: string;
  support?: ScreenSupport;
}

export interface ScreenOrder {
  number: string;
  description: string;
  amount: string; // With exactly so many decimals.
  currency: string;
  decimals: number;
  vat?: ScreenVAT[];
}

/** What was paid with, once the session is paid. */
export interface ScreenPayment {
  at: string;
  method: string; // Key of its name.
  mask?: string; // Of a card.
}

/** In the merchant's own texts. */
export interface ScreenItem {
  name: string;
  quantity?: string;
  price?: string;
  currency?: string; // Of the price; absent: the order's.
  total?: string; // Of the line, as text like the order's amount.
  image?: string; // Of a host that the merchant allows.
}

/** One amount of those that the order's amount is made of. */
export interface ScreenTotal {
  kind: string; // items, delivery, discount, vat, total.
  amount: string; // As text like the order's, of a discount below 0.
}

export interface ScreenMessage {
  text: string;
  reason?: ScreenReason;
}

export interface ScreenMethod {
  id: string;
  label: string; // Key of its name in the page's texts.
  name?: string; // The merchant's own name of it, before that text.
  icon: string; // Of the page's own.
  group: string;
  note?: string; // Key of one line of help.
  action: string; // submit, wallet. How to begin: send the form, or open a wallet and send what it gives.
  fields: ScreenField[];
  saved?: ScreenSaved[];
  save?: boolean; // The payer may have another card saved.
  wallet?: ScreenWallet;
  countries?: string[]; // Whose payers it is for, while the payer's country is not known; absent: all.
  networks?: string[]; // Of cards that it takes; absent: not known.
}

/** HPKE, RFC 9180: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM, base mode. */
export interface ScreenSeal {
  key_id: string;
  key: string; // Uncompressed P-256 point, base64url without padding.
  info: string; // Used as info and as aad.
}

export interface ScreenSchedule {
  amount: string;
  interval: number;
  unit: string; // day, month.
  count?: number; // Not there where charges go on until further notice.
  start: string;
}

export interface ScreenShown {
  id: string; // Whose label the page has, such as crypto_address.
  type: string; // text, copy, amount, qr, barcode, link, deadline, image.
  value: string; // A deadline in RFC 3339, an image as PNG in base64.
  currency?: string; // Of an amount.
}

export interface ScreenField {
  id: string;
  kind: string;
  label?: string; // Key of its texts; absent: its id.
  // The merchant's or the provider's own label, by language, instead of that of the texts.
  label_texts?: Record<string, string>;
  ordered?: boolean; // Stands before fields that are not.
  hint?: string; // Key of a text that helps to fill it in.
  required?: boolean;
  sealed?: boolean; // Goes into the sealed card, never into fields.
  min?: number; // Fewest characters.
  max?: number; // Most characters.
  check?: string; // A rule that the page has by this name; one that it does not have refuses nothing.
  pattern?: string; // A regular expression that the whole value matches.
  format?: string; // digits, upper, phone. What is changed of a typed value before it is checked.
  mask?: string; // How it is grouped: # is a character.
  autocomplete?: string;
  inputmode?: string;
  options?: ScreenOption[];
  options_by?: string; // Id of the field that options and writings depend on.
  value?: string;
  country?: string;
  unusual?: boolean; // The value is taken although it breaks the check, once it was marked.
  told?: boolean; // The wallet asks for it, so that the page need not.
  writing?: ScreenWriting;
  writings?: Record<string, ScreenWriting>; // In place of writing
}

export interface ScreenGo {
  url: string;
  target: string; // _self, _parent, _top.
}

/** All but key_id base64url without padding. */
export interface Sealed {
  key_id: string;
  enc: string;
  ciphertext: string;
}

/** What 3-D Secure 2 asks of the payer's browser. A value that no browser has is left out. The service adds the headers
 * User-Agent and Accept. */
export interface BrowserMeasures {
  language?: string; // The browser's first language.
  screen_width?: number;
  screen_height?: number;
  color_depth?: number;
  time_zone_offset?: number; // Minutes to be added to local time to get UTC.
  java_enabled?: boolean;
  javascript_enabled?: boolean;
}

/** Where the shop can be reached. */
export interface ScreenSupport {
  email?: string;
  phone?: string;
  address?: string; // To write to, in one line.
}

export interface ScreenVAT {
  country: string;
  amount: string;
}

/** Why a payment was declined, or what was paid too much, too little or too late. */
export interface ScreenReason {
  code: string;
  words?: string; // The provider's own, to be shown as they are.
  language?: string; // Of words, a BCP 47 tag; absent: not known.
  currency?: string; // Of both amounts.
  arrived?: string;
  due?: string;
}

export interface ScreenSaved {
  id: string;
  mask: string;
  expiry: string;
  fields: ScreenField[];
  removable?: boolean; // The payer may have the card removed.
}

/** What the browser needs to open a wallet. Amount and currency are those of the order. */
export interface ScreenWallet {
  kind: string; // applepay, googlepay.
  country: string; // Of the merchant.
  label: string; // The merchant's name in the payment sheet.
  networks: string[]; // Of the wallet's names.
  test?: boolean; // No wallet is opened: the page shows a test wallet.
  applepay?: ScreenApplePaySheet;
  googlepay?: ScreenGooglePaySheet;
}

export interface ScreenOption {
  value: string;
  by?: string[]; // Values of options_by that it is offered for; absent: all.
  label_texts?: Record<string, string>; // The provider's own label, by language, instead of that of the texts.
}

/** How a number is written. */
export interface ScreenWriting {
  signs?: string; // digits, letters_digits, signs. What lengths count: digits, digits and letters, or every character.
  lengths?: number[][]; // The least and the most of each number of signs that it may have.
  example?: string; // A good value.
}

export interface ScreenApplePaySheet {
  capabilities: string[];
  application_data: string; // Base64 of the session id, to which it binds the token.
  domains: string[]; // Of the top-level pages that may open the sheet.
  recurring?: ScreenRecurringPlan;
}

export interface ScreenGooglePaySheet {
  frame: string; // The page that loads the wallet's script, on another origin.
  environment: string; // TEST, PRODUCTION.
  auth_methods: string[];
  merchant_id?: string;
  merchant_name?: string;
  gateway?: string;
  gateway_merchant_id?: string;
  // What the gateway wants beside its name, such as `stripe:publishableKey`.
  gateway_parameters?: Record<string, string>;
  public_key?: string; // Tokens are encrypted to it: an uncompressed P-256 point, base64.
  billing_address?: boolean;
  email?: boolean;
  phone?: boolean;
}

/** Asks for a token that can be charged again without the payer. */
export interface ScreenRecurringPlan {
  description: string;
  manage_url: string;
}

// End of what is generated.

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
