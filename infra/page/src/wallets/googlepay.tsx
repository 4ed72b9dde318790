// Google Pay on the page: a frame of another origin, which runs the wallet's script, and the request for its sheet.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Texts } from "../texts";
import type { ScreenOrder, ScreenWallet } from "../service/screen";
import type { ToFrame, ToPage } from "./messages";
import type { Opened } from "./opened";

const loadsWithin = 15_000; // until a frame that says nothing is taken for one that can't pay
const startsWithin = 1000; // of its load event, an honest frame has long begun to listen by then
const maxToken = 8192; // characters, as many bytes as the service takes
const maxTold = 1024; // characters of a value that the wallet tells

/** readyOf asks whether the browser can pay this way; requestOf is for the sheet. */
export function readyOf(wallet: ScreenWallet): object {
  const { parameters } = cardOf(wallet);
  return { apiVersion: 2, apiVersionMinor: 0, allowedPaymentMethods: [{ type: "CARD", parameters }] };
}

export function requestOf(
  wallet: ScreenWallet,
  { amount, currency }: Pick<ScreenOrder, "amount" | "currency">,
): object {
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
  const { auth_methods, billing_address, phone, public_key, gateway, gateway_merchant_id, gateway_parameters } =
    googlepay ?? {};
  const asks = billing_address || phone; // the phone number is a part of the address there
  return {
    type: "CARD",
    parameters: {
      allowedAuthMethods: auth_methods,
      allowedCardNetworks: networks,
      ...(asks && {
        billingAddressRequired: true,
        billingAddressParameters: {
          format: billing_address ? "FULL" : "MIN",
          ...(phone && { phoneNumberRequired: true }),
        },
      }),
    },
    tokenizationSpecification: public_key
      ? { type: "DIRECT", parameters: { protocolVersion: "ECv2", publicKey: public_key } }
      : {
          type: "PAYMENT_GATEWAY",
          parameters: {
            gateway,
            ...(gateway_merchant_id && { gatewayMerchantId: gateway_merchant_id }),
            ...gateway_parameters,
          },
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
  onPress(open: (opened: Opened) => void): void; // the sheet opens at once, or not
  onToken(token: string, opened: Opened): void; // with what the sheet has told
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
  const documents = useRef({ loaded: 0, listening: 0 }); // in the frame, one after the other
  const sheet = useRef<Opened | null>(null); // that is open: without one, a frame has nothing to tell of it
  const [ready, setReady] = useState(false);
  const [listening, setListening] = useState(0); // how many of them have begun to
  const { origin } = new URL(address);
  const tell = (message: ToFrame) => frame.current?.contentWindow?.postMessage(message, origin);
  useLayoutEffect(() => {
    const timer = setTimeout(() => now.current.onNone(), loadsWithin);
    const hear = (event: MessageEvent<ToPage | null>) => {
      if (event.origin !== origin || event.source !== frame.current?.contentWindow) return;
      const { onPress, onToken, onEnd, onNone } = now.current;
      const message = event.data;
      switch (message?.type) {
        case "wallet:listening":
          sheet.current = null; // of a document that is gone
          return setListening(++documents.current.listening);
        case "wallet:ready":
          clearTimeout(timer);
          return message.ready === true ? setReady(true) : onNone();
        case "wallet:pressed":
          // Of an inert frame nobody has pressed anything. Whoever presses twice has confirmed nothing yet.
          if (sheet.current || frame.current?.hasAttribute("inert")) return;
          return onPress((opened) => {
            sheet.current = opened;
            tell({ type: "wallet:open", request: requestOf(wallet, opened.order) });
          });
      }
      const opened = sheet.current;
      if (!opened || !ends(message)) return;
      sheet.current = null;
      if (message.type === "wallet:token" && isToken(message.token))
        onToken(message.token, withTold(opened, message.contact));
      else onEnd(message.type !== "wallet:closed");
    };
    window.addEventListener("message", hear);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("message", hear);
    };
  }, []);
  useLayoutEffect(() => {
    if (listening === 0) return;
    const { environment = "" } = wallet.googlepay ?? {};
    tell({ type: "wallet:show", environment, ready: readyOf(wallet), text: name, lang: texts.tag, dir: texts.dir });
  }, [listening, texts.tag]);
  useGuard(frame, props.sealed, () => now.current.onNone());
  // What has loaded is perhaps the browser's page about an origin that does not answer, or that the frame was led away
  // to.
  const loaded = () => {
    const count = ++documents.current.loaded;
    setTimeout(() => {
      if (frame.current && documents.current.listening < count) now.current.onNone();
    }, startsWithin);
  };
  return (
    <iframe
      ref={frame}
      id={id}
      title={name}
      src={address + "/"}
      onLoad={loaded}
      allow="payment"
      sandbox="allow-scripts allow-same-origin allow-popups allow-forms"
      referrerpolicy="no-referrer"
      aria-busy={!ready}
      hidden={hidden}
    />
  );
}

function ends(message: ToPage | null): message is ToPage {
  return ["wallet:token", "wallet:closed", "wallet:failed"].includes(message?.type ?? "");
}

// The types of messages are only what an honest frame sends.
function isToken(token: unknown): token is string {
  return typeof token === "string" && token !== "" && token.length <= maxToken;
}

// What the sheet tells is taken where the payer has filled in nothing.
function withTold(opened: Opened, contact: unknown): Opened {
  const values = { ...opened.values };
  const told = new Map<string, unknown>(Object.entries(contact ?? {}));
  for (const { id, told: tells } of opened.choice.method.fields) {
    const value = told.get(id);
    if (tells && !values[id] && typeof value === "string" && value.length <= maxTold) values[id] = value;
  }
  return { ...opened, values };
}

const meant = 20; // pixels: a hand that types moves the mouse less

// useGuard keeps what the payer types into sealed fields out of the frame's reach: browsers let a script in it take the
// focus at any time. While such a field has the focus the frame is inert, until the pointer comes to the button, or Tab
// leads on. A frame that has the focus all the same has taken it, and onTheft is called.
function useGuard(frame: { current: HTMLIFrameElement | null }, sealed: string[], onTheft: () => void): void {
  useLayoutEffect(() => {
    const around = frame.current?.parentElement;
    let moved = 0; // since the last key
    let last: EventTarget | null = null; // that had the focus: a timer may run after more of them were left
    const guard = (inert: boolean) => frame.current?.toggleAttribute("inert", inert);
    const typing = (at: EventTarget | null) => at instanceof HTMLInputElement && sealed.includes(at.id);
    const typed = (event: Event) => {
      moved = 0;
      guard((event as KeyboardEvent).key !== "Tab" && typing(event.target));
    };
    const pointed = (event: Event) => {
      const { movementX, movementY } = event as PointerEvent;
      moved += Math.abs(movementX) + Math.abs(movementY);
      if (moved > meant) guard(false);
    };
    const left = ({ target }: Event) => {
      last = target;
      setTimeout(() => {
        const stolen = frame.current?.hasAttribute("inert") && document.activeElement === frame.current;
        guard(typing(document.activeElement));
        if (!stolen) return;
        (last as HTMLElement).focus();
        onTheft();
      });
    };
    const guards: [Node | null | undefined, string, (event: Event) => void][] = [
      [document, "focusin", ({ target }) => guard(typing(target))],
      [document, "focusout", left],
      [document, "keydown", typed],
      [around, "pointerenter", () => guard(false)],
      [around, "pointermove", pointed],
      [around, "pointerdown", () => guard(false)], // a finger does not move first
      [around, "pointerleave", () => guard(typing(document.activeElement))],
    ];
    for (const [at, name, run] of guards) at?.addEventListener(name, run);
    return () => {
      for (const [at, name, run] of guards) at?.removeEventListener(name, run);
    };
  }, []);
}
