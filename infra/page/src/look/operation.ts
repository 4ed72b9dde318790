// The words of what the payer does here: pay, receive, send.

import { fill, type Texts } from "../texts";
import type { Screen } from "../service/screen";

interface Words {
  amount: string; // before the amount
  to: string; // behind it: who receives it, "" where that is not known
  who: string; // between whom, in one line; "" where the payer pays
  button: string; // {amount}
  plain: string; // of a button without an amount
}

export function wordsOf({ operation, payee = "", merchant = "" }: Screen, texts: Texts): Words {
  switch (operation) {
    case "credit":
      return {
        amount: texts.amount_receive,
        to: payee,
        who: merchant && fill(texts.from_merchant, { merchant }),
        button: texts.receive,
        plain: texts.receive_plain,
      };
    case "transfer":
      return {
        amount: texts.amount_send,
        to: payee && fill(texts.to_payee, { payee }),
        who: payee && fill(texts.send_to, { payee }),
        button: texts.send,
        plain: texts.send_plain,
      };
    default:
      return { amount: texts.amount, to: "", who: "", button: texts.pay, plain: texts.pay_plain };
  }
}
