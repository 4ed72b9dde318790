// Access: the token that each request carries, for which the page has given the code of the link that opened it. It is
// stored in the tab, which no page of another port can read, and tabs of this page give it to each other.

const name = "access";
const answerWithin = 300; // ms; what comes later is taken as well

let token = "";
let tabs: BroadcastChannel | undefined;

/** hasToken reports whether the page was opened by a link. Else it is the one that people sign in to. */
export const hasToken = () => token !== "";

/** bearer is the header by which the service knows this page. */
export const bearer = (): Record<string, string> => (token ? { Authorization: "Bearer " + token } : {});

/**
 * enter gets the token: by the link, from before a reload, or from another tab. Changed is called when there is another
 * one.
 */
export async function enter(changed: () => void): Promise<void> {
  token = sessionStorage.getItem(name) ?? "";
  tabs = new BroadcastChannel(name);
  let answered = () => {};
  tabs.onmessage = ({ data }: MessageEvent<string>) => {
    if (data === "") return void (token && tabs?.postMessage(token));
    if (data !== token) store(data, changed);
    answered();
  };
  // A link that is opened in this tab loads nothing anew.
  window.addEventListener("hashchange", () => void exchange(changed));
  await exchange(changed);
  if (token || location.protocol === "https:") return; // no link leads there: people sign in
  tabs.postMessage("");
  await new Promise<void>((resolve) => {
    answered = resolve;
    setTimeout(resolve, answerWithin);
  });
}

function store(value: string, changed: () => void): void {
  sessionStorage.setItem(name, (token = value));
  changed();
}

// exchange gives the code of a link for a token, and takes it out of the address.
async function exchange(changed: () => void): Promise<void> {
  const code = /^#enter=(\w+)$/.exec(location.hash)?.[1];
  if (!code) return;
  location.replace("#/");
  const headers = { "Content-Type": "application/json", ...bearer() };
  const response = await fetch("/enter", { method: "POST", headers, body: JSON.stringify({ code }) }).catch(() => null);
  if (!response?.ok) return; // the first request says what is wrong
  const given = (await response.json()) as { token: string };
  if (given.token === token) return;
  store(given.token, changed);
  tabs?.postMessage(token);
}
