// Every drawing of the page, as paths on a square of 24.

const paths: Record<string, string> = {
  card: "M3 6.5h18v11H3zM3 10h18M6 14.5h4",
  bank: "M3.5 9.5 12 4l8.5 5.5zM6 10v7M10 10v7M14 10v7M18 10v7M3.5 19.5h17",
  transfer: "M4 8.5h15l-3.5-3.5M20 15.5H5l3.5 3.5",
  phone: "M8 3h8a1.5 1.5 0 0 1 1.5 1.5v15A1.5 1.5 0 0 1 16 21H8a1.5 1.5 0 0 1-1.5-1.5v-15A1.5 1.5 0 0 1 8 3zM11 18h2",
  qr: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2M20 14v2h-2v4M14 20h1M20 19v1",
  voucher: "M3.5 6.5h17v4a1.5 1.5 0 0 0 0 3v4h-17v-4a1.5 1.5 0 0 0 0-3zM14 7v2M14 11v2M14 15v2",
  cash: "M3 6.5h18v11H3zM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM6 9.5v5M18 9.5v5",
  parts: "M4 5.5h16v14H4zM4 10h16M8.5 3.5v4M15.5 3.5v4M9 15h6",
  wallet: "M4 7.5h15.5v11H4zM4 7.5 16 4v3.5M15.5 13h4",
  coin: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM14.5 9.5c-.5-1-1.5-1.4-2.5-1.4-1.4 0-2.5.7-2.5 1.9 0 2.6 5 " +
    "1.2 5 4 0 1.2-1.1 1.9-2.5 1.9-1.1 0-2.1-.5-2.6-1.5M12 6.6v1.5M12 15.9v1.5",
  payout: "M12 3.5v10M8 10l4 4 4-4M4 14v6h16v-6",
  mail: "M3.5 6h17v12h-17zM3.5 7l8.5 6 8.5-6",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  warning: "M12 6.5v7M12 17v.5",
  more: "m7 10 5 5 5-5",
  bag: "M5.5 8.5h13l1 11.5h-15zM9 8.5V7a3 3 0 0 1 6 0v1.5",
  code_back: "M2.5 5.5h19v13h-19zM2.5 9.5h19M13 13h6v3h-6z",
  code_front: "M2.5 5.5h19v13h-19zM13 8h6v3h-6zM5.5 15.5h6",
};

/** Icon is a drawing beside a text that says the same, so it is hidden from those who listen. */
export function Icon({ name }: { name: string }) {
  return <Drawing path={(Object.hasOwn(paths, name) && paths[name]) || paths.wallet!} />;
}

/** Drawing is one that has its path with it. */
export function Drawing({ path, name = "", length }: { path: string; name?: string; length?: number }) {
  return (
    <svg class={"icon " + name} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={path} {...(length && { pathLength: length })} />
    </svg>
  );
}
