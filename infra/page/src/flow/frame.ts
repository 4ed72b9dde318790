// In which frames the page shows its forms: those of the origins that the merchant's settings name, if they name any.

import type { Ask } from "../service/api";
import { leadsAway } from "./window";

/**
 * framedBy are the origins of the pages around this one, from its parent on; none where it is not in a frame. Firefox
 * tells only who opened the page, which later is perhaps a bank: so the first that a session's page was opened by
 * counts.
 */
export function framedBy(page: Window, kept: Pick<Storage, "getItem" | "setItem">, session: string): string[] {
  if (page.top === page.self) return [];
  const all = page.location.ancestorOrigins as DOMStringList | undefined;
  if (all) return [...all];
  const key = "framed:" + session;
  const parent = kept.getItem(key) ?? /^https?:..[^/]+/.exec(page.document.referrer)?.[0] ?? "";
  kept.setItem(key, parent);
  return [parent];
}

/**
 * inFrame asks, and answers with a way out of the frame instead of a form that may not be shown there. An allowed
 * parent is told of once.
 */
export function inFrame(ask: Ask, around: string[], allowed: (parent: string) => void): Ask {
  return async (path, body) => {
    const answer = await ask(path, body);
    if (answer.kind !== "screen") return answer;
    const { screen } = answer;
    const { kind, origins, language, browser_language } = screen;
    if (!origins || around.every((origin) => origins.includes(origin))) {
      if (around[0]?.startsWith("http")) allowed(around[0]);
      allowed = () => {};
      return answer;
    }
    if (kind === "message" || (kind === "go" && !leadsAway(screen))) return answer;
    const go = { url: location.href, target: "_blank" };
    const own = browser_language && { browser_language };
    return { kind: "screen", screen: { kind: "message", language, ...own, message: { text: "framed" }, go } };
  };
}
