// The buttons of wallets, and what happens when one is pressed.

import { useRef, useState } from "preact/hooks";
import { request, tokenRequest } from "../seal/request";
import { startsAtOnce, type Picked } from "../methods/choice";
import { topDomain } from "../methods/offered";
import { faultsIn, presentIn, sealedIn, type Values } from "../fields/values";
import type { Flow } from "../flow/flow";
import { fill, languageOf, methodText, type Texts } from "../texts";
import { formatAmount } from "../texts/amount";
import { loadRest } from "../texts/load";
import type { Screen, ScreenMethod } from "../service/screen";
import type { Opened } from "./opened";
import { useTestWallet, useWallet } from "./opening";

/** WalletForm is what wallets need of the form around them. */
export interface WalletForm {
  screen: Screen;
  flow: Flow;
  texts: Texts;
  onPick(picked: Picked): void;
  onValues(values: Values): void;
  onNone(method: string): void; // it can't be used in this browser
}

/**
 * useWallets returns what opens a wallet, whether it can already, the frame that has its button, and the dialog of the
 * test wallet.
 */
export function useWallets({ screen, flow, texts, onPick, onValues, onNone }: WalletForm) {
  const code = useWallet(screen);
  const [test, setTest] = useState<Opened | null>(null);
  const testCode = useTestWallet(test !== null);
  const openSheet = useRef<((opened: Opened) => void) | null>(null); // of the frame whose press is handled now
  const ready = ({ wallet }: ScreenMethod) => !wallet || !!wallet.test || !!code;
  const open = (method: ScreenMethod, values: Values) => {
    const choice = { method, saved: undefined, fields: presentIn(method.fields, values) };
    const { wallet } = method;
    if (!wallet) return void flow.pay((attempt) => request(attempt, screen, choice, values));
    const { order } = screen;
    if (!order) return;
    void loadRest(languageOf(screen)); // which seals
    const opened = { choice, order, values };
    if (wallet.test) return void loadRest(languageOf(screen)).then(() => setTest(opened)); // which has its texts
    if (framed(method)) {
      if (!openSheet.current) return document.getElementById(method.id)?.focus(); // only its own button opens it
      return openSheet.current(opened);
    }
    const build = (attempt: string, token: string) => tokenRequest(attempt, screen, choice, values, token);
    code?.openApplePay({ flow, wallet, order, domain: topDomain(window), build });
  };
  const pay = ({ choice, values }: Opened) => (token: string) => {
    setTest(null);
    void flow.pay((attempt) => tokenRequest(attempt, screen, choice, values, token));
  };
  // What the sheet told is asked for once more where it won't do.
  const take = (token: string, { choice, order, values }: Opened) => {
    const fields = presentIn(choice.method.fields, values);
    if (Object.keys(faultsIn(fields, values, order.decimals)).length === 0) {
      return pay({ choice: { ...choice, fields }, order, values })(token);
    }
    onPick({ method: choice.method.id, saved: null, all: true });
    onValues(values);
  };
  const frame = (method: ScreenMethod, hidden: boolean, onPress: () => void) =>
    method.wallet && code && (
      <code.GooglePay
        key={method.id}
        id={method.id}
        wallet={method.wallet}
        name={methodText(texts, method.label)}
        texts={texts}
        hidden={hidden}
        sealed={sealedIn(screen)}
        onPress={(open) => {
          openSheet.current = open;
          const { busy, still, retryIn } = flow.state;
          if (busy === "no" && !still && retryIn === 0) onPress();
          openSheet.current = null;
        }}
        onToken={take}
        onEnd={(failed) => flow.notice(failed ? "not_sent" : null)}
        onNone={() => onNone(method.id)}
      />
    );
  const amount = test && formatAmount(test.order, texts.tag);
  const dialog = test && amount && testCode && (
    <testCode.TestWallet
      method={test.choice.method}
      session={flow.session}
      amount={amount}
      pay={fill(texts.pay, { amount })}
      texts={texts}
      onToken={pay(test)}
      onClose={() => setTest(null)}
    />
  );
  return { open, ready, frame, dialog };
}

/** framed: the button of the wallet is in a frame, which runs its script. */
export function framed({ wallet }: ScreenMethod): boolean {
  return wallet?.kind === "googlepay" && !wallet.test;
}

interface WalletsProps {
  methods: ScreenMethod[];
  texts: Texts;
  or: boolean; // there are other ways below
  wallets: ReturnType<typeof useWallets>;
  onMethod(method: ScreenMethod): void;
}

export function Wallets({ methods, texts, or, wallets, onMethod }: WalletsProps) {
  return (
    <>
      <div class="wallets">
        {methods.filter(startsAtOnce).map(
          (method) =>
            (framed(method) && wallets.frame(method, false, () => onMethod(method))) || (
              <button
                key={method.id}
                id={method.id}
                type="button"
                class={method.id}
                disabled={!wallets.ready(method)}
                onClick={() => onMethod(method)}
              >
                {methodText(texts, method.label)}
              </button>
            ),
        )}
      </div>
      {or && <p class="or">{texts.or}</p>}
    </>
  );
}
