// Apple Pay in Safari, which has it built in: no script of anybody else runs.

import type { Flow } from "../flow/flow";
import type { State } from "../flow/state";
import type { PayRequest, ScreenOrder, ScreenWallet } from "../service/screen";

/** What Safari has, as far as it is used here. */
export interface AppleSession {
  onvalidatemerchant: (() => void) | null;
  onpaymentauthorized: ((event: { payment: { token: { paymentData: unknown } } }) => void) | null;
  oncancel: (() => void) | null;
  begin(): void;
  abort(): void;
  completeMerchantValidation(session: unknown): void;
  completePayment(result: { status: number }): void;
}

interface AppleSessions {
  new (version: number, request: object): AppleSession;
  supportsVersion(version: number): boolean;
  readonly STATUS_SUCCESS: number;
  readonly STATUS_FAILURE: number;
}

/** The version that brought a network; all others came with the oldest version that is used. */
const since: Record<string, number> = {
  cartesBancaires: 4, eftpos: 4, electron: 4, maestro: 4, vPay: 4, elo: 5, mada: 5, girocard: 11, mir: 11,
  dankort: 13, bancomat: 14, bancontact: 14, bankAxept: 15,
};
const oldest = 3;
const recurringSince = 14;

const sheetWaits = 20_000; // for the outcome: the sheet gives up after 30 s

/** requestOf is the payment request, and the version of the wallet's interface that it needs. */
export function requestOf(
  { country, label, networks, applepay }: ScreenWallet,
  { amount, currency }: Pick<ScreenOrder, "amount" | "currency">,
  supports: (version: number) => boolean,
): { version: number; request: object } {
  const known = networks.filter((network) => supports(since[network] ?? oldest));
  const recurring = applepay?.recurring && supports(recurringSince) ? applepay.recurring : undefined;
  const versions = known.map((network) => since[network] ?? oldest);
  const total = { label, amount, type: "final" };
  return {
    version: Math.max(oldest, ...versions, recurring ? recurringSince : oldest),
    request: {
      countryCode: country,
      currencyCode: currency,
      supportedNetworks: known,
      merchantCapabilities: applepay?.capabilities,
      applicationData: applepay?.application_data,
      total,
      ...(recurring && {
        recurringPaymentRequest: {
          paymentDescription: recurring.description,
          regularBilling: { label, amount, paymentTiming: "recurring" },
          managementURL: recurring.manage_url,
        },
      }),
    },
  };
}

/** decided tells whether a payment has succeeded, as far as the sheet has to know; null while nobody knows. */
export function decided({ busy, screen, notice }: State): boolean | null {
  if (busy === "sending" || busy === "lost") return null;
  switch (screen?.kind) {
    case "form":
      return false;
    case "wait": // what the payer has to do next stands on the page, under the sheet
      return screen.show || screen.fields ? true : null;
    case "go":
      return notice !== "technical_problem" && ["paid", "continue_elsewhere"].includes(screen.message?.text ?? "");
  }
  return screen?.message?.text === "paid";
}

interface Opening {
  flow: Flow;
  wallet: ScreenWallet;
  order: Pick<ScreenOrder, "amount" | "currency">;
  domain: string; // of the page at the top
  build(attempt: string, token: string): Promise<PayRequest>;
}

/** openApplePay shows the sheet. It has to be called while a click is handled. */
export function openApplePay({ flow, wallet, order, domain, build }: Opening): void {
  const Sessions = (window as unknown as { ApplePaySession: AppleSessions }).ApplePaySession;
  const { version, request } = requestOf(wallet, order, (n) => Sessions.supportsVersion(n));
  const sheet = new Sessions(version, request);
  sheet.onvalidatemerchant = () => {
    merchantSession(flow.session, domain).then(
      (session) => sheet.completeMerchantValidation(session),
      () => {
        sheet.abort();
        flow.notice("not_sent");
      },
    );
  };
  sheet.onpaymentauthorized = ({ payment }) => {
    let told = false;
    const tell = (paid: boolean) => {
      if (told) return;
      told = true;
      clearTimeout(timer);
      flow.watch = () => {};
      sheet.completePayment({ status: paid ? Sessions.STATUS_SUCCESS : Sessions.STATUS_FAILURE });
    };
    const timer = setTimeout(() => tell(flow.state.screen?.kind === "wait"), sheetWaits);
    if (flow.state.busy !== "no" || flow.state.retryIn > 0) return tell(false); // nothing would be sent
    flow.watch = (state) => {
      const paid = decided(state);
      if (paid !== null) tell(paid);
    };
    void flow.pay((attempt) => build(attempt, JSON.stringify(payment.token.paymentData)));
  };
  sheet.oncancel = () => flow.notice(null);
  sheet.begin();
}

// The service asks the wallet for it. It is opaque, and good once.
async function merchantSession(session: string, domain: string): Promise<unknown> {
  const response = await fetch("/page/v1/" + encodeURIComponent(session) + "/applepay", {
    method: "POST",
    body: JSON.stringify({ domain }),
    headers: { "Content-Type": "application/json" },
    cache: "no-store",
    credentials: "same-origin",
    redirect: "error",
  });
  if (!response.ok) throw new Error("no merchant session");
  return response.json();
}
