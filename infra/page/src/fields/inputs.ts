// What stands in the form's inputs, whoever wrote it: some password managers fill them in without an event. A list that
// still has what it started with is nobody's choice: a wallet may know better. An empty input tells nothing: what
// belongs there may not be drawn yet, and whoever empties one causes an event.

import type { Values } from "./values";

export function filledIn(): Values {
  const values: Values = {};
  for (const input of document.querySelectorAll<HTMLInputElement | HTMLSelectElement>(
    "form input[id], form select[id]",
  )) {
    if (!input.value || input.dataset.start === input.value) continue;
    const box = input instanceof HTMLInputElement && input.type === "checkbox";
    values[input.id] = box && !input.checked ? "" : input.value;
  }
  return values;
}
