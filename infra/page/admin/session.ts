// The session of a person who has signed in: the browser sends its cookie, which no script can read.

import { hasToken } from "./access";

const between = 60_000; // ms; the service stores no more

/** Session is what the service says of one. */
export interface Session {
  who: string; // in grants
  email?: string;
  ends_at: string; // if the page is not used any more
}

const post = (path: string) =>
  fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: "{}",
    cache: "no-store",
    redirect: "error",
  });

/** refresh says that the page is used, and returns whose session it is, null if that can't be told. */
export async function refresh(): Promise<Session | null> {
  const response = await post("/admin/login/refresh").catch(() => null);
  return response?.ok ? ((await response.json()) as Session) : null;
}

let lastUse = Date.now();

/** isUsed reports whether somebody has done something on the page in the last minutes. */
export const isUsed = () => Date.now() - lastUse < 10 * between;

/**
 * watchUse refreshes the session while a person does something on the page. What the page requests by itself does not
 * count.
 */
export function watchUse(): void {
  let last = Date.now();
  const used = () => {
    lastUse = Date.now();
    if (hasToken() || Date.now() - last < between) return;
    last = Date.now();
    void refresh();
  };
  for (const event of ["pointerdown", "keydown"])
    document.addEventListener(event, used, { capture: true, passive: true });
}

/** signOut ends the session and leads to the page where one signs in. */
export async function signOut(): Promise<void> {
  await post("/admin/logout").catch(() => null);
  location.replace("/");
}

/** Command is one that waits on this machine for somebody to sign in. */
export interface Command {
  port: string;
  link: string; // that signs it in
}

/** commandIn is the command that an address names, null for none. */
export function commandIn(hash: string): Command | null {
  const query = new URLSearchParams(/^#command\?(.*)$/s.exec(hash)?.[1] ?? "");
  const port = query.get("port") ?? "";
  return /^\d+$/.test(port) ? { port, link: "/admin/login?" + query } : null;
}
