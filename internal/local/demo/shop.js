// What the shop's pages do beyond plain forms and links: copy values, let the list of callbacks grow, find methods,
// show a request's hash while it is typed, and fit the frame of the checkout page.

const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
const news = document.getElementById("news");

/** say tells assistive technology something, also the same thing twice. */
function say(text) {
  news.textContent = "";
  requestAnimationFrame(() => (news.textContent = text));
}

const parse = (text) => new DOMParser().parseFromString(text, "text/html");

async function copy(button) {
  const from = button.dataset.copyFrom;
  const text = from ? document.getElementById(from).textContent : button.dataset.copy;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    say("This browser does not allow copying.");
    return;
  }
  button.classList.add("copied");
  setTimeout(() => button.classList.remove("copied"), 1500);
  say(from ? "Copied" : `Copied ${text}`);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy], [data-copy-from]");
  if (button) copy(button);
});
for (const button of all("[data-copy], [data-copy-from]")) button.hidden = false;

// Callbacks.

const every = 1000; // milliseconds between two requests

/** grow adds the callbacks that came since to a table, newest first, and returns whether there were any. */
async function grow(table) {
  const query = new URLSearchParams({ after: table.dataset.last, order: table.dataset.order });
  const response = await fetch(`/demo/callbacks/rows?${query}`);
  if (response.status !== 200) return false;
  const fresh = parse(await response.text()).querySelector("table");
  table.dataset.last = fresh.dataset.last;
  const rows = all("tbody", fresh).map((row) => document.importNode(row, true));
  for (const row of rows) row.classList.add("fresh");
  table.tHead.after(...rows);
  table.nextElementSibling.hidden = true;
  say(`New callback: ${rows.map((row) => row.querySelector("tr").innerText.replace(/\s+/g, " ")).join(", ")}`);
  return true;
}

/** look brings the order's state up to date, unless somebody is about to type there. */
async function look(state) {
  const response = await fetch(state.dataset.again ?? location.href);
  const fresh = parse(await response.text()).getElementById("state");
  if (!fresh || state.contains(document.activeElement)) return;
  const again = fresh.dataset.again;
  if (state.innerHTML !== fresh.innerHTML) {
    const status = (of) => of.querySelector("#status").dataset.status;
    if (status(state) !== status(fresh)) say(`The payment is now: ${status(fresh)}`);
    state.replaceChildren(...document.importNode(fresh, true).childNodes);
  }
  if (again) state.dataset.again = again;
  else delete state.dataset.again;
}

async function watch(table, state) {
  for (let turn = 0; ; turn++) {
    await new Promise((done) => setTimeout(done, every));
    if (document.hidden) continue;
    try {
      const grown = await grow(table);
      if (state && (grown || (state.dataset.again && turn % 2 === 1))) await look(state);
    } catch {
      // The service is being started again; the next turn finds it.
    }
  }
}

const table = document.querySelector("table.callbacks");
if (table) watch(table, document.getElementById("state"));

// Methods.

const find = document.getElementById("find");
if (find) {
  find.parentElement.hidden = false;
  const matches = (text) => find.value.toLowerCase().split(/\s+/).every((word) => text.toLowerCase().includes(word));
  find.addEventListener("input", () => {
    for (const way of all(".ways > li")) way.hidden = !matches(way.dataset.words);
    for (const group of all(".group")) group.hidden = !group.querySelector(".ways > li:not([hidden])");
    document.getElementById("found-none").hidden = all(".group:not([hidden])").length > 0;
  });
}

// The playground.

const play = document.getElementById("play");

/** send posts the request and takes over the parts of the response that have changed. */
async function send(action) {
  const body = new URLSearchParams(new FormData(play));
  body.set("action", action);
  const response = await fetch("/demo/playground", { method: "POST", body });
  const fresh = parse(await response.text());
  for (const part of all("[data-part]")) {
    const next = fresh.getElementById(part.id);
    const untouched = action === "show" && part.id === "responses"; // what was said of an earlier text stays
    if (next && !untouched) part.replaceChildren(...document.importNode(next, true).childNodes);
  }
}

if (play) {
  const buttons = all("button", play);
  play.addEventListener("submit", async (event) => {
    event.preventDefault();
    const action = event.submitter?.value ?? "explain";
    for (const button of buttons) button.setAttribute("aria-disabled", "true");
    try {
      await send(action);
      say(document.querySelector("#responses h3 + p")?.textContent ?? "");
    } catch {
      say("The service did not respond.");
    }
    for (const button of buttons) button.removeAttribute("aria-disabled");
  });
  let timer;
  play.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => send("show").catch(() => {}), 300);
  });
}

// The frame.

const frame = document.getElementById("checkout");
addEventListener("message", ({ source, data }) => {
  if (frame && source === frame.contentWindow && data?.type === "checkout:resize" && data.height > 0) {
    frame.style.blockSize = `${Math.ceil(data.height)}px`;
  }
});
