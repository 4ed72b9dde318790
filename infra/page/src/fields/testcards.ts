// The sandbox's test card. It decides by the expiry date, typed or from the test wallet; the README lists the dates.

export const number = "4111 1111 1111 1111";
export const outcomes: [name: string, expiry: string][] = [
  ["paid", "01/38"],
  ["declined", "02/38"],
  ["pending", "01/39"],
  ["secure", "05/38"],
  ["redirect", "12/38"],
];
