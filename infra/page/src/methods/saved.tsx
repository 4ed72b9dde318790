// Saved cards: the choice among them, their removal, and the box that has one more saved.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { brandOf, brandNames } from "../fields/card";
import { formID } from "../fields/fields";
import type { Values } from "../fields/values";
import type { Flow } from "../flow/flow";
import { fill, methodText, type Texts } from "../texts";
import type { ScreenSaved } from "../service/screen";
import { saveBox, type Choice } from "./choice";

interface SavedProps {
  choice: Choice;
  flow: Flow;
  texts: Texts;
  onSaved(id: string): void;
}

/** Saved stays where the last card was removed, to say so. */
export function Saved({ choice, flow, texts, onSaved }: SavedProps) {
  const cards = choice.method.saved ?? [];
  const [asked, ask] = useState(""); // the id of the card that is about to be removed
  const [removed, tell] = useState(false);
  const place = useRef(0); // of the card that was asked about last
  const next = useRef(""); // what of its row gets the focus when that is drawn
  const list = useRef<HTMLFieldSetElement>(null);
  const gone = asked !== "" && !cards.some(({ id }) => id === asked);
  useLayoutEffect(() => {
    const rows = list.current?.querySelectorAll(".choice");
    const to = gone ? "input" : next.current;
    next.current = "";
    if (to) (rows?.[place.current] ?? document.getElementById(formID))?.querySelector<HTMLElement>(to)?.focus();
    if (!gone) return;
    ask("");
    tell(true);
  }, [asked, gone]);
  const keep = () => {
    next.current = "button";
    ask("");
  };
  const radio = (id: string) => (
    <input
      type="radio"
      name="saved"
      value={id}
      checked={id === (choice.saved?.id ?? "")}
      onChange={() => onSaved(id)}
    />
  );
  return (
    <>
      {cards.length > 0 && (
        <fieldset id="saved" class="choices" ref={list}>
          <legend>{texts.saved_cards}</legend>
          {cards.map((card, i) => (
            <div key={card.id} class="choice">
              <label>
                {radio(card.id)}
                <SavedCard card={card} texts={texts} />
              </label>
              {card.removable && asked !== card.id && (
                <button
                  type="button"
                  class="quiet"
                  aria-label={texts.remove_card + ": " + wordsOf(card, texts)}
                  onClick={() => {
                    place.current = i;
                    next.current = ".remove .quiet"; // to keep it: a key that is held removes nothing
                    tell(false);
                    ask(card.id);
                  }}
                >
                  {texts.remove_card}
                </button>
              )}
              {asked === card.id && (
                <div
                  class="remove"
                  role="group"
                  aria-labelledby="remove_ask"
                  onKeyDown={({ key }) => key === "Escape" && keep()}
                >
                  <span id="remove_ask">{texts.remove_ask}</span>
                  <button
                    type="button"
                    class="secondary"
                    onClick={() => void flow.post("/remove-card", { saved: card.id })}
                  >
                    {texts.remove_card}
                  </button>
                  <button type="button" class="quiet" onClick={keep}>
                    {texts.keep_card}
                  </button>
                </div>
              )}
            </div>
          ))}
          <div class="choice">
            <label>
              {radio("")}
              {texts.another_card}
            </label>
          </div>
        </fieldset>
      )}
      <p role="status" class="unseen">
        {removed && texts.card_removed}
      </p>
    </>
  );
}

function wordsOf({ mask }: ScreenSaved, texts: Texts): string {
  return fill(texts.saved_card, { brand: nameOf(mask, texts), digits: mask.slice(-4) });
}

function nameOf(mask: string, texts: Texts): string {
  const brand = brandOf(mask.replace(/\D.*/, ""));
  return brand ? brandNames[brand] : methodText(texts, "card");
}

// The dots are for the eye alone.
function SavedCard({ card, texts }: { card: ScreenSaved; texts: Texts }) {
  return (
    <span class="saved">
      <bdi>
        {nameOf(card.mask, texts)}{" "}
        <bdi class="last" dir="ltr">
          <span aria-hidden="true">••••</span> {card.mask.slice(-4)}
        </bdi>
      </bdi>
      <span class="expiry">{fill(texts.saved_expiry, { expiry: card.expiry })}</span>
    </span>
  );
}

interface SaveBoxProps {
  choice: Choice;
  values: Values;
  merchant: string;
  texts: Texts;
  onValues(values: Values): void;
}

/** SaveBox asks whether a new card is to be saved, where the merchant allows it. */
export function SaveBox({ choice, values, merchant, texts, onValues }: SaveBoxProps) {
  if (!choice.method.save || choice.saved) return null;
  return (
    <div class="save">
      <label class="consent">
        <input
          id={saveBox}
          type="checkbox"
          aria-describedby="save_consent"
          checked={values[saveBox] === "true"}
          onChange={(event) => onValues({ ...values, [saveBox]: event.currentTarget.checked ? "true" : "" })}
        />
        <span>{texts.save_card}</span>
      </label>
      <p id="save_consent" class="hint">
        {fill(texts.save_consent, { merchant })}
      </p>
    </div>
  );
}
