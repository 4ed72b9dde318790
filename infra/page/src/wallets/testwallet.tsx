// The sandbox's test wallet, in place of those of vendors.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { digitsOf } from "../fields/card";
import { number, outcomes } from "../fields/testcards";
import type { Texts } from "../texts";
import { methodText, textOf, walletText } from "../texts/lookup";
import type { ScreenMethod } from "../service/screen";
import { addStyle } from "../service/stylesheet";

// Written by build.mjs.
declare const TEST_WALLET_STYLE: string;

addStyle(TEST_WALLET_STYLE);

const faults = ["expired", "bad_signature", "other_root", "unknown_key", "used"];
const faultsOf: Record<string, string[]> = {
  applepay: [...faults, "amount_changed", "other_session"],
  googlepay: [...faults, "other_recipient"],
};

interface TestWalletProps {
  method: ScreenMethod;
  session: string;
  amount: string; // as the payer reads it
  pay: string; // what the button says
  texts: Texts;
  onToken(token: string): void;
  onClose(): void;
}

/** TestWallet is a dialog that stands for a wallet: the payer picks a card, and the sandbox makes the token. */
export function TestWallet({ method, session, amount, pay, texts, onToken, onClose }: TestWalletProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [expiry, setExpiry] = useState("01/38");
  const [panOnly, setPanOnly] = useState(false);
  const [fault, setFault] = useState("");
  const [state, setState] = useState<"open" | "busy" | "failed">("open");
  const open = useRef(true);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      open.current = false;
      shown?.close(); // so that the button has the focus again
    };
  }, []);
  const confirm = async () => {
    if (state === "busy") return;
    setState("busy");
    const ask = { session, method: method.id, card: digitsOf(number), expiry, pan_only: panOnly, fault };
    const token = await testToken(ask);
    if (!open.current) return;
    if (token) onToken(token);
    else setState("failed");
  };
  const name = methodText(texts, method.label);
  return (
    <dialog ref={dialog} class="sheet" aria-labelledby="wallet_title" onClose={onClose}>
      <p class="note">{walletText(texts, "title")}</p>
      <h2 id="wallet_title">
        {name} <span class="sum">{amount}</span>
      </h2>
      <fieldset>
        <legend>{methodText(texts, "card")}</legend>
        {outcomes.map(([outcome, date]) => (
          <label key={outcome} class="pick">
            <input
              type="radio"
              name="wallet_card"
              value={date}
              checked={expiry === date}
              onChange={() => setExpiry(date)}
            />
            <span>{textOf(texts.test_cards, outcome)}</span> <bdi class="expiry">{date}</bdi>
          </label>
        ))}
      </fieldset>
      {method.id === "googlepay" && (
        <Select
          id="wallet_kind"
          label={walletText(texts, "kind")}
          value={panOnly ? "pan_only" : "device"}
          options={["device", "pan_only"].map((id) => [id, walletText(texts, id)])}
          onValue={(value) => setPanOnly(value === "pan_only")}
        />
      )}
      <Select
        id="wallet_fault"
        label={walletText(texts, "fault")}
        value={fault}
        options={["", ...(faultsOf[method.id] ?? faults)].map((id) => [id, walletText(texts, id || "none")])}
        onValue={setFault}
      />
      <p class="bad" role="alert">
        {state === "failed" && texts.messages.not_sent}
      </p>
      <button id="wallet_pay" type="button" class="primary" aria-busy={state === "busy"} onClick={() => void confirm()}>
        {state === "busy" && <span class="ring" aria-hidden="true" />}
        <span>{state === "busy" ? texts.sending : pay}</span>
      </button>
      <button id="wallet_close" type="button" class="quiet" onClick={onClose}>
        {texts.close}
      </button>
    </dialog>
  );
}

interface SelectProps {
  id: string;
  label: string;
  value: string;
  options: [value: string, text: string][];
  onValue(value: string): void;
}

function Select({ id, label, value, options, onValue }: SelectProps) {
  return (
    <div class="pick">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onValue(event.currentTarget.value)}>
        {options.map(([of, text]) => (
          <option key={of} value={of}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

// testToken is "" where the sandbox made none.
async function testToken(ask: object): Promise<string> {
  try {
    const response = await fetch("/sandbox/wallet", {
      method: "POST",
      body: JSON.stringify(ask),
      headers: { "Content-Type": "application/json" },
      cache: "no-store",
      credentials: "same-origin",
      redirect: "error",
    });
    const { token } = response.ok ? ((await response.json()) as { token?: string }) : {};
    return token ?? "";
  } catch {
    return "";
  }
}
