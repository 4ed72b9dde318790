// One opened dialog acts once, however often its button is pressed: each repeat has the key of the first request.

import { lost, type Answer } from "./api";

type Act = <T>(path: string, key: string, body: object) => Promise<Answer<T>>;

/**
 * Attempt has the key of one dialog. What was clearly refused was not done, so that what is asked for then has a new
 * key.
 */
export class Attempt {
  private key = "";
  private body = "";
  private doubt = false;

  constructor(
    private readonly act: Act,
    private readonly newKey: () => string,
  ) {}

  /** unknown: nobody knows whether the last request was done, so only the same may be asked for again. */
  get unknown(): boolean {
    return this.doubt;
  }

  async send<T>(path: string, body: object): Promise<Answer<T>> {
    const text = path + JSON.stringify(body);
    if (this.doubt && text !== this.body) throw new Error("the last request may have been done");
    if (text !== this.body) this.key = this.newKey();
    this.body = text;
    this.doubt = true;
    const answer = await this.act<T>(path, this.key, body);
    this.doubt = answer.failure !== undefined && lost(answer.failure);
    return answer;
  }
}
