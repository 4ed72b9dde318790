// The form: what to pay with, its fields, pay, close.

import { useEffect, useRef, useState } from "preact/hooks";
import { framed, useWallets, Wallets, type WalletForm } from "../wallets/wallets";
import { request } from "../seal/request";
import { nothingPicked, numberOf, startsAtOnce, type Choice, type Picked } from "../methods/choice";
import { Methods, Way } from "../methods/chooser";
import { Marks } from "../methods/marks";
import { orderNow } from "../fields/due";
import { Fields, formID } from "../fields/fields";
import { groupsOf } from "../fields/group";
import { filledIn } from "../fields/inputs";
import { faultsIn, presentIn, without, type Values } from "../fields/values";
import { useFocusBack } from "../look/focus";
import { Icon } from "../look/icons";
import { wordsOf } from "../look/operation";
import { WithAmount } from "../look/order";
import { scheduleText } from "../look/schedule";
import type { State } from "../flow/state";
import type { Texts } from "../texts";
import { languageOf, methodText, textOf, walletText } from "../texts";
import { hasAmount } from "../texts/amount";
import { loadRest, needsFieldNames } from "../texts/load";
import type { Screen, ScreenMethod } from "../service/screen";

export interface FormProps extends WalletForm {
  state: State;
  choice: Choice;
  values: Values; // what the payer typed, by field id
}

const saysItself = ["payout", "voucher"]; // notes of what open fields ask for

/** Form keeps its place while a payment is decided: dimmed, and closed to changes. */
export function Form(props: FormProps) {
  const { screen, state, flow, texts, choice } = props;
  const all = screen.methods ?? [];
  const methods = all.filter((m) => !startsAtOnce(m));
  const busy = state.busy !== "no" || state.still;
  const pick = async (picked: Picked) => {
    const to = all.find(({ id }) => id === picked.method);
    if (to && needsFieldNames(to)) await loadRest(languageOf(screen));
    if (state.notice === "check_fields") flow.notice(null);
    props.onPick(picked);
    const codes = choice.fields.filter((f) => f.kind === "security_code").map((f) => f.id); // belong to one card only
    // Last: drawing takes over what the inputs still show.
    props.onValues(without({ ...props.values, ...filledIn() }, codes));
  };
  const method = choice.method.id;
  const wallets = useWallets(props);
  // A wallet is opened at once where nothing is missing that it does not tell.
  const press = (of: ScreenMethod) => {
    const values = { ...props.values, ...filledIn() };
    const asked = of.fields.filter((f) => !f.told);
    const missing = faultsIn(presentIn(asked, values), values, screen.order?.decimals ?? 0);
    if (Object.keys(missing).length > 0) void pick({ method: of.id, saved: null });
    else wallets.open(of, values);
  };
  const send = (values: Values) => {
    if (choice.asks) wallets.open(choice.method, values);
    else void flow.pay((attempt) => request(attempt, screen, choice, values), true);
  };
  useAskedFocus(choice);
  // What is needed after Pay comes while the payer fills the form in.
  const begin = () => loadRest(languageOf(screen));
  const note = saysItself.includes(choice.method.note ?? "") ? "" : textOf(texts.notes, choice.method.note ?? "");
  const number = numberOf(choice, props.values);
  const sole = methods.length < 2 || choice.asks;
  const marks = sole && <Marks networks={choice.method.networks} number={number} texts={texts} />;
  const after = globalThis.checkoutAfter;
  const details = (
    <>
      {after && (
        <after.Saved choice={choice} flow={flow} texts={texts} onSaved={(saved) => void pick({ method, saved })} />
      )}
      <Fields
        key={method + " " + (choice.saved?.id ?? "")}
        {...props}
        fields={choice.fields}
        number={number}
        note={note}
        marks={marks}
        onSend={send}
      />
      {after && <after.SaveBox {...props} merchant={screen.merchant ?? ""} />}
      {after && <after.Kept {...props} />}
    </>
  );
  return (
    <>
      <div class={busy ? "ways dimmed" : "ways"} inert={busy} onFocusIn={() => void begin()}>
        {!choice.asks && methods.length < all.length && (
          <Wallets methods={all} texts={texts} or={methods.length > 0} wallets={wallets} onMethod={press} />
        )}
        {!sole ? (
          <Methods
            methods={methods}
            choice={choice}
            number={number}
            texts={texts}
            onMethod={(id) => void pick({ method: id, saved: null })}
            loadRest={begin}
          >
            {details}
          </Methods>
        ) : (
          (methods.length > 0 || choice.asks) && (
            <>
              {!named(choice) && (
                <h2 class="sole">
                  <Way method={choice.method} number={number} texts={texts} />
                </h2>
              )}
              {details}
            </>
          )
        )}
      </div>
      {choice.asks ? (
        <WalletButtons {...props} busy={busy} wallets={wallets} more={all.length > 1} />
      ) : (
        <Buttons {...props} busy={busy} alone={methods.length === 0} />
      )}
      {wallets.dialog}
    </>
  );
}

// A heading of the card's own group says what there is to pay with already.
function named({ fields }: Choice): boolean {
  const groups = groupsOf(fields);
  return groups.length > 1 && groups.some(({ name }) => name === "card");
}

// useAskedFocus: what a pressed wallet asks for has the focus, and later its button again.
function useAskedFocus({ asks, method }: Choice): void {
  const asked = useRef("");
  useEffect(() => {
    const id = asks ? "" : asked.current;
    if (asks) document.querySelector<HTMLElement>(`#${formID} :is(input, select)`)?.focus();
    else if (id) document.getElementById(id)?.focus();
    asked.current = asks ? method.id : "";
  }, [asks && method.id]);
}

type WalletButtonsProps = FormProps & { busy: boolean; wallets: ReturnType<typeof useWallets>; more: boolean };

// A frame's button sends the form as a button of the page does.
function send(): void {
  document.getElementById(formID)?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
}

// The wallet's button stands in the place of Pay until what it needs is filled in.
function WalletButtons({ screen, state, flow, texts, choice, busy, wallets, more, onPick }: WalletButtonsProps) {
  const { id, label } = choice.method;
  const frame = framed(choice.method) && wallets.frame(choice.method, busy, send);
  const ready = wallets.ready(choice.method);
  return (
    <>
      {!choice.fields.some((f) => f.kind === "consent") && <Schedule screen={screen} texts={texts} />}
      <div class="wallets pay">
        {frame}
        {(!frame || busy) && (
          <button
            {...(!frame && { id })}
            type="submit"
            form={formID}
            class={id}
            disabled={!ready}
            aria-disabled={busy || state.retryIn > 0}
            aria-busy={busy}
          >
            {busy && <span class="ring" aria-hidden="true" />}
            <span>{busy ? texts.sending : methodText(texts, label)}</span>
          </button>
        )}
      </div>
      {more && (
        <button
          id="another_way"
          type="button"
          class="quiet"
          aria-disabled={busy}
          onClick={() => busy || onPick(nothingPicked)}
        >
          {texts.another_way}
        </button>
      )}
      <Close screen={screen} flow={flow} texts={texts} busy={busy} />
    </>
  );
}

// Alone are the buttons of wallets: none of them is pressed here.
function Buttons(props: FormProps & { busy: boolean; alone: boolean }) {
  const { screen, state, flow, texts, choice, busy, alone } = props;
  const words = wordsOf(screen, texts);
  const order = screen.order && orderNow(screen.order, choice.fields, props.values);
  const known = order && hasAmount(order) ? order : undefined;
  return (
    <>
      {!choice.fields.some((f) => f.kind === "consent") && <Schedule screen={screen} texts={texts} />}
      {!alone && (
        <div class="pay">
          <button
            id="pay"
            type="submit"
            form={formID}
            class="primary"
            aria-disabled={busy || state.retryIn > 0}
            aria-busy={busy}
          >
            {busy && <span class="ring" aria-hidden="true" />}
            <span>
              {busy ? (
                texts.sending
              ) : !known ? (
                words.plain
              ) : (
                <WithAmount text={words.button} order={known} texts={texts} />
              )}
              {words.to && <small>{words.to}</small>}
            </span>
          </button>
        </div>
      )}
      {choice.fields.some((f) => f.sealed) && (
        <p class="help sealed">
          <Icon name="lock" /> {texts.sealed}
        </p>
      )}
      <Close screen={screen} flow={flow} texts={texts} busy={busy} />
    </>
  );
}

type CloseProps = Pick<FormProps, "screen" | "flow" | "texts"> & { busy: boolean };

// The way out of a form. Where something was typed it asks first, with what comes once a form is begun: it leaves
// without asking if that can't be loaded.
function Close({ screen, flow, texts, busy }: CloseProps) {
  const [asked, ask] = useState<"" | "soon" | "close">("");
  const button = useRef<HTMLButtonElement>(null);
  useFocusBack(asked);
  const leave = async () => {
    ask("soon");
    const begun = Object.keys(filledIn()).length > 0 && (await loadRest(languageOf(screen)));
    const typed = begun && globalThis.checkoutAfter!.hasTyped(screen);
    ask(typed ? "close" : "");
    if (!typed && button.current) void flow.cancel(); // else the form is gone
  };
  if (!screen.actions) return null;
  const after = asked === "close" && globalThis.checkoutAfter;
  return after ? (
    <after.Leaving screen={screen} flow={flow} texts={texts} busy={busy} onStay={() => ask("")} />
  ) : (
    <button
      id="close"
      ref={button}
      type="button"
      class="quiet"
      aria-disabled={busy || !!asked}
      onClick={() => busy || asked || void leave()}
    >
      {asked && <span class="ring" aria-hidden="true" />}
      {texts.close}
    </button>
  );
}

/** NoWay is shown where this browser can open none of the wallets that are offered, and there is nothing else. */
export function NoWay(props: CloseProps) {
  return (
    <>
      <p id="no_way" class="note" role="status">
        {walletText(props.texts, "unavailable")}
      </p>
      <Close {...props} />
    </>
  );
}

function Schedule({ screen: { schedule, order }, texts }: { screen: Screen; texts: Texts }) {
  if (!schedule || !order) return null;
  return (
    <p id="schedule" class="note">
      {scheduleText(texts.recurring.info, schedule, order, texts)}
    </p>
  );
}
