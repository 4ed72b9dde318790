// The page's own API, as internal/checkout/screen.go writes it.

export interface Screen {
  kind: string; // form, wait, go, message
  language: string;
  merchant?: string;
  test?: boolean;
  order?: ScreenOrder;
  message?: ScreenMessage;
  attempt?: string; // the latest one that the service has taken
  expires_in_ms?: number; // of a form; on a wait screen the time left to pay elsewhere
  lifetime_ms?: number;
  methods?: ScreenMethod[];
  seal?: ScreenSeal;
  schedule?: ScreenSchedule; // on a form screen of a payment that charges will follow
  show?: ScreenShown[]; // on a wait screen: what the payer has to use elsewhere
  poll_ms?: number;
  go?: ScreenGo; // on a message screen the way on, for the payer to take
}

export interface ScreenOrder {
  number: string;
  description: string;
  amount: string; // decimal text, "" when the payer enters it
  currency: string;
  decimals: number;
  vat?: ScreenVAT[]; // of the country that is known, else of each that the payer may choose
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
  id: string; // crypto_address, crypto_coin, crypto_network, crypto_amount, amount_received, amount_missing
  value: string;
}

export interface ScreenMessage {
  text: string; // a key of texts.ts; continue_elsewhere: go leads to a provider, where the payer has a step to take
  reason?: string;
}

export interface ScreenMethod {
  id: string;
  fields: ScreenField[];
  saved?: ScreenSaved[]; // cards to choose from, beside another one
}

export interface ScreenSaved {
  id: string;
  mask: string; // 6 digits, 6 stars, 4 digits
  expiry: string; // MM/YYYY
  fields: ScreenField[]; // what is still needed for it
}

export interface ScreenField {
  id: string;
  kind: string; // card_number, expiry, security_code, card_name, text, email, country, state, phone, amount, consent
  required?: boolean;
  sealed?: boolean;
  max?: number;
  min?: number;
  value?: string;
  country?: string;
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
  sealed?: Sealed;
}

export interface Sealed {
  key_id: string;
  enc: string;
  ciphertext: string;
}

export interface Card {
  number: string;
  expiry_month: number;
  expiry_year: number;
  security_code: string;
  payee_number?: string; // of a transfer: the card that it goes to
}
