// The sandbox's test card. It decides by the expiry date, typed or from the test wallet; the README lists the dates.

export const number = "4111 1111 1111 1111";

/** What the fields get, by their kind or by what the browser knows them by. In that country nobody asks for a state. */
export const payer: Record<string, string> = {
  card_number: number,
  security_code: "123",
  card_name: "Test Payer",
  email: "payer@example.com",
  phone: "+4930123456",
  country: "DE",
  "address-line1": "Musterstraße 1",
  "address-level2": "Berlin",
  "postal-code": "10115",
  consent: "true",
};

export const outcomes: [name: string, expiry: string][] = [
  ["paid", "01/38"],
  ["declined", "02/38"],
  ["pending", "01/39"],
  ["secure", "05/38"],
  ["redirect", "12/38"],
];
