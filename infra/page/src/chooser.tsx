// Choices among few: methods, saved cards.

import type { ComponentChildren } from "preact";
import { brandOf, brandNames } from "./card";
import type { Choice } from "./choice";
import type { ScreenMethod, ScreenSaved } from "./screen";
import { fill, methodText, type Texts } from "./texts";

interface MethodsProps {
  methods: ScreenMethod[];
  choice: Choice;
  texts: Texts;
  onMethod(id: string): void;
}

export function Methods({ methods, choice, texts, onMethod }: MethodsProps) {
  const options = methods.map(({ id, label }) => ({ id, label: methodText(texts, label) }));
  return <Radios name="method" legend={texts.method} options={options} chosen={choice.method.id} onChoose={onMethod} />;
}

interface SavedProps {
  choice: Choice;
  texts: Texts;
  onSaved(id: string): void;
}

export function Saved({ choice, texts, onSaved }: SavedProps) {
  const options = (choice.method.saved ?? []).map((card) => ({ id: card.id, label: <SavedCard card={card} texts={texts} /> }));
  options.push({ id: "", label: <>{texts.another_card}</> });
  return <Radios name="saved" legend={texts.saved_cards} options={options} chosen={choice.saved?.id ?? ""} onChoose={onSaved} />;
}

// The dots are for the eye; to be heard, they are words.
function SavedCard({ card, texts }: { card: ScreenSaved; texts: Texts }) {
  const brand = brandOf(card.mask.replace(/\D.*/, ""));
  const name = brand ? brandNames[brand] : methodText(texts, "card");
  const last = card.mask.slice(-4);
  return (
    <span class="saved">
      <bdi>
        <span aria-hidden="true">
          {name} <bdi class="last" dir="ltr">•••• {last}</bdi>
        </span>
        <span class="unseen">{fill(texts.saved_card, { brand: name, digits: last })}, </span>
      </bdi>
      <span class="expiry">{fill(texts.saved_expiry, { expiry: card.expiry })}</span>
    </span>
  );
}

interface RadiosProps {
  name: string;
  legend: string;
  options: { id: string; label: ComponentChildren }[];
  chosen: string;
  onChoose(id: string): void;
}

function Radios({ name, legend, options, chosen, onChoose }: RadiosProps) {
  return (
    <fieldset id={name} class="choices">
      <legend>{legend}</legend>
      {options.map(({ id, label }) => (
        <label key={id} class="choice">
          <input type="radio" name={name} value={id} checked={id === chosen} onChange={() => onChoose(id)} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
