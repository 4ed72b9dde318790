// One question to the page's own API, and the few kinds of answer that make a difference here.

import type { Screen } from "./screen";

export type Answer =
  | { kind: "screen"; screen: Screen }
  | { kind: "faults"; faults: string[] } // 400: "path: text" each
  | { kind: "unknown" } // 404
  | { kind: "later"; seconds: number } // 429: ask again after so many, at least 1
  | { kind: "refused" } // any other clear no
  | { kind: "nothing"; answered?: boolean }; // nobody knows what became of the question; answered: by a broken service

/** Ask asks with GET, or with POST when there is a body. It never fails. */
export type Ask = (path: string, body?: object) => Promise<Answer>;

// The service's own limit is 29 s.
const answerWithin = 35_000;

export const ask: Ask = async (path, body) => {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), answerWithin);
  try {
    const response = await fetch(path, {
      ...(body ? { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } } : {}),
      cache: "no-store",
      credentials: "same-origin",
      redirect: "error",
      signal: stop.signal,
    });
    return await read(response);
  } catch {
    return { kind: "nothing" };
  } finally {
    clearTimeout(timer);
  }
};

async function read(response: Response): Promise<Answer> {
  switch (response.status) {
    case 200: {
      const screen: unknown = await response.json();
      return isScreen(screen) ? { kind: "screen", screen } : { kind: "nothing" };
    }
    case 400:
      return { kind: "faults", faults: faultsOf(await response.json()) };
    case 404:
      return { kind: "unknown" };
    case 429:
      return { kind: "later", seconds: secondsIn(response.headers.get("Retry-After")) };
    case 408:
    case 425:
      return { kind: "nothing" };
    default:
      return response.status >= 400 && response.status < 500
        ? { kind: "refused" }
        : { kind: "nothing", answered: true };
  }
}

// As long as the usual wait where the header names none.
function secondsIn(retryAfter: string | null): number {
  return /^\d{1,5}$/.test(retryAfter ?? "") ? Math.max(Number(retryAfter), 1) : 5;
}

function isScreen(value: unknown): value is Screen {
  return typeof value === "object" && value !== null && typeof (value as Screen).kind === "string";
}

function faultsOf(body: unknown): string[] {
  const errors = (body as { errors?: { error_message?: unknown }[] } | null)?.errors;
  return Array.isArray(errors) ? errors.map((e) => String(e?.error_message ?? "")) : [];
}
