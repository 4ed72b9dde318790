import assert from "node:assert/strict";
import test from "node:test";
import type { Answer } from "../service/api";
import type { PayRequest, Screen, ScreenGo } from "../service/screen";
import { Flow } from "./flow";

const screen = (kind: string, more: Partial<Screen> = {}): Answer => ({
  kind: "screen",
  screen: { kind, language: "en", ...more },
});
const form = screen("form");
const declined = screen("form", { message: { text: "declined", reason: { code: "declined" } } });
const nothing: Answer = { kind: "nothing" };

// A service that answers from a list, a clock that is turned by hand.
function setUp(
  answers: (Answer | Promise<Answer>)[],
  storage = new Map<string, string>(),
  ways: boolean[] = [],
  framed = false,
) {
  const asked: { path: string; body: object | undefined }[] = [];
  const waiting: { ms: number; run: () => void }[] = [];
  const left: ScreenGo[] = [];
  const windows: string[] = [];
  const world = { blocks: false, now: 1000 };
  let ids = 0;
  const flow = new Flow(
    "s1",
    {
      ask: async (path, body) => {
        asked.push({ path, body });
        const answer = answers.shift();
        assert.ok(answer, "one question too many: " + path);
        return answer;
      },
      now: () => world.now,
      newID: () => "id" + ++ids,
      later(ms, run) {
        const one = { ms, run };
        waiting.push(one);
        return () => void (waiting.includes(one) && waiting.splice(waiting.indexOf(one), 1));
      },
      leave: (go, comesBack) => go.url !== "javascript:1" && ways.push(comesBack) > 0 && left.push(go) > 0,
      framed,
      page: "/?session=s1",
      open: () => !world.blocks && windows.push("opened") > 0,
      close: () => void windows.push("closed"),
      storage: {
        getItem: (key) => storage.get(key) ?? null,
        setItem: (key, value) => void storage.set(key, value),
        removeItem: (key) => void storage.delete(key),
      },
    },
  );
  const build = async (attempt: string): Promise<PayRequest> => ({ attempt, method: "card", fields: {} });
  const tick = async () => {
    const one = waiting.shift();
    assert.ok(one, "nothing waits");
    one.run();
    await new Promise((done) => setImmediate(done));
    return one.ms;
  };
  const attempts = () => asked.filter((a) => a.path.endsWith("/pay")).map((a) => (a.body as PayRequest).attempt);
  return { flow, asked, waiting, left, storage, windows, world, build, tick, attempts };
}

test("a double click is one request", async () => {
  let answer: (a: Answer) => void = () => {};
  const slow = new Promise<Answer>((done) => (answer = done));
  const t = setUp([form, slow]);
  await t.flow.refresh();
  const first = t.flow.pay(t.build);
  const second = t.flow.pay(t.build);
  await t.flow.cancel();
  await t.flow.refresh();
  await second;
  assert.equal(t.flow.state.busy, "sending");
  answer(screen("wait", { poll_ms: 3000 }));
  await first;
  assert.deepEqual(t.attempts(), ["id1"]);
  assert.equal(t.storage.size, 0);
  assert.equal(t.waiting[0]?.ms, 150);
});

test("after Pay the page asks quickly, then slowly, and the form keeps its place at first", async () => {
  const wait = screen("wait", { poll_ms: 1000 });
  const t = setUp([form, ...Array(12).fill(wait)]);
  await t.flow.refresh();
  await t.flow.pay(t.build);
  const still: boolean[] = [];
  const waits: number[] = [];
  for (let i = 0; i < 10; i++) {
    still.push(t.flow.state.still);
    waits.push(await t.tick());
  }
  assert.deepEqual(waits, [150, 250, 500, 1000, 1000, 1000, 1000, 1000, 3000, 3000]);
  assert.deepEqual(still, [true, true, true, true, true, false, false, false, false, false]);

  const slow = setUp([form, ...Array(10).fill(screen("wait", { poll_ms: 5000 }))]);
  await slow.flow.refresh();
  await slow.flow.pay(slow.build);
  for (let i = 0; i < 8; i++) await slow.tick();
  assert.equal(await slow.tick(), 5000);

  const opened = setUp([wait, wait]);
  await opened.flow.refresh();
  assert.deepEqual([opened.flow.state.still, await opened.tick()], [false, 1000]);
});

test("once the page has shown what to do elsewhere, it does not show the form again while it waits", async () => {
  const instructed = screen("wait", { poll_ms: 2000, show: [{ id: "crypto_address", type: "copy", value: "x" }] });
  const t = setUp([form, screen("wait", { poll_ms: 1000 }), instructed, screen("wait", { poll_ms: 1000 })]);
  await t.flow.refresh();
  await t.flow.pay(t.build);
  assert.equal(t.flow.state.still, true);
  await t.tick();
  await t.tick();
  assert.deepEqual([t.flow.state.screen?.show, t.flow.state.still], [undefined, false]);
});

test("what the payer pays elsewhere is shown at once, and asked for as the service says", async () => {
  const t = setUp([
    form,
    screen("wait", { poll_ms: 2000, show: [{ id: "crypto_address", type: "copy", value: "x" }] }),
  ]);
  await t.flow.refresh();
  await t.flow.pay(t.build);
  assert.deepEqual([t.flow.state.still, t.flow.state.cleared, t.waiting[0]?.ms], [false, 1, 2000]);
});

test("who has paid here is told so before the page leaves, who comes back later leaves at once", async () => {
  const paid = screen("go", { message: { text: "paid" }, go: { url: "/success", target: "_self" } });
  const t = setUp([form, screen("wait"), paid]);
  await t.flow.refresh();
  await t.flow.pay(t.build);
  await t.tick();
  assert.deepEqual([t.flow.state.paid, t.left.length, t.flow.state.cleared], [true, 0, 1]);
  assert.equal(await t.tick(), 350);
  assert.equal(t.left.length, 1);

  const later = setUp([paid]);
  await later.flow.refresh();
  assert.deepEqual([later.flow.state.paid, later.left.length], [false, 1]);
});

test("a decline keeps the card for five minutes, but not its code", async () => {
  const t = setUp([form, screen("wait"), declined]);
  await t.flow.refresh();
  await t.flow.pay(t.build);
  await t.tick();
  const { cleared, declined: codes } = t.flow.state;
  assert.deepEqual([cleared, codes], [0, 1]);
  assert.equal(await t.tick(), 300_000);
  assert.equal(t.flow.state.cleared, 1);
});

test("after a lost answer nothing is paid before the state is known, and the repeat is the same request", async () => {
  const t = setUp([form, nothing, nothing, nothing, form, screen("wait")]);
  await t.flow.refresh();
  await t.flow.pay(t.build);
  assert.deepEqual([t.flow.state.busy, t.flow.state.notice], ["lost", "connection_lost"]);
  await t.flow.pay(t.build);
  assert.deepEqual(t.attempts(), ["id1"]);
  assert.deepEqual([await t.tick(), await t.tick()], [1000, 2000]);
  assert.equal(t.flow.state.busy, "lost");
  await t.tick();
  assert.deepEqual([t.flow.state.busy, t.flow.state.notice], ["no", "connection_back"]);
  await t.flow.pay(t.build);
  assert.deepEqual(t.attempts(), ["id1", "id1"]);
  assert.equal(t.storage.size, 0);
});

test("after a lost line the same request goes on by itself, once the service says it has none", async () => {
  const t = setUp([form, nothing, nothing, form, nothing, form, screen("wait")]);
  await t.flow.refresh();
  await t.flow.pay(t.build, true);
  assert.equal(t.flow.state.busy, "lost");
  assert.deepEqual([await t.tick(), await t.tick()], [1000, 2000]);
  assert.deepEqual([t.attempts(), t.flow.state.busy], [["id1", "id1"], "lost"]);
  assert.equal(await t.tick(), 4000, "it asks more and more slowly");
  assert.deepEqual([t.attempts(), t.flow.state.busy, t.flow.state.notice], [["id1", "id1", "id1"], "no", null]);
  assert.deepEqual([t.flow.state.screen?.kind, t.storage.size], ["wait", 0]);
});

test("what was lost goes on only as what it was", async () => {
  const other = screen("form", { attempt: "another", message: { text: "declined", reason: { code: "declined" } } });
  const broken: Answer = { kind: "nothing", answered: true };
  type Setup = ReturnType<typeof setUp>;
  const rows: [what: string, answers: Answer[], repeats: boolean, meanwhile: (t: Setup) => void][] = [
    ["another attempt was made since", [other], true, () => {}],
    ["it was taken", [screen("form", { attempt: "id1", message: { text: "declined" } })], true, () => {}],
    ["it is being paid", [screen("wait")], true, () => {}],
    ["it has expired", [screen("message", { message: { text: "expired" } })], true, () => {}],
    ["a wallet's sheet is closed by then", [form], false, () => {}],
    ["after five minutes", [form], true, (t) => (t.world.now += 300_000)],
    ["the page was left", [form], true, (t) => t.flow.clear()],
    ["the service is broken", [broken, form], true, () => {}],
  ];
  for (const [what, answers, repeats, meanwhile] of rows) {
    const t = setUp([form, nothing, ...answers]);
    await t.flow.refresh();
    await t.flow.pay(t.build, repeats);
    meanwhile(t);
    for (let i = 0; i < answers.length; i++) await t.tick();
    assert.deepEqual([t.attempts(), t.flow.state.busy], [["id1"], "no"], what);
  }
});

test("a lost cancel, or more time, is not taken for the payment that was lost before", async () => {
  const t = setUp([form, nothing, screen("wait"), form, nothing, form]);
  await t.flow.refresh();
  await t.flow.pay(t.build, true);
  await t.tick();
  await t.tick();
  await t.flow.post("/more-time");
  await t.tick();
  assert.deepEqual([t.attempts(), t.flow.state.busy, t.flow.state.notice], [["id1"], "no", "connection_back"]);
});

test("what was typed goes when it is paid", async () => {
  for (const [text, left] of [["paid", 0], ["cancelled", 1], ["declined", 1]] as const) {
    const t = setUp([screen("message", { message: { text } })], new Map([["typed", "{}"]]));
    await t.flow.refresh();
    assert.equal(t.storage.size, left, text);
  }
});

test("after a reload the repeat is still the same request", async () => {
  const before = setUp([form, nothing]);
  await before.flow.refresh();
  await before.flow.pay(before.build);
  const t = setUp([form, screen("wait")], before.storage);
  await t.flow.refresh();
  await t.flow.pay(t.build);
  assert.deepEqual(t.attempts(), ["id1"]);
});

test("a decline that came while the connection was lost ends its attempt, also after an earlier decline", async () => {
  const took = (attempt: string) =>
    screen("form", { attempt, message: { text: "declined", reason: { code: "declined" } } });
  const t = setUp([took("id0"), nothing, took("id1"), took("id2")]);
  await t.flow.refresh();
  await t.flow.pay(t.build);
  await t.tick();
  assert.deepEqual([t.flow.state.busy, t.flow.state.notice, t.flow.state.declined], ["no", null, 1]);
  await t.flow.pay(t.build);
  assert.deepEqual(t.attempts(), ["id1", "id2"]);
  assert.equal(t.flow.state.declined, 2);
});

test("looking again does not clear what the payer types after a decline", async () => {
  const t = setUp([form, declined, declined, form]);
  await t.flow.refresh();
  await t.flow.pay(t.build);
  assert.equal(t.flow.state.declined, 1);
  await t.flow.refresh();
  await t.flow.refresh();
  assert.deepEqual([t.flow.state.declined, t.flow.state.cleared], [1, 0]);
});

test("a refused field is shown and ends its attempt", async () => {
  const t = setUp([form, { kind: "faults", faults: ["payer_email: This value is not valid."] }, form]);
  await t.flow.refresh();
  await t.flow.pay(t.build);
  assert.deepEqual(t.flow.state.faults, ["payer_email: This value is not valid."]);
  await t.flow.pay(t.build);
  assert.deepEqual(t.attempts(), ["id1", "id2"]);
});

test("after too many requests paying waits as long as told, and looking again does not shorten that", async () => {
  const later: Answer = { kind: "later", seconds: 20 };
  const t = setUp([form, later, form, screen("wait")]);
  await t.flow.refresh();
  await t.flow.pay(t.build);
  const { busy, notice, retryIn, cleared } = t.flow.state;
  assert.deepEqual([busy, notice, retryIn, cleared], ["no", "too_many", 20, 0]);
  await t.flow.pay(t.build);
  await t.flow.refresh();
  await t.flow.pay(t.build);
  assert.deepEqual([t.attempts(), t.flow.state.notice, t.flow.state.retryIn], [["id1"], "too_many", 20]);
  assert.equal(await t.tick(), 20_000);
  assert.deepEqual([t.flow.state.notice, t.flow.state.retryIn], ["try_now", 0]);
  await t.flow.pay(t.build);
  assert.deepEqual(t.attempts(), ["id1", "id1"]);
  assert.equal(t.flow.state.notice, null);
});

test("the end of that wait leaves a newer message alone, and so does a refused cancel", async () => {
  const t = setUp([form, { kind: "later", seconds: 3 }, { kind: "later", seconds: 7 }]);
  await t.flow.refresh();
  await t.flow.pay(t.build);
  await t.flow.cancel();
  assert.deepEqual([t.flow.state.retryIn, t.waiting.length], [7, 1]);
  t.flow.notice("check_fields");
  await t.tick();
  assert.deepEqual([t.flow.state.retryIn, t.flow.state.notice], [0, "check_fields"]);
});

test("asked to wait while only looking, the page looks again later and says nothing", async () => {
  const t = setUp([screen("wait"), { kind: "later", seconds: 4 }, { kind: "later", seconds: 9 }, form]);
  await t.flow.refresh();
  await t.tick();
  assert.deepEqual([t.flow.state.screen?.kind, t.flow.state.notice, t.flow.state.busy], ["wait", null, "no"]);
  assert.deepEqual([await t.tick(), await t.tick()], [4000, 9000]);
  assert.equal(t.flow.state.screen?.kind, "form");
});

test("an old answer never covers a newer one", async () => {
  let answer: (a: Answer) => void = () => {};
  const slow = new Promise<Answer>((done) => (answer = done));
  const t = setUp([form, slow, screen("message", { message: { text: "paid" } })]);
  await t.flow.refresh();
  const old = t.flow.refresh();
  await t.flow.pay(t.build);
  answer(form);
  await old;
  assert.equal(t.flow.state.screen?.kind, "message");
});

test("a failure to seal sends nothing", async () => {
  const t = setUp([form]);
  await t.flow.refresh();
  await t.flow.pay(() => Promise.reject(new Error()));
  assert.deepEqual([t.flow.state.busy, t.flow.state.notice], ["no", "not_sent"]);
});

test("a second form is sent once, and what is wrong about it keeps it", async () => {
  const code = screen("wait", { step: "1", fields: [{ id: "otp", kind: "code" }] });
  const again = screen("wait", { step: "2", message: { text: "code_wrong" }, fields: [{ id: "otp", kind: "code" }] });
  const t = setUp([code, again, { kind: "faults", faults: ["otp: x"] }, screen("wait")]);
  await t.flow.refresh();
  const sent = [
    t.flow.post("/second-form", { step: "1", fields: { otp: "000000" } }, 0),
    t.flow.post("/second-form", { step: "1", fields: { otp: "1" } }, 0),
  ];
  await Promise.all(sent);
  assert.deepEqual(t.asked.slice(1), [
    { path: "/page/v1/s1/second-form", body: { step: "1", fields: { otp: "000000" } } },
  ]);
  assert.equal(t.flow.state.screen?.step, "2");
  await t.flow.post("/second-form", { step: "2", fields: {} }, 0);
  assert.deepEqual([t.flow.state.busy, t.flow.state.faults, t.flow.state.screen?.step], ["no", ["otp: x"], "2"]);
  await t.flow.post("/second-form", { step: "2", fields: { otp: "123456" } }, 0);
  assert.equal(t.flow.state.screen?.fields, undefined);
});

test("while a payment is being ended the form that was sent does not stand there", async () => {
  const shown = screen("wait", { show: [{ id: "qr_code", type: "qr", value: "x" }], actions: ["another"] });
  const t = setUp([form, shown, screen("wait", { message: { text: "ending_payment" } }), form]);
  await t.flow.refresh();
  await t.flow.pay(t.build);
  await t.flow.post("/another");
  assert.equal(t.flow.state.still, false);
  await t.tick();
  assert.deepEqual([t.flow.state.screen?.kind, t.flow.state.busy], ["form", "no"]);
});

test("another way is asked for, and waited for until nothing can be charged", async () => {
  const t = setUp([
    screen("wait", { actions: ["another"] }),
    screen("wait", { message: { text: "ending_payment" } }),
    form,
  ]);
  await t.flow.refresh();
  await t.flow.post("/another");
  assert.equal(t.asked[1]?.path, "/page/v1/s1/another");
  assert.equal(t.flow.state.screen?.message?.text, "ending_payment");
  await t.tick();
  assert.equal(t.flow.state.screen?.kind, "form");
});

test("a removed card is asked for once, and no decline is told again", async () => {
  const t = setUp([declined, declined]);
  await t.flow.refresh();
  const { declined: told } = t.flow.state;
  const remove = () => t.flow.post("/remove-card", { saved: "2" });
  await Promise.all([remove(), remove(), t.flow.pay(t.build)]);
  assert.deepEqual(t.asked[1], { path: "/page/v1/s1/remove-card", body: { saved: "2" } });
  assert.deepEqual([t.asked.length, t.flow.state.busy, t.flow.state.declined], [2, "no", told]);
});

test("a broken service is no lost connection", async () => {
  const t = setUp([form, { kind: "nothing", answered: true }, nothing]);
  await t.flow.refresh();
  await t.flow.pay(t.build);
  assert.deepEqual([t.flow.state.busy, t.flow.state.notice], ["lost", "service_problem"]);
  await t.tick();
  assert.deepEqual([t.flow.state.busy, t.flow.state.notice], ["lost", "connection_lost"]);
});

test("Back leads here from a provider's page, and not from the shop", async () => {
  const ways: boolean[] = [];
  for (const text of ["continue_elsewhere", "paid"]) {
    const t = setUp(
      [form, screen("go", { go: { url: "https://bank.example/", target: "_self" }, message: { text } })],
      undefined,
      ways,
    );
    await t.flow.refresh();
    await t.flow.pay(t.build);
    if (text === "paid") await t.tick();
  }
  assert.deepEqual(ways, [true, false]);
});

test("ends and departures", async () => {
  const unknown = setUp([{ kind: "unknown" }]);
  await unknown.flow.refresh();
  assert.equal(unknown.flow.state.screen?.message?.text, "unknown_session");

  const go = setUp([form, screen("go", { go: { url: "myapp://done", target: "_top" } })]);
  await go.flow.refresh();
  await go.flow.cancel();
  assert.deepEqual(go.left, [{ url: "myapp://done", target: "_top" }]);
  assert.equal(go.asked[1]?.path, "/page/v1/s1/cancel");

  const bad = setUp([screen("go", { go: { url: "javascript:1", target: "_self" } })]);
  await bad.flow.refresh();
  assert.equal(bad.flow.state.notice, "technical_problem");
});

const there = { go: { url: "/sandbox/1", target: "_self" }, message: { text: "continue_elsewhere" } };
const elsewhere = screen("go", there);

test("to a provider's step at once after the own request to pay, and after waiting", async () => {
  const paid = setUp([form, elsewhere]);
  await paid.flow.refresh();
  await paid.flow.pay(paid.build);
  assert.deepEqual([paid.left, paid.flow.state.staying], [[there.go], false]);

  const waited = setUp([screen("wait"), elsewhere]);
  await waited.flow.refresh();
  await waited.tick();
  assert.deepEqual(waited.left, [there.go]);

  const lost = setUp([form, nothing, screen("go", { ...there, attempt: "id1" })]);
  await lost.flow.refresh();
  await lost.flow.pay(lost.build);
  await lost.tick();
  assert.deepEqual(lost.left, [there.go]);
});

test("who stays here, as an app did not open, is asked to open it again", async () => {
  const t = setUp([form, elsewhere, elsewhere]);
  await t.flow.refresh();
  await t.flow.pay(t.build);
  assert.equal(await t.tick(), 10_000);
  assert.deepEqual([t.left.length, t.flow.state.staying], [1, true]);
});

const toShop = screen("go", { message: { text: "paid" }, go: { url: "https://shop.example/", target: "_self" } });

test("from a frame the payer goes on in one window, and the frame to the shop", async () => {
  const t = setUp([form, elsewhere, elsewhere, screen("wait"), elsewhere, toShop], undefined, [], true);
  await t.flow.refresh();
  await t.flow.pay(t.build);
  const seen = () => [t.left.length, t.windows.length, t.flow.state.staying, t.flow.state.opened];
  assert.deepEqual(seen(), [0, 1, true, "open"]);
  assert.equal(await t.tick(), 3000);
  assert.deepEqual(seen(), [0, 1, true, "open"]);
  await t.tick();
  assert.deepEqual(seen(), [0, 1, false, "open"]);
  await t.tick();
  assert.deepEqual(seen(), [0, 1, true, "open"], "the next step is in the same window");
  await t.tick();
  assert.deepEqual([t.flow.state.paid, t.left.length], [true, 0]);
  await t.tick();
  assert.deepEqual(t.left, [{ url: "https://shop.example/", target: "_self" }]);
});

test("each payment from a frame opens a window of its own", async () => {
  const t = setUp([form, elsewhere, declined, elsewhere], undefined, [], true);
  await t.flow.refresh();
  await t.flow.pay(t.build);
  await t.tick();
  await t.flow.pay(t.build);
  assert.deepEqual(t.windows, ["opened", "opened"]);
});

test("a window that the browser blocks is opened by the payer, and a reload opens none", async () => {
  const t = setUp([form, elsewhere], undefined, [], true);
  t.world.blocks = true;
  await t.flow.refresh();
  await t.flow.pay(t.build);
  assert.deepEqual([t.left, t.flow.state.opened], [[], "blocked"]);
  t.world.blocks = false;
  assert.ok(t.flow.open());
  assert.deepEqual([t.windows, t.flow.state.opened], [["opened"], "open"]);

  const again = setUp([elsewhere, declined], undefined, [], true);
  await again.flow.refresh();
  assert.deepEqual([again.left, again.windows, again.flow.state.staying], [[], [], true]);
  await again.tick();
  assert.deepEqual([again.flow.state.screen?.kind, again.flow.state.opened], ["form", ""]);
});

test("the window goes on to the provider once, and never by itself to the shop", async () => {
  const first = setUp([elsewhere, elsewhere]);
  first.flow.goOn();
  await first.flow.refresh();
  assert.deepEqual(first.left, [there.go]);
  await first.tick();
  assert.deepEqual([first.left.length, first.flow.state.staying], [1, true]);

  const frame = setUp([form], first.storage, [], true);
  await frame.flow.refresh();
  assert.equal(
    frame.flow.state.screen?.kind,
    "form",
    "the note is of the window, also where a frame has the same storage",
  );

  const back = setUp([elsewhere, screen("wait"), toShop], first.storage);
  await back.flow.refresh();
  assert.deepEqual([back.left, back.flow.state.staying], [[], true], "who comes back by history is asked");
  await back.tick();
  await back.tick();
  const { screen: last, paid } = back.flow.state;
  assert.deepEqual(
    [last?.kind, last?.message, last?.go?.url, paid],
    ["message", { text: "window_done" }, "https://shop.example/", false],
  );
  assert.deepEqual([back.left, back.windows, back.waiting.length], [[], ["closed"], 0]);

  const reloaded = setUp([toShop], first.storage);
  await reloaded.flow.refresh();
  assert.deepEqual([reloaded.left, reloaded.flow.state.screen?.kind], [[], "message"]);

  const ended = setUp([screen("message", { message: { text: "paid" } })], first.storage);
  await ended.flow.refresh();
  assert.deepEqual([ended.flow.state.screen?.message?.text, ended.windows], ["paid", ["closed"]]);

  const refused = setUp([declined], first.storage);
  await refused.flow.refresh();
  assert.deepEqual(
    [refused.flow.state.screen?.message?.text, refused.flow.state.screen?.go?.url],
    ["window_done", "/?session=s1"],
  );
  const alone = setUp([declined], refused.storage);
  await alone.flow.refresh();
  assert.equal(alone.flow.state.screen?.kind, "form", "whose frame is gone may pay in the window");
});

test("who has said to have paid is asked before leaving, until the payment has an end", async () => {
  const shown = screen("wait", {
    show: [{ id: "crypto_address", type: "copy", value: "x" }],
    actions: ["paid", "cancel"],
  });
  const t = setUp([shown, shown, shown, form]);
  await t.flow.refresh();
  assert.equal(t.flow.state.told, false);
  await t.flow.havePaid();
  await t.tick();
  assert.equal(t.flow.state.told, true);
  await t.tick();
  assert.equal(t.flow.state.told, false);
});

test("whoever did not just pay here is asked before a provider's step, and moves on when it is decided", async () => {
  const back = { url: "https://shop.example/", target: "_self" };
  const t = setUp([elsewhere, elsewhere, nothing, elsewhere, screen("go", { go: back })]);
  await t.flow.refresh();
  assert.deepEqual([t.left, t.flow.state.staying], [[], true]);
  assert.equal(await t.tick(), 3000);
  assert.equal(await t.tick(), 3000);
  assert.equal(t.flow.state.notice, "connection_lost");
  await t.tick();
  assert.deepEqual([t.left, t.flow.state.notice, t.flow.state.staying], [[], null, true]);
  await t.tick();
  assert.deepEqual([t.left, t.flow.state.staying, t.waiting.length], [[back], false, 0]);

  const cancelled = setUp([form, elsewhere]);
  await cancelled.flow.refresh();
  await cancelled.flow.cancel();
  assert.deepEqual([cancelled.left, cancelled.flow.state.staying], [[], true]);
});

test("after a lost cancel that did not happen the payer is told", async () => {
  const t = setUp([form, nothing, form, nothing, screen("message", { message: { text: "cancelled" } })]);
  await t.flow.refresh();
  await t.flow.cancel();
  assert.equal(t.flow.state.notice, "connection_lost");
  await t.tick();
  assert.equal(t.flow.state.notice, "connection_back");
  await t.flow.cancel();
  await t.tick();
  assert.equal(t.flow.state.notice, null);
});

test("a message of money that did not count is no departure, and offers the way to the shop", async () => {
  const go = { url: "https://shop.example/late", target: "_self" };
  const t = setUp([
    screen("wait", { poll_ms: 1000 }),
    screen("message", { message: { text: "paid_too_late", reason: { code: "paid_too_late" } }, go }),
  ]);
  await t.flow.refresh();
  await t.tick();
  assert.deepEqual([t.flow.state.screen?.go, t.left, t.waiting.length], [go, [], 0]);
});

test("a form after too little was paid is drawn as after a decline", async () => {
  const t = setUp([
    screen("wait", { poll_ms: 1000 }),
    screen("form", { message: { text: "paid_too_little", reason: { code: "paid_too_little" } } }),
  ]);
  await t.flow.refresh();
  await t.tick();
  assert.deepEqual([t.flow.state.declined, t.flow.state.notice], [1, null]);
});

test("while a payment is decided the page says nothing of its own", async () => {
  const t = setUp([form, screen("wait")]);
  await t.flow.refresh();
  await t.flow.pay(t.build);
  t.flow.notice("not_sent");
  assert.deepEqual([t.flow.state.busy, t.flow.state.still, t.flow.state.notice], ["no", true, null]);
});
