// The buttons of wallets, and what happens when one is pressed.

import { useState } from "preact/hooks";
import { formatAmount } from "./amount";
import { startsAtOnce, type Choice } from "./choice";
import type { Flow } from "./flow";
import { topDomain } from "./offered";
import { useWalletCode } from "./opening";
import type { Screen, ScreenMethod, ScreenOrder } from "./screen";
import { loadSealing } from "./sealing";
import { fill, methodText, type Texts } from "./texts";
import { presentIn, request, tokenRequest, type Values } from "./values";

interface Test {
  choice: Choice;
  order: ScreenOrder;
  values: Values;
}

/** useWallets returns what opens a wallet, whether it can already, and the dialog of the test wallet. */
export function useWallets(screen: Screen, flow: Flow, texts: Texts) {
  const code = useWalletCode((screen.methods ?? []).some((m) => m.wallet));
  const [test, setTest] = useState<Test | null>(null);
  const ready = (method: ScreenMethod) => !method.wallet || code !== undefined;
  const open = (method: ScreenMethod, values: Values) => {
    const choice = { method, saved: undefined, fields: presentIn(method.fields, values) };
    if (!method.wallet) return void flow.pay((attempt) => request(attempt, screen, choice, values));
    const order = screen.order;
    if (!code || !order) return;
    loadSealing().catch(() => {});
    if (method.wallet.test) return setTest({ choice, order, values });
    const build = (attempt: string, token: string) => tokenRequest(attempt, screen, choice, values, token);
    code.openApplePay({ flow, wallet: method.wallet, order, domain: topDomain(window), build });
  };
  const pay = ({ choice, values }: Test) => (token: string) => {
    setTest(null);
    void flow.pay((attempt) => tokenRequest(attempt, screen, choice, values, token));
  };
  const dialog = test && code && (
    <code.TestWallet
      method={test.choice.method}
      session={flow.session}
      amount={formatAmount(test.order, texts.tag)}
      pay={fill(texts.pay, { amount: formatAmount(test.order, texts.tag) })}
      texts={texts}
      onToken={pay(test)}
      onClose={() => setTest(null)}
    />
  );
  return { open, ready, dialog };
}

interface WalletsProps {
  methods: ScreenMethod[];
  texts: Texts;
  or: boolean; // there are other ways below
  ready(method: ScreenMethod): boolean;
  onMethod(method: ScreenMethod): void;
}

export function Wallets({ methods, texts, or, ready, onMethod }: WalletsProps) {
  return (
    <>
      <div class="wallets">
        {methods.filter(startsAtOnce).map((method) => (
          <button
            key={method.id}
            id={method.id}
            type="button"
            class={method.id}
            disabled={!ready(method)}
            onClick={() => onMethod(method)}
          >
            {methodText(texts, method.label)}
          </button>
        ))}
      </div>
      {or && <p class="or">{texts.or}</p>}
    </>
  );
}
