// What was picked here: kept until the server has it, sent again with its round, never asked twice.
import { ask } from "./api.js";
import { stored } from "./browser_storage.js";
import { ownSeat } from "./words.js";

const RETRY = 1500;
export const SLOW_MS = 700; // after so long it is said that a pick is being sent

/** One match's outbox; what it holds survives a reload and is shared by all tabs. */
export class Outbox {
  /** @param {string} id @param {(view: any) => void} show @param {(problem: string) => void} complain */
  constructor(id, show, complain) {
    this.id = id;
    this.show = show;
    this.complain = complain;
    this.sending = false;
    this.began = 0;
  }

  /** Whether a pick has been on its way for a while. */
  isSlow() {
    return performance.now() >= this.began + SLOW_MS;
  }

  key(seat) {
    return `pick-${this.id}-${seat}`;
  }

  /** @returns {any} */
  kept(seat) {
    return seat ? stored(this.key(seat), null) : null;
  }

  /** What the seat of a view has picked in its round, as far as this browser knows; taken back, it is gone. */
  picked(view) {
    const kept = this.kept(view.seat);
    const stands = kept?.round === view.round && (!kept.sent || view.chosen[ownSeat(view)]);
    return stands ? kept.number : null;
  }

  /** Whether a pick for the round of a view is still on its way. */
  pending(view) {
    const kept = this.kept(view.seat);
    return kept?.round === view.round && !kept.sent;
  }

  /** Keep a pick and send it; `body` is what the server gets. */
  async post(seat, number, body) {
    this.began = performance.now();
    localStorage.setItem(this.key(seat), JSON.stringify({ round: body.round, number, body, sent: false }));
    await this.flush(seat);
  }

  /** Send what a seat has waiting, until the server has taken it or refused it. */
  async flush(seat) {
    const kept = this.kept(seat);
    if (!kept || kept.sent || this.sending) return;
    this.sending = true;
    let view = null;
    try {
      view = await ask(`/api/matches/${this.id}/picks?seat=${seat}`, kept.body);
      localStorage.setItem(this.key(seat), JSON.stringify({ ...kept, sent: true }));
    } catch (refusal) {
      if (refusal.passing) setTimeout(() => this.flush(seat), RETRY);
      else {
        localStorage.removeItem(this.key(seat));
        this.complain(refusal.message);
        view = refusal.body?.view;
      }
    } finally {
      this.sending = false;
    }
    if (view) this.show(view);
  }
}
