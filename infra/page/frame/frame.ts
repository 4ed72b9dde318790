// The frame of Google Pay: a page on an origin of its own, the only one that runs a script of the wallet's. It shows
// the button, tells the page around it when it is pressed, and opens the sheet with the request that the page then
// sends.

import type { ToFrame, ToPage } from "../src/wallets/messages";

const payScript = "https://pay.google.com/gp/p/js/pay.js";

interface PaymentData {
  email?: string;
  paymentMethodData: {
    tokenizationData: { token: string };
    info?: { billingAddress?: Record<string, string | undefined> };
  };
}

interface PaymentsClient {
  isReadyToPay(request: object): Promise<{ result: boolean }>;
  loadPaymentData(request: object): Promise<PaymentData>;
}

declare global {
  var google:
    { payments: { api: { PaymentsClient: new (options: { environment: string }) => PaymentsClient } } } | undefined;
}

const page = document.documentElement.dataset.page ?? ""; // the origin of the only page that may use this one
const button = document.getElementById("pay") as HTMLButtonElement;
let client: Promise<PaymentsClient> | undefined;
let open = false;

function tell(message: ToPage): void {
  window.parent.postMessage(message, page);
}

function load(environment: string): Promise<PaymentsClient> {
  return new Promise((loaded, failed) => {
    const script = document.createElement("script");
    script.src = payScript;
    script.onerror = () => failed(new Error("Google Pay could not be loaded"));
    script.onload = () => {
      if (google) loaded(new google.payments.api.PaymentsClient({ environment }));
      else failed(new Error("Google Pay has no client"));
    };
    document.head.append(script);
  });
}

async function show({ environment, ready, text, lang, dir }: ToFrame & { type: "wallet:show" }): Promise<void> {
  Object.assign(document.documentElement, { lang, dir });
  button.textContent = text;
  client ??= load(environment);
  const can = await client.then((wallet) => wallet.isReadyToPay(ready)).then(
    ({ result }) => result,
    () => false,
  );
  button.disabled = !can;
  tell({ type: "wallet:ready", ready: can });
}

// contactOf names what the wallet tells of the payer as the fields of the page are named.
function contactOf({ email, paymentMethodData }: PaymentData): Record<string, string> {
  const address = paymentMethodData.info?.billingAddress ?? {};
  const fields = {
    payer_email: email,
    payer_phone: address.phoneNumber,
    payer_country: address.countryCode,
    payer_state: address.administrativeArea,
    payer_city: address.locality,
    payer_address: address.address1,
    payer_address2: [address.address2, address.address3].filter(Boolean).join(", "),
    payer_zip: address.postalCode,
  };
  return Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => !!field[1]));
}

// The browser lets the sheet open, since the payer has just pressed the button.
async function openSheet(request: object): Promise<void> {
  if (open) return;
  open = true;
  try {
    const data = await (await client)!.loadPaymentData(request);
    tell({ type: "wallet:token", token: data.paymentMethodData.tokenizationData.token, contact: contactOf(data) });
  } catch (error) {
    const closed = (error as { statusCode?: string }).statusCode === "CANCELED";
    tell({ type: closed ? "wallet:closed" : "wallet:failed" });
  } finally {
    open = false;
  }
}

button.addEventListener("click", () => tell({ type: "wallet:pressed" }));
window.addEventListener("focus", () => button.focus()); // the page leads the payer here
window.addEventListener("message", ({ source, origin, data }: MessageEvent<ToFrame | null>) => {
  if (window.parent === window || source !== window.parent || origin !== page) return;
  if (data?.type === "wallet:show") void show(data);
  else if (data?.type === "wallet:open") void openSheet(data.request);
});
tell({ type: "wallet:listening" });
