// The words of what the payer does here: pay, receive, send.

import { fill, type Texts } from "../texts";
import type { Screen } from "../service/screen";

interface Words {
  amount: string; // before the amount
  to: string; // behind it: who receives it, "" where that is not known
  button: string; // {amount}
  plain: string; // of a button without an amount
}

export function wordsOf({ operation, payee }: Screen, texts: Texts): Words {
  switch (operation) {
    case "credit":
      return { amount: texts.amount_receive, to: payee ?? "", button: texts.receive_plain, plain: texts.receive_plain };
    case "transfer": {
      const to = payee ? fill(texts.to_payee, { payee }) : "";
      return { amount: texts.amount_send, to, button: texts.send, plain: texts.send_plain };
    }
    default:
      return { amount: texts.amount, to: "", button: texts.pay, plain: texts.pay_plain };
  }
}
