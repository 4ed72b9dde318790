// Names of networks as wallets write them.

const names: Record<string, string> = {
  tron: "Tron (TRC-20)",
  trc20: "Tron (TRC-20)",
  eth: "Ethereum (ERC-20)",
  erc20: "Ethereum (ERC-20)",
  bsc: "BNB Smart Chain (BEP-20)",
  bep20: "BNB Smart Chain (BEP-20)",
  btc: "Bitcoin",
  ltc: "Litecoin",
  bch: "Bitcoin Cash",
  doge: "Dogecoin",
  sol: "Solana",
  solana: "Solana",
  polygon: "Polygon",
  ton: "TON",
};

export function networkName(network: string): string {
  const key = network.toLowerCase();
  return (Object.hasOwn(names, key) && names[key]) || network;
}
