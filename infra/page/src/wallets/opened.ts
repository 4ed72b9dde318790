import type { Choice } from "../methods/choice";
import type { Values } from "../fields/values";
import type { ScreenOrder } from "../service/screen";

/** Opened is a wallet that was pressed, with what the payer has filled in. */
export interface Opened {
  choice: Choice;
  order: ScreenOrder;
  values: Values;
}
