// A list of refunds: what can be refunded of each payment, and the refunds one after the other, none of them twice.

import { lost, type Answer, type Failure } from "./api";
import { add } from "./text";
import type { Describe, Done, Row, View } from "./types";

export type Result = "refunded" | "undecided" | "waiting" | "refused";

/** Line is a payment of a list. */
export interface Line {
  id: string;
  order: string;
  currency: string;
  amount: string; // all that can be refunded, or what was
  why?: string; // it is left out
  result?: Result;
  text?: string; // what became of it
}

/** Batch is a list that was begun. It is stored, so that a page that is loaded again goes on with the same requests. */
export interface Batch {
  id: string; // the keys of all requests are made of it
  at: number; // when it began, in ms
  filter: string; // that has chosen its payments
  reason: string;
  lines: Line[];
}

/** mostRefunds is how many payments are refunded at once. */
export const mostRefunds = 500;

// The service forgets keys after 24 hours.
const keysCount = 23 * 3_600_000; // ms

export const isOld = ({ at }: Batch, now: number) => now - at > keysCount;

/** lineOf says what can be refunded of a payment, or why nothing is. A view is read of settled payments alone. */
export function lineOf(row: Row, { statuses }: Describe, view: View | null, asked: ReadonlySet<string>): Line {
  const { id, order, currency } = row;
  const out = (why: string): Line => ({ id, order, currency, amount: "", why });
  if (!view) return out(`${statuses[row.state]?.label ?? row.state}: only what is paid can be refunded.`);
  const can = view.possible.find(({ act }) => act === "refund");
  if (view.money?.returning) return out("Wait: an earlier refund or void has no outcome yet.");
  if (asked.has(id)) return out("A refund waits for the approval of another person.");
  if (!can?.allowed || !can.amount) return out(can?.why ?? "It can't be refunded now.");
  return { id, order, currency, amount: can.amount };
}

/** resultOf says what became of a refund in one word. */
export function resultOf({ decided, amount, approval, reference }: Done): Result {
  if (decided) return approval || !amount ? "refused" : "refunded"; // rejected, or declined by the provider
  return approval && !reference ? "waiting" : "undecided";
}

export interface Group {
  name: string;
  currency: string;
  payments: number;
  sum: string;
}

/** grouped adds up lines that have a name and a currency in common. */
export function grouped(lines: readonly Line[], nameOf: (line: Line) => string): Group[] {
  const groups = new Map<string, Group>();
  for (const line of lines) {
    const [name, currency] = [nameOf(line), line.currency];
    const key = JSON.stringify([name, currency]);
    const { payments, sum } = groups.get(key) ?? { payments: 0, sum: "0" };
    groups.set(key, { name, currency, payments: payments + 1, sum: add(sum, line.amount) });
  }
  return [...groups.values()];
}

interface Patience {
  stopped(): boolean;
  pause(seconds: number): Promise<unknown>;
}

interface Run extends Patience {
  act<T>(path: string, key: string, body: object): Promise<Answer<T>>;
  told(batch: Batch): void; // after each result
}

/** refundAll goes through the lines without a result. It ends at once where nobody knows what became of one. */
export async function refundAll(batch: Batch, run: Run): Promise<Failure | null> {
  const { id, reason } = batch;
  for (const [at, line] of batch.lines.entries()) {
    if (line.result) continue;
    if (run.stopped()) return null;
    const path = `/payments/${encodeURIComponent(line.id)}/refund`;
    const answer = await patiently(() => run.act<Done>(path, `${id}.${line.id}`, { reason }), run);
    const { failure } = answer;
    if (failure && !isRefused(failure)) return failure;
    const became: Pick<Line, "result" | "text" | "amount"> = failure
      ? { result: "refused", text: failure.faults.join(" "), amount: line.amount }
      : { result: resultOf(answer.value), text: answer.value.text, amount: answer.value.amount || line.amount };
    batch = { ...batch, lines: batch.lines.with(at, { ...line, ...became }) };
    run.told(batch);
  }
  return null;
}

// isRefused reports whether the service has refused one payment, so that others may go on.
const isRefused = (failure: Failure) =>
  !lost(failure) && failure.faults.length > 0 && ![401, 409, 429].includes(failure.status);

const tries = { busy: 8, open: 3 };

/**
 * patiently asks again, and waits before: where there are too many requests, and a few times where nobody knows what
 * became of one.
 */
export async function patiently<T>(ask: () => Promise<Answer<T>>, { pause, stopped }: Patience): Promise<Answer<T>> {
  for (let n = 1; ; n++) {
    const answer = await ask();
    const { failure } = answer;
    const most = !failure
      ? 0
      : failure.status === 429
        ? tries.busy
        : lost(failure) || failure.status === 409
          ? tries.open
          : 0;
    if (n >= most || stopped()) return answer;
    await pause(failure?.seconds || 2 ** n);
  }
}
