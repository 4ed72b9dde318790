// Questions to the admin API, and what went wrong with them in words.

import { bearer } from "./access";
import { search, type Query } from "./address";
import { zone } from "./text";

const root = "/admin/v1";

// The service's own limit is 29 s.
const answerWithin = 35_000;

/** Failure is an answer that is none. */
export interface Failure {
  status: number; // of the response; 0: there was none
  code: number;
  text: string; // what the service says
  faults: string[];
  requestID: string;
  seconds: number; // to wait before the next try; 0: not said
  signIn: string; // where to sign in first; "": that would not help
}

export type Answer<T> = { value: T; next: string; failure?: never } | { failure: Failure; value?: never };

/** lost reports whether nobody knows what became of a request. */
export const lost = ({ status }: Failure) => status === 0 || status >= 500 || status === 408;

// What takes days, which are the viewer's.
const ofDays = ["/overview", "/find", "/payments", "/totals", "/export", "/callbacks", "/audit"];

/** read gets a JSON answer, or text where that is asked for. */
export function read<T>(
  path: string,
  query: Query = {},
  signal?: AbortSignal,
  as: "json" | "text" = "json",
): Promise<Answer<T>> {
  return send<T>(path + search(ofDays.includes(path) ? { ...query, zone: zone() } : query), {}, signal, as);
}

/** act posts. The same key with the same body never acts twice. */
export function act<T>(path: string, key: string, body: object): Promise<Answer<T>> {
  const headers = { "Content-Type": "application/json", "Idempotency-Key": key };
  return send<T>(path, { method: "POST", body: JSON.stringify(body), headers });
}

async function send<T>(
  path: string,
  init: RequestInit,
  signal?: AbortSignal,
  as: "json" | "text" = "json",
): Promise<Answer<T>> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), answerWithin);
  signal?.addEventListener("abort", () => stop.abort());
  try {
    const response = await fetch(root + path, {
      ...init,
      headers: { ...init.headers, ...bearer() },
      cache: "no-store",
      credentials: "same-origin",
      redirect: "error",
      signal: stop.signal,
    });
    if (!response.ok) return { failure: await failureOf(response) };
    return { value: (await response[as]()) as T, next: response.headers.get("X-Next-Cursor") ?? "" };
  } catch {
    return { failure: { status: 0, code: 0, text: "", faults: [], requestID: "", seconds: 0, signIn: "" } };
  } finally {
    clearTimeout(timer);
  }
}

interface ErrorBody {
  error_code?: number;
  error_message?: string;
  message?: string; // of AWS, which has refused the request itself
  errors?: { error_code?: number; error_message?: string }[];
  request_id?: string;
}

async function failureOf(response: Response): Promise<Failure> {
  const body: ErrorBody = await response.json().catch(() => ({}));
  const errors = Array.isArray(body.errors) ? body.errors : [];
  return {
    status: response.status,
    code: body.error_code || errors[0]?.error_code || 0,
    text: body.error_message ?? (body.message ? `AWS says: ${body.message}.` : ""),
    faults: errors.map((fault) => fault.error_message ?? ""),
    requestID: response.headers.get("X-Request-Id") ?? body.request_id ?? "",
    seconds: Number(response.headers.get("Retry-After")) || 0,
    signIn: response.headers.get("X-Sign-In") ?? "",
  };
}

/** noAccess is said where a link or what it gave does not work any more. */
export const noAccess = `This page has no access, or none any more: it ends after 30 minutes in which nobody uses the \
page.
Each link opens the page in one browser, once, while the command that has printed it runs. \
When a link is opened a second time, or access has ended, the command prints a new one: look there, and open it. \
What you typed here is still here.
If you have not opened the link before, somebody else has: end the command at once.`;

/** sentence says in words what went wrong, and what helps. */
export function sentence({ status, faults, text, requestID, seconds, signIn }: Failure): string {
  const said = faults.join("\n") || text;
  switch (status) {
    case 0:
      return `There was no answer. Check the connection, and that the command which has opened this page still runs; \
what you typed is still here.`;
    case 401:
      return signIn
        ? "You are not signed in any more. Sign in in another tab, and try again here: what you typed is still here."
        : noAccess;
    case 403:
      if (faults.length === 0)
        return `${text || "You may not do this."} Your AWS credentials have expired, or they may not call this API.`;
      return `${said} An administrator can grant the role for it, under Operators.`;
    case 404:
      return `There is no such thing, or it belongs to a merchant that you may not see. \
Check the id, and whether it is of live or test.`;
    case 429:
      return `Too many requests. Try again in ${seconds || 5} s.`;
  }
  if (status < 500) return said || "The service has refused this.";
  return `${said || "The service failed."}\nTry again${requestID && "; quote the request id if it stays so"}.`;
}
