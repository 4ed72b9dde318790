// A new merchant: who it is and what sends its orders, then its keys, which are shown once.

import { useRef, useState } from "preact/hooks";
import { linkTo } from "../address";
import { act, type Failure as Failed } from "../api";
import { Attempt } from "../attempt";
import { ReasonField, valuesOf } from "../dialog";
import { Failure, Head } from "../parts";
import { Integrate } from "./integrate";

interface Made {
  merchant: string;
  live_key?: string;
  test_key?: string;
  password?: string;
  callback_secret?: string;
  repeated?: boolean; // somebody was shown them before
}

export function NewMerchant() {
  const form = useRef<HTMLFormElement>(null);
  const attempt = useRef<Attempt>(undefined);
  attempt.current ??= new Attempt(act, () => crypto.randomUUID());
  const [failure, setFailure] = useState<Failed | null>(null);
  const [busy, setBusy] = useState(false);
  const [made, setMade] = useState<Made | null>(null);
  const add = async (event: SubmitEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const { id, name, url, for: kind, reason } = valuesOf(form.current);
    const answer = await attempt.current!.send<Made>("/merchants", {
      id,
      for: kind,
      reason,
      ...(name && { name }),
      ...(url && { url }),
    });
    setBusy(false);
    setFailure(answer.failure ?? null);
    if (!answer.failure) setMade(answer.value);
  };
  if (made) return <Keys made={made} />;
  return (
    <>
      <Head title="New merchant">
        It gets keys, a password and a secret for its callbacks. What takes its payments comes next.
      </Head>
      <form ref={form} class="new" onSubmit={add}>
        <label>
          Id
          <input
            name="id"
            required
            maxLength={32}
            pattern="[a-z0-9_\-]{1,32}"
            autoComplete="off"
            spellcheck={false}
            aria-describedby="id-hint"
          />
        </label>
        <p class="soft hint" id="id-hint">
          1 to 32 of a to z, digits, - and _. It never changes.
        </p>
        <label>
          Name
          <input name="name" maxLength={255} autoComplete="off" aria-describedby="name-hint" />
        </label>
        <p class="soft hint" id="name-hint">
          Payers see it.
        </p>
        <label>
          Address for callbacks
          <input name="url" type="url" placeholder="https://shop.example/callback" autoComplete="off" />
        </label>
        <fieldset>
          <legend>What sends its orders?</legend>
          <label class="choice">
            <input type="radio" name="for" value="plugin" required /> A plugin, app or add-on that was installed in a
            shop system: its settings have fields for key and password
          </label>
          <label class="choice">
            <input type="radio" name="for" value="erp" /> A module of an ERP, accounting or billing system, in
            Python or Java, which sends invoices with a link to pay
          </label>
          <label class="choice">
            <input type="radio" name="for" value="own" /> A program that its developers write by the documentation
          </label>
        </fieldset>
        <ReasonField />
        {failure && <Failure failure={failure} />}
        <p class="buttons">
          <button class="primary" aria-disabled={busy}>
            Add the merchant
          </button>
          <a class="button" href={linkTo("merchants")}>
            Cancel
          </a>
        </p>
      </form>
    </>
  );
}

/** Keys are shown once: nobody can read password and callback secret later. */
function Keys({ made }: { made: Made }) {
  return (
    <>
      <Head title={made.merchant}>
        {made.repeated
          ? "It was added before. Its secrets were shown then, and are not shown again."
          : "Its keys. Password and callback secret are not shown again."}
      </Head>
      <Integrate id={made.merchant} keys={{ ...made }} />
      <p>Next, give it a MID. Until then every session is refused, also with the test key.</p>
      <p class="buttons">
        <a class="button primary" href={linkTo("merchants", { section: "Mappings and MIDs" }, made.merchant)}>
          Next: a MID
        </a>
        <a class="button" href={linkTo("merchants", { section: "Start" }, made.merchant)}>
          All steps
        </a>
      </p>
    </>
  );
}
