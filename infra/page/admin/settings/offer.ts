// What a payer would be offered, as the service explains it.

/** Offer is what a payer would be offered. */
export interface Offer {
  base_url: string; // of the API for merchants
  methods: { id: string; label: string; mids: { mid: string }[] }[];
  mids: { mapping: string; mid: string; takes: boolean; reasons: { text: string }[] }[];
  warnings: string[];
}

/** example asks for that of a small purchase. */
export const example = (merchant: string) => ({ merchant, mode: "test", amount: "10.00", currency: "EUR" });
