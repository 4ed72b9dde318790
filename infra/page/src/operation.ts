// The words of what the payer does here: pay, receive, send.

import type { Screen } from "./screen";
import type { Texts } from "./texts";

interface Words {
  amount: string; // before the amount
  button: string; // {amount}
  plain: string; // of a button without an amount
}

export function wordsOf(screen: Screen, texts: Texts): Words {
  switch (screen.operation) {
    case "credit":
      return { amount: texts.amount_receive, button: texts.receive, plain: texts.receive_plain };
    case "transfer":
      return { amount: texts.amount_send, button: texts.send, plain: texts.send_plain };
    default:
      return { amount: texts.amount, button: texts.pay, plain: texts.pay_plain };
  }
}
