// How a number is written: what is told under its field, and whether what is typed can be one. A part of the script
// that comes once a form is begun.

import { fill, formOf, type Texts } from "../texts";
import type { ScreenField, ScreenWriting } from "../service/screen";
import { masked, plain } from "../fields/check";
import { exampleOf } from "./address";

/** fits tells whether a value has as many signs as the service takes; by is that of the field that decides about it. */
export function fits(field: ScreenField, text: string, by: string): boolean {
  const writing = writingOf(field, by);
  const count = countOf(writing, text);
  return !writing?.lengths || writing.lengths.some(([least, most]) => count >= least! && count <= most!);
}

/** isWhole tells whether a value has all of the digits that are asked for: what is wrong is one of them. */
export function isWhole(field: ScreenField, value: string, by: string): boolean {
  return writingOf(field, by)?.signs === "digits" && fits(field, plain(field, value), by);
}

function writingOf({ writing, writings = {} }: ScreenField, by: string): ScreenWriting | undefined {
  return writing ?? (Object.hasOwn(writings, by) ? writings[by] : undefined);
}

// What people write between digits and letters does not count.
function countOf(writing: ScreenWriting | undefined, text: string): number {
  return [...(writing?.signs === "signs" ? text.trim() : text.replace(/[\s./\u2010-\u2013-]/g, ""))].length;
}

interface WritingProps {
  field: ScreenField;
  by: string;
  value: string;
  country: string; // of the form, "" where it is not known
  fault: string | undefined;
  texts: Texts;
}

/** Writing stands under the field that it describes. */
export function Writing({ field, by, value, country, fault, texts }: WritingProps) {
  const text = writingText(field, by, fault ? value : "", texts, exampleOf(field, country));
  return text ? (
    <p class="writing" id={field.id + "-writing"}>
      {text}
    </p>
  ) : null;
}

/**
 * writingText also says how many signs a value has, where that is wrong; "" is no value. Of any text it is "". The
 * country's own example is better than the field's.
 */
export function writingText(field: ScreenField, by: string, value: string, texts: Texts, own = ""): string {
  const writing = writingOf(field, by);
  if (!writing) return "";
  const { lengths, example: plainExample = "" } = writing;
  const { such_as, example: only, have } = texts.writing;
  const example = own || (field.mask ? masked(field, plainExample) : plainExample);
  if (!lengths) return fill(only, { example });
  const length = lengthText(writing, texts);
  const text = example ? fill(such_as, { length, example }) : length;
  const typed = plain(field, value);
  return typed && !fits(field, typed, by) ? fill(have, { text, count: String(countOf(writing, typed)) }) : text;
}

// 7–8 or 11 digits: the greatest number decides about the plural.
function lengthText({ lengths = [], signs = "signs" }: ScreenWriting, texts: Texts): string {
  const spans = lengths.map(([least, most]) => (least === most ? String(least) : `${least}–${most}`));
  const last = spans.pop()!;
  const count = spans.length > 0 ? `${spans.join(", ")} ${texts.or} ${last}` : last;
  const most = lengths[lengths.length - 1]![1]!;
  return fill(formOf(texts.writing[signs as "signs"], most, texts.tag), { count });
}
