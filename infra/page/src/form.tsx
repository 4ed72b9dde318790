// The form: what to pay with, its fields, pay, close.

import { hasAmount } from "./amount";
import { Methods, Saved } from "./chooser";
import { startsAtOnce, type Choice, type Picked } from "./choice";
import { orderNow } from "./due";
import { Fields, formID } from "./fields";
import type { Flow, State } from "./flow";
import { groupsOf } from "./group";
import { Icon } from "./icons";
import { filledIn } from "./inputs";
import { WithAmount } from "./order";
import { wordsOf } from "./operation";
import { scheduleText } from "./schedule";
import type { Screen, ScreenMethod } from "./screen";
import { loadSealing } from "./sealing";
import type { Texts } from "./texts";
import { methodText, textOf } from "./texts";
import { request, without, type Values } from "./values";

export interface FormProps {
  screen: Screen;
  state: State;
  flow: Flow;
  texts: Texts;
  choice: Choice;
  values: Values; // what the payer typed, by field id
  onPick(picked: Picked): void;
  onValues(values: Values): void;
}

/** Form keeps its place while a payment is decided: dimmed, and closed to changes. */
export function Form(props: FormProps) {
  const { screen, state, flow, texts, choice } = props;
  const all = screen.methods ?? [];
  const methods = all.filter((m) => !startsAtOnce(m));
  const busy = state.busy !== "no" || state.still;
  const pick = (picked: Picked) => {
    if (state.notice === "check_fields") flow.notice(null);
    props.onPick(picked);
    const codes = choice.fields.filter((f) => f.kind === "security_code").map((f) => f.id); // belong to one card only
    props.onValues(without({ ...props.values, ...filledIn() }, codes)); // last: drawing takes over what the inputs still show
  };
  const method = choice.method.id;
  const send = (values: Values, of = choice) => void flow.pay((attempt) => request(attempt, screen, of, values));
  const sealed = choice.fields.some((f) => f.sealed);
  const note = textOf(texts.notes, choice.method.note ?? "");
  const details = (
    <>
      {(choice.method.saved ?? []).length > 0 && (
        <Saved choice={choice} texts={texts} onSaved={(saved) => pick({ method, saved })} />
      )}
      <Fields key={method + " " + (choice.saved?.id ?? "")} {...props} fields={choice.fields} note={note} onSend={send} />
    </>
  );
  return (
    <>
      <div class={busy ? "ways dimmed" : "ways"} inert={busy} onFocusIn={() => sealed && loadSealing().catch(() => {})}>
        {methods.length < all.length && (
          <Wallets
            methods={all.filter(startsAtOnce)}
            texts={texts}
            or={methods.length > 0}
            onMethod={(of) => send({}, { method: of, saved: undefined, fields: of.fields })}
          />
        )}
        {methods.length > 1 ? (
          <Methods methods={methods} choice={choice} texts={texts} onMethod={(id) => pick({ method: id, saved: null })}>
            {details}
          </Methods>
        ) : (
          methods.length > 0 && (
            <>
              {!named(choice) && <Sole method={choice.method} texts={texts} />}
              {details}
            </>
          )
        )}
      </div>
      <Buttons {...props} busy={busy} alone={methods.length === 0} />
    </>
  );
}

// A heading of the card's own group says what there is to pay with already.
function named({ fields }: Choice): boolean {
  const groups = groupsOf(fields);
  return groups.length > 1 && groups.some(({ name }) => name === "card");
}

function Sole({ method, texts }: { method: ScreenMethod; texts: Texts }) {
  return (
    <h2 class="sole">
      <span class="icon-box">
        <Icon name={method.icon} />
      </span>
      {methodText(texts, method.label)}
    </h2>
  );
}

interface WalletsProps {
  methods: ScreenMethod[];
  texts: Texts;
  or: boolean; // there are other ways below
  onMethod(method: ScreenMethod): void;
}

function Wallets({ methods, texts, or, onMethod }: WalletsProps) {
  return (
    <>
      <div class="wallets">
        {methods.map((method) => (
          <button key={method.id} id={method.id} type="button" onClick={() => onMethod(method)}>
            {methodText(texts, method.label)}
          </button>
        ))}
      </div>
      {or && <p class="or">{texts.or}</p>}
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
        <button id="pay" type="submit" form={formID} class="primary pay" disabled={busy || state.retryIn > 0} aria-busy={busy}>
          {busy ? <span class="ring" aria-hidden="true" /> : <Icon name="lock" />}
          <span>
            {busy ? texts.sending : !known ? words.plain : <WithAmount text={words.button} order={known} texts={texts} />}
          </span>
        </button>
      )}
      {screen.actions?.includes("cancel") && (
        <button id="close" type="button" class="quiet" disabled={busy} onClick={() => void flow.cancel()}>
          {texts.close}
        </button>
      )}
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
