// What stands in the form's inputs, whoever wrote it: some password managers fill them in without an event. A list that
// still has what it started with is nobody's choice: a wallet may know better.

import type { Values } from "./values";

export function filledIn(): Values {
  const values: Values = {};
  for (const input of document.querySelectorAll<HTMLInputElement | HTMLSelectElement>("form input[id], form select[id]")) {
    if (input.dataset.start === input.value) continue;
    const box = input instanceof HTMLInputElement && input.type === "checkbox";
    values[input.id] = box && !input.checked ? "" : input.value;
  }
  return values;
}
