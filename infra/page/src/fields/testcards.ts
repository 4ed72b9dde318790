// The sandbox's test card. It decides by the expiry date, typed or from the test wallet; the README lists the dates.

export const number = "4111 1111 1111 1111";

/** What the other fields get: by their kind, or by what the browser knows them by. */
export const payer: Record<string, string> = {
  card_number: number,
  security_code: "123",
  card_name: "Test Payer",
  email: "payer@example.com",
  phone: "+12135550123",
  country: "US",
  state: "CA",
  "address-line1": "1 Sample Street",
  "address-level2": "Los Angeles",
  "postal-code": "90001",
  consent: "true",
};

export const outcomes: [name: string, expiry: string][] = [
  ["paid", "01/38"],
  ["declined", "02/38"],
  ["pending", "01/39"],
  ["secure", "05/38"],
  ["redirect", "12/38"],
];
