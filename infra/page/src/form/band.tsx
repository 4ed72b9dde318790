// The band of a session that was opened with the test key: it says so, and fills in a card for each outcome.

import { digitsOf } from "../fields/card";
import { number, outcomes } from "../fields/testcards";
import type { Values } from "../fields/values";
import { textOf, type Texts } from "../texts";
import type { ScreenField } from "../service/screen";

interface BandProps {
  fields: ScreenField[]; // of the form, [] where there is none
  texts: Texts;
  onFill(values: Values): void;
}

export function Band({ fields, texts, onFill }: BandProps) {
  const fits = fields.some((f) => f.kind === "card_number") && fields.some((f) => f.kind === "security_code");
  return (
    <aside class="band" aria-label={texts.test_mode}>
      <strong>{texts.test_mode}</strong> <span>{texts.no_money}</span>{" "}
      {fits && (
        <select
          id="test_card"
          aria-label={texts.test_fill}
          value=""
          onChange={(event) => {
            onFill(testValues(fields, event.currentTarget.value));
            event.currentTarget.value = "";
          }}
        >
          <option value="">{texts.test_fill}</option>
          {outcomes.map(([name, expiry]) => (
            <option key={name} value={expiry}>
              {textOf(texts.test_cards, name)}
            </option>
          ))}
        </select>
      )}
    </aside>
  );
}

/** testValues fill in the card of a form and leave its other fields alone. */
export function testValues(fields: ScreenField[], expiry: string): Values {
  const kinds: Values = { card_number: number, expiry, security_code: "123", card_name: "Test Payer" };
  const known = fields.filter((f) => kinds[f.kind] && digitsOf(expiry) && !f.id.startsWith("payee"));
  return Object.fromEntries(known.map((f) => [f.id, kinds[f.kind] ?? ""]));
}
