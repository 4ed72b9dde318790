// The conversation with the service: what was asked, what is known, what may be asked now. It decides nothing
// about a payment; it only makes sure that a request is never doubled and that the page shows what the service said
// last. Card data passes through inside a request, sealed, which is kept in memory alone while its line is lost.

import type { MessageKey } from "../texts";
import type { Answer } from "../service/api";
import type { PayRequest, Screen } from "../service/screen";
import { pollOf } from "./poll";
import { stageOf, stages } from "./stage";
import { first, keptKey, type State } from "./state";
import { inWindow, leadsAway, noteOf } from "./window";
import type { World } from "./world";

const backoff = [1000, 2000, 4000, 8000, 15000];
const stayingPoll = 3000;
const stillPolls = 5; // about three seconds: then the page says that it waits
const leavingTime = 10_000; // until who was sent elsewhere is asked whether an app did not open
const tickTime = 350; // how long a payer sees that the payment is done, before the shop's page is asked for
const cardTime = 5 * 60_000; // how long the card data of a payment is kept in memory for another try

export class Flow {
  state = first;

  draw: (state: State) => void = () => {}; // called with every new state
  watch: (state: State) => void = () => {}; // called before it: a wallet's sheet waits for the outcome

  private turn = 0; // an answer counts only when nothing was asked after it
  private failures = 0;
  private posted = false; // asked for beside paying, and not answered yet
  private stop: () => void = () => {};
  private stopRetry: () => void = () => {};
  private stopKeeping: () => void = () => {};
  private polls = -1; // since Pay; -1: this page has not paid
  private paidAt = 0;
  private lostRequest: PayRequest | null = null; // as it was sent, until the service has answered; card data is sealed
  private sent = false; // this page was opened to go on to where the frame may not go

  constructor(
    readonly session: string,
    readonly world: World,
  ) {}

  /** goOn is called in the window that a framed page has opened. Its tab remembers that, also when it comes back. */
  goOn(): void {
    this.sent = true;
    this.world.storage.setItem(noteOf(this.session), "open");
  }

  /** open opens that window, at the payer's wish once more, and returns whether the browser allows it. */
  open(): boolean {
    const open = this.world.open();
    this.set({ opened: open ? "open" : "blocked" });
    return open;
  }

  /** havePaid asks at once, and from then on the payer is asked before this page is left. */
  havePaid(): Promise<void> {
    this.set({ told: true });
    return this.refresh();
  }

  /** refresh asks what is to be shown now. */
  async refresh(): Promise<void> {
    if (this.state.busy === "sending") return;
    const answer = await this.turnOf(this.path(""));
    switch (answer?.kind) {
      case "screen":
        return this.repeat(answer.screen) ?? this.show(answer.screen, false);
      case "unknown":
        return this.end("unknown_session");
      case "faults":
      case "refused":
        return this.end("technical_problem");
      case "later":
        return this.askLater(answer.seconds * 1000);
      case "nothing":
        return this.lost(answer);
    }
  }

  /**
   * pay sends one attempt. What is asked while another request is on its way is ignored. With repeats it is sent again,
   * by itself, after a lost line: a wallet's sheet does not wait for that.
   */
  async pay(build: (attempt: string) => Promise<PayRequest>, repeats = false): Promise<void> {
    if (this.state.busy !== "no" || this.state.retryIn > 0) return;
    this.stopKeeping();
    this.polls = 0;
    this.paidAt = this.world.now();
    this.set({ busy: "sending", notice: null, faults: [], still: true });
    let request: PayRequest;
    try {
      request = await build(this.attempt());
    } catch {
      return this.set({ busy: "no", notice: "not_sent", still: false });
    }
    if (repeats) this.lostRequest = request;
    await this.send(this.path("/pay"), request, true);
  }

  // The service has not taken the attempt, nor any other one since: the same request goes on. It is one attempt by its
  // id, also where the first request arrives after all.
  private repeat({ kind, attempt }: Screen): Promise<void> | undefined {
    const request = this.world.now() - this.paidAt < cardTime && this.lostRequest;
    if (!request || kind !== "form" || attempt !== this.state.screen?.attempt) return;
    this.set({ busy: "sending", notice: null });
    return this.send(this.path("/pay"), request, true);
  }

  cancel(): Promise<void> {
    return this.post("/cancel");
  }

  /** post asks for anything but a payment. What is under way then is no form that was sent, unless polls begin anew. */
  async post(path: string, body: object = {}, polls = -1): Promise<void> {
    if (this.state.busy !== "no") return;
    this.polls = polls;
    this.paidAt = this.world.now();
    this.posted = true;
    this.set({ busy: "sending", notice: null, faults: [] });
    await this.send(this.path(path), body, false);
  }

  /** clear forgets the card data: the payer takes another card, leaves, or was away for too long. */
  clear(): void {
    this.stopKeeping();
    this.lostRequest = null;
    this.set({ cleared: this.state.cleared + 1 });
  }

  /** notice shows a message of the page itself, as long as nothing is on its way. */
  notice(notice: MessageKey | null): void {
    if (this.state.busy === "no" && !this.state.still) this.set({ notice, faults: [] });
  }

  private async send(path: string, body: object, paying: boolean): Promise<void> {
    const answer = await this.turnOf(path, body);
    if (answer?.kind !== "nothing") this.lostRequest = null;
    switch (answer?.kind) {
      case "screen":
        return this.show(answer.screen, paying);
      case "faults":
        if (paying) this.forget();
        return this.set({ busy: "no", notice: "technical_problem", faults: answer.faults, still: false });
      case "unknown":
        return this.end("unknown_session");
      case "refused":
        if (paying) this.forget();
        this.set({ busy: "no", notice: "technical_problem", still: false });
        return this.refresh();
      case "later":
        return this.retryIn(answer.seconds);
      case "nothing":
        return this.lost(answer);
    }
  }

  private async turnOf(path: string, body?: object): Promise<Answer | null> {
    this.stop();
    const turn = ++this.turn;
    const answer = await this.world.ask(path, body);
    return turn === this.turn ? answer : null;
  }

  private show(next: Screen, paid: boolean): void {
    const before = this.state;
    const screen = inWindow(next, this.world, noteOf(this.session));
    const form = screen.kind === "form";
    const attempt = this.stored();
    const same = attempt !== null && screen.attempt === attempt;
    const answered = paid || !form || same;
    if (answered) this.forget();
    if (screen.message?.text === "paid") this.world.storage.removeItem(keptKey);
    const wasForm = before.screen?.kind === "form";
    const declined = form && screen.message !== undefined && before.screen !== null && (answered || !wasForm);
    const lost = before.busy === "lost";
    const undone = form && (this.posted || (attempt !== null && !answered));
    const here = paid || before.screen?.kind === "wait" || (lost && same);
    const stage = stageOf(screen, here || before.opened !== "" || this.sent, this.world.framed);
    const [then, waits, card] = stages[stage];
    const old = card !== "fresh" || this.world.now() - this.paidAt > cardTime;
    const clears = (wasForm || before.still) && card !== "kept" && old;
    this.sent = false;
    this.lostRequest = null;
    this.failures = 0;
    this.posted = false;
    if (stage !== "processing") this.polls = -1;
    const turn = stage === "processing" ? this.polls : -1; // of what is asked quickly at first
    this.set({
      screen,
      received: this.world.now(),
      busy: "no",
      notice: lost && undone ? "connection_back" : lost || answered ? null : before.notice,
      faults: answered ? [] : before.faults,
      staying: stage === "staying",
      opened: waits ? before.opened : "",
      told: before.told && screen.kind === "wait",
      cleared: before.cleared + (clears ? 1 : 0),
      declined: before.declined + (declined ? 1 : 0),
      still: turn >= 0 && turn < stillPolls,
      paid: stage === "paid",
    });
    if (declined) this.stopKeeping = this.world.later(cardTime, () => this.clear());
    switch (then) {
      case "poll":
        if (turn >= 0) this.polls++;
        return this.askLater(pollOf(screen, turn));
      case "tick":
        return void this.world.later(tickTime, () => this.go(screen));
      case "look":
        // A step that follows another one goes on in the same window.
        if (here && !before.opened) this.open();
        // Whoever comes back from a provider's page, or looks on in another tab, is not sent there once more.
        return this.askLater(stayingPoll);
      case "go":
        return this.go(screen);
    }
  }

  private go(screen: Screen): void {
    const comesBack = leadsAway(screen); // from a provider's page Back leads here again, from the shop's it does not
    if (!screen.go || !this.world.leave(screen.go, comesBack))
      return this.set({ notice: "technical_problem", paid: false });
    if (comesBack) this.askLater(leavingTime);
  }

  // The attempt stays the same one: an earlier request with its id may still be on its way.
  private retryIn(seconds: number): void {
    this.stopRetry();
    this.set({ busy: "no", notice: "too_many", retryIn: seconds, still: false });
    this.stopRetry = this.world.later(seconds * 1000, () => {
      this.set({ retryIn: 0, notice: this.state.notice === "too_many" ? "try_now" : this.state.notice });
    });
  }

  private lost({ answered }: { answered?: boolean }): void {
    if (answered) this.lostRequest = null; // the line is there: who knows whether the service broke at this request
    this.set({ busy: "lost", notice: answered ? "service_problem" : "connection_lost" });
    this.askLater(backoff[Math.min(this.failures++, backoff.length - 1)] ?? 0);
  }

  private askLater(ms: number): void {
    this.stop = this.world.later(ms, () => void this.refresh());
  }

  private end(text: MessageKey): void {
    const { language, browser_language } = this.state.screen ?? { language: "en", browser_language: true };
    this.show({ kind: "message", language, ...(browser_language && { browser_language }), message: { text } }, false);
  }

  // An attempt's id lives in sessionStorage until the service has answered it: a repeat is then the same request.
  private attempt(): string {
    const id = this.stored() ?? this.world.newID();
    this.world.storage.setItem(this.key(), id);
    return id;
  }

  private stored(): string | null {
    return this.world.storage.getItem(this.key());
  }

  private forget(): void {
    this.world.storage.removeItem(this.key());
  }

  private key(): string {
    return "attempt:" + this.session;
  }

  private path(end: string): string {
    return "/page/v1/" + encodeURIComponent(this.session) + end;
  }

  private set(change: Partial<State>): void {
    this.state = { ...this.state, ...change };
    this.watch(this.state);
    this.draw(this.state);
  }
}
