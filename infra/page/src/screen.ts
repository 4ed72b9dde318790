// The page's own API, as internal/checkout/screen.go writes it.

export interface Screen {
  kind: string; // form, wait, go, message
  language: string;
  merchant?: string;
  test?: boolean;
  order?: ScreenOrder;
  message?: ScreenMessage;
  attempt?: string; // the latest one that the service has taken
  expires_in_ms?: number;
  lifetime_ms?: number;
  methods?: ScreenMethod[];
  seal?: ScreenSeal;
  poll_ms?: number;
  go?: ScreenGo;
}

export interface ScreenOrder {
  number: string;
  description: string;
  amount: string; // decimal text
  currency: string;
  decimals: number;
}

export interface ScreenMessage {
  text: string; // a key of texts.ts; continue_elsewhere: go leads to a provider, where the payer has a step to take
  reason?: string;
}

export interface ScreenMethod {
  id: string;
  fields: ScreenField[];
}

export interface ScreenField {
  id: string;
  kind: string; // card_number, expiry, security_code, card_name, text, email, country, state, phone
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
}
