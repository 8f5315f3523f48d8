// Sealed picks: a commitment first, the number and its salt when both are in.
import { ask } from "./api.js";
import { stored } from "./browser_storage.js";
import { SEATS, ownSeat } from "./words.js";

const RETRY = 1500;

const K = new Uint32Array(64);
const START = new Uint32Array(8);
{
  const isPrime = (n) => { for (let d = 2; d * d <= n; d += 1) if (n % d === 0) return false; return true; };
  const fraction = (x) => (x - Math.floor(x)) * 2 ** 32;
  for (let n = 2, found = 0; found < 64; n += 1) {
    if (!isPrime(n)) continue;
    if (found < 8) START[found] = fraction(Math.sqrt(n));
    K[found] = fraction(Math.cbrt(n));
    found += 1;
  }
}

const turn = (word, by) => (word >>> by) | (word << (32 - by));

/**
 * SHA-256 of a text in UTF-8, as lower-case hex. Our own, because browsers keep theirs for https.
 * @param {string} text @returns {string}
 */
export function sha256(text) {
  const bytes = new TextEncoder().encode(text);
  const blocks = new Uint8Array(64 * Math.ceil((bytes.length + 9) / 64));
  blocks.set(bytes);
  blocks[bytes.length] = 0x80;
  const view = new DataView(blocks.buffer);
  view.setUint32(blocks.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(blocks.length - 4, bytes.length * 8);
  const hash = START.slice();
  const w = new Uint32Array(64);
  for (let block = 0; block < blocks.length; block += 64) {
    for (let i = 0; i < 16; i += 1) w[i] = view.getUint32(block + 4 * i);
    for (let i = 16; i < 64; i += 1) {
      const a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i += 1) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => { hash[i] += word; });
  }
  return [...hash].map((word) => word.toString(16).padStart(8, "0")).join("");
}

/** One match's seals: the salts stay in this browser, each under its commitment, until they are asked for. */
export class Sealer {
  /** @param {string} id @param {(view: any) => void} show @param {(problem: string) => void} complain */
  constructor(id, show, complain) {
    this.id = id;
    this.show = show;
    this.complain = complain;
    this.opening = false;
  }

  key(seat, round, commitment) {
    return `seal-${this.id}-${seat}-${round}-${commitment}`;
  }

  /** What commits a seat to a number. */
  commitment(seat, round, number, salt) {
    return sha256(`${this.id}:${seat}:${round}:${number}:${salt}`);
  }

  /** Seal a number for a round. @returns {string} the commitment */
  seal(seat, round, number) {
    const salt = [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const commitment = this.commitment(seat, round, number, salt);
    localStorage.setItem(this.key(seat, round, commitment), JSON.stringify({ number, salt }));
    return commitment;
  }

  /** What opens the commitment of the seat of a view, where that is asked for now; undefined where it is not. @returns {any} */
  asked(view) {
    const own = ownSeat(view);
    if (!view.sealed || view.phase !== "reveal" || view.result || !view.waiting[own]) return undefined;
    return stored(this.key(view.seat, view.round, view.commitments[own]), null);
  }

  seen(round) {
    return `seen-${this.id}-${round}`;
  }

  /** Who, in the last round of a view, did not pick what was promised, as a complaint; nothing if both did. */
  broken(view) {
    const round = view.history.length;
    if (!view.sealed || !round) return "";
    const picks = view.history[round - 1];
    const seen = stored(this.seen(round), null);
    const wrong = picks.findIndex((number, seat) => {
      const [commitment, salt] = view.seals?.[seat] ?? [];
      return commitment !== this.commitment(SEATS[seat], round, number, salt) || (seen && seen[seat] !== commitment);
    });
    return wrong < 0 ? "" : `${view.players[wrong]} did not promise ${picks[wrong]} in round ${round}. Do not trust this match.`;
  }

  /** What is promised of the draws of a view, at its end whether that was kept; nothing where chance draws nothing. */
  draws(view) {
    if (!view.draws?.length) return "";
    const [promised] = stored(`dice-${this.id}`, [view.dice]);
    localStorage.setItem(`dice-${this.id}`, JSON.stringify([promised]));
    const shown = !view.result || !view.dice || sha256(`${this.id}:${view.seed}`) === view.dice;
    if (promised !== view.dice || !shown) return "The seed of the draws is not the one that was promised. Do not trust this match.";
    if (!view.dice) return "The server has promised no seed: nobody can check its draws.";
    if (!view.result) return `All draws follow from a seed that is shown at the end. Its SHA-256: ${view.dice}`;
    return `The seed of the draws is the one that was promised: ${view.dice}. The command evenodds verify checks every draw of the record. `;
  }

  /** Whether a pick is to be opened that this browser cannot open. */
  isLost(view) {
    return this.asked(view) === null;
  }

  /** Open one's own pick when both are in, and forget the salts of rounds that are over. */
  async open(view) {
    if (view.sealed && view.seat) this.forget(view);
    const kept = this.asked(view);
    if (!kept || this.opening) return;
    if (!view.commitments.every(Boolean)) {
      this.complain("The server asks for your number before the other has promised one. It is not sent.");
      return;
    }
    localStorage.setItem(this.seen(view.round), JSON.stringify(view.commitments));
    this.opening = true;
    let next = null;
    try {
      next = await ask(`/api/matches/${this.id}/reveals?seat=${view.seat}`, { round: view.round, ...kept });
    } catch (refusal) {
      next = refusal.body?.view;
      if (refusal.passing) setTimeout(() => this.open(view), RETRY);
      else if (!next) this.complain(refusal.message);
    } finally {
      this.opening = false;
    }
    if (next) this.show(next);
  }

  forget(view) {
    const before = { [`seal-${this.id}-${view.seat}-`]: view.round, [this.seen("")]: view.round - 1 };
    for (const [mine, round] of Object.entries(before)) {
      for (const name of Object.keys(localStorage)) {
        if (name.startsWith(mine) && parseInt(name.slice(mine.length), 10) < round) localStorage.removeItem(name);
      }
    }
  }
}
