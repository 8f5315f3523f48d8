// The moments after a round: cards turn, the result settles, and only then the match is over.
import { calm } from "./dom.js";

const TURN_MS = 1100; // two cards turn and are looked at
const SETTLE_MS = 1600; // the round is seen before the next one, or the end is told

/** @typedef {"turning" | "settling" | ""} Stage */

/** The stages of a reveal; a tap or a key goes to the next one at once. */
export class Reveal {
  /** @param {() => void} paint called when a stage ends */
  constructor(paint) {
    this.paint = paint;
    /** @type {Stage} */
    this.stage = "";
    /** @type {[Stage, number][]} */
    this.coming = [];
    this.timer = 0;
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => this.skip(), { capture: true });
  }

  /** Begin with a round that was just played. @param {any} view */
  begin(view) {
    if (calm()) return;
    this.coming = view.simultaneous ? [["turning", TURN_MS], ["settling", SETTLE_MS]] : view.result ? [["settling", SETTLE_MS]] : [];
    this.next();
  }

  next() {
    clearTimeout(this.timer);
    const [stage, ms] = this.coming.shift() ?? ["", 0];
    this.stage = /** @type {Stage} */ (stage);
    if (stage) this.timer = setTimeout(() => { this.next(); this.paint(); }, ms);
  }

  skip() {
    if (!this.stage) return;
    this.next();
    this.paint();
  }
}
