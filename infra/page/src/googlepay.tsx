// Google Pay on the page: a frame of another origin, which runs the wallet's script, and the request for its sheet.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ToFrame, ToPage } from "./messages";
import type { ScreenOrder, ScreenWallet } from "./screen";
import type { Texts } from "./texts";

const loadsWithin = 15_000; // until a frame that says nothing is taken for one that can't pay

/** readyOf asks whether the browser can pay this way; requestOf is for the sheet. */
export function readyOf(wallet: ScreenWallet): object {
  const { parameters } = cardOf(wallet);
  return { apiVersion: 2, apiVersionMinor: 0, allowedPaymentMethods: [{ type: "CARD", parameters }] };
}

export function requestOf(wallet: ScreenWallet, { amount, currency }: Pick<ScreenOrder, "amount" | "currency">): object {
  const { merchant_id, merchant_name, email } = wallet.googlepay ?? {};
  return {
    apiVersion: 2,
    apiVersionMinor: 0,
    merchantInfo: { ...(merchant_id && { merchantId: merchant_id }), merchantName: merchant_name || wallet.label },
    allowedPaymentMethods: [cardOf(wallet)],
    transactionInfo: {
      totalPriceStatus: "FINAL",
      totalPrice: amount,
      currencyCode: currency,
      ...(wallet.country && { countryCode: wallet.country }),
    },
    ...(email && { emailRequired: true }),
  };
}

function cardOf({ networks, googlepay }: ScreenWallet) {
  const { auth_methods, billing_address, phone, public_key, gateway, gateway_merchant_id, gateway_parameters } = googlepay ?? {};
  const asks = billing_address || phone; // the phone number is a part of the address there
  return {
    type: "CARD",
    parameters: {
      allowedAuthMethods: auth_methods,
      allowedCardNetworks: networks,
      ...(asks && {
        billingAddressRequired: true,
        billingAddressParameters: { format: billing_address ? "FULL" : "MIN", ...(phone && { phoneNumberRequired: true }) },
      }),
    },
    tokenizationSpecification: public_key
      ? { type: "DIRECT", parameters: { protocolVersion: "ECv2", publicKey: public_key } }
      : {
          type: "PAYMENT_GATEWAY",
          parameters: { gateway, ...(gateway_merchant_id && { gatewayMerchantId: gateway_merchant_id }), ...gateway_parameters },
        },
  };
}

interface GooglePayProps {
  id: string;
  wallet: ScreenWallet;
  name: string;
  texts: Texts;
  hidden: boolean;
  sealed: string[]; // ids of the fields whose input the frame must not get
  onPress(open: (request: object) => void): void; // open answers at once, or nothing does
  onToken(token: string, contact: Record<string, string>): void;
  onEnd(failed: boolean): void; // without a token
  onNone(): void; // it can't be used here
}

/** GooglePay is the frame that has the button. Its messages count only from its own window and origin. */
export function GooglePay(props: GooglePayProps) {
  const { id, wallet, name, texts, hidden } = props;
  const address = wallet.googlepay?.frame ?? "";
  const frame = useRef<HTMLIFrameElement>(null);
  const now = useRef(props);
  now.current = props;
  const [state, setState] = useState<"loading" | "listening" | "ready">("loading");
  const { origin } = new URL(address);
  const tell = (message: ToFrame) => frame.current?.contentWindow?.postMessage(message, origin);
  useLayoutEffect(() => {
    const timer = setTimeout(() => now.current.onNone(), loadsWithin);
    const hear = (event: MessageEvent<ToPage | null>) => {
      if (event.origin !== origin || event.source !== frame.current?.contentWindow) return;
      const { onPress, onToken, onEnd, onNone } = now.current;
      switch (event.data?.type) {
        case "wallet:listening":
          return setState("listening");
        case "wallet:ready":
          clearTimeout(timer);
          return event.data.ready ? setState("ready") : onNone();
        case "wallet:pressed":
          return onPress((request) => tell({ type: "wallet:open", request }));
        case "wallet:token":
          return onToken(String(event.data.token), event.data.contact);
        case "wallet:closed":
        case "wallet:failed":
          return onEnd(event.data.type === "wallet:failed");
      }
    };
    window.addEventListener("message", hear);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("message", hear);
    };
  }, []);
  useLayoutEffect(() => {
    if (state === "loading") return;
    const { environment = "" } = wallet.googlepay ?? {};
    tell({ type: "wallet:show", environment, ready: readyOf(wallet), text: name, lang: texts.tag, dir: texts.dir });
  }, [state === "loading", texts.tag]);
  useGuard(frame, props.sealed, () => now.current.onNone());
  return (
    <iframe
      ref={frame}
      id={id}
      title={name}
      src={address + "/"}
      allow="payment"
      sandbox="allow-scripts allow-same-origin allow-popups allow-forms"
      referrerpolicy="no-referrer"
      aria-busy={state !== "ready"}
      hidden={hidden}
    />
  );
}

// useGuard keeps what the payer types into sealed fields out of the frame's reach: browsers let a script in it take the focus
// at any time. While such a field has the focus the frame is inert, until the pointer moves at the button or Tab leads on. A
// frame that has the focus all the same has taken it, and onTheft is called.
function useGuard(frame: { current: HTMLIFrameElement | null }, sealed: string[], onTheft: () => void): void {
  useLayoutEffect(() => {
    const around = frame.current?.parentElement;
    const guard = (inert: boolean) => frame.current?.toggleAttribute("inert", inert);
    const typing = (at: EventTarget | null) => at instanceof HTMLInputElement && sealed.includes(at.id);
    const left = ({ target }: Event) => {
      setTimeout(() => {
        const stolen = frame.current?.hasAttribute("inert") && document.activeElement === frame.current;
        guard(typing(document.activeElement));
        if (!stolen) return;
        (target as HTMLElement).focus();
        onTheft();
      });
    };
    const guards: [Node | null | undefined, string, (event: Event) => void][] = [
      [document, "focusin", ({ target }) => guard(typing(target))],
      [document, "focusout", left],
      [document, "keydown", (event) => guard((event as KeyboardEvent).key !== "Tab" && typing(event.target))],
      [around, "pointermove", () => guard(false)],
      [around, "pointerleave", () => guard(typing(document.activeElement))],
    ];
    for (const [at, name, run] of guards) at?.addEventListener(name, run);
    return () => {
      for (const [at, name, run] of guards) at?.removeEventListener(name, run);
    };
  }, []);
}
