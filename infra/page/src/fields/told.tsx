// What is said of a fault, which no form says before it is begun.

import { fill, locales } from "../texts";
import type { Fault } from "./check";
import { wordsOf, type FieldProps } from "./field";
import { mendOf } from "./mend";

/** FieldFault is the fault in full. It describes its field, and stands below the box where it is shown. */
export function FieldFault({ shown, ...props }: FieldProps & { fault: Fault; shown: boolean }) {
  const { field, fault, screen, texts } = props;
  const text = fill(wordsOf(props)[fault] ?? "", { example: exampleAmount(screen.order?.decimals ?? 0, texts.tag) });
  const mend = mendOf(props, texts, new Date());
  return (
    <p class={shown ? "fault" : "fault unseen"} id={field.id + "-fault"}>
      {mend && /[\p{L}\d]$/u.test(text) ? text + "." : text} {mend}
    </p>
  );
}

function exampleAmount(decimals: number, tag: string): string {
  return new Intl.NumberFormat(locales(tag), { minimumFractionDigits: decimals }).format(decimals > 0 ? 12.5 : 12);
}
