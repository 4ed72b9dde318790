// The band of a session that was opened with the test key: it says so, and fills in the form for each outcome.

import { statesOf } from "../fields/countries";
import { outcomes, payer } from "../fields/testcards";
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

/**
 * testValues fill in all fields that a card's form can have. The state is one of the country that the shop has sent.
 */
export function testValues(fields: ScreenField[], expiry: string): Values {
  const values: Values = {};
  for (const { id, kind, autocomplete = "", value, country = "", options } of fields) {
    const state = statesOf(country)?.[0]?.[0];
    const own =
      { expiry, state, amount: value || "10", select: options?.[0]?.value }[kind] ?? payer[kind] ?? payer[autocomplete];
    if (own) values[id] = own;
  }
  return values;
}
