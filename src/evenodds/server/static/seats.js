// Seats that are taken from this browser: asked for with a key, so that a lost answer loses no seat.
import { ask } from "./api.js";

const name = (match) => `key-${match}`;

/**
 * Take a seat in a match; `body` says by what right. The key is kept until there is an answer.
 * @param {string} match @param {{match?: string, invitation?: string, name?: string}} body
 * @returns {Promise<string>} the seat
 */
export async function sitDown(match, body) {
  const made = [...crypto.getRandomValues(new Uint8Array(24))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const key = localStorage.getItem(name(match)) ?? made;
  localStorage.setItem(name(match), key);
  try {
    const { seat } = await ask("/api/join", { ...body, key });
    localStorage.removeItem(name(match));
    return seat;
  } catch (refusal) {
    if (!refusal.passing) localStorage.removeItem(name(match));
    throw refusal;
  }
}

/**
 * Take the seat again that was asked for when the answer was lost, if there is one.
 * @param {string} match @returns {Promise<string | null>} the seat
 */
export async function sitAgain(match) {
  if (!localStorage.getItem(name(match))) return null;
  try {
    return await sitDown(match, { match });
  } catch { /* it was not taken, or is asked for again later */
    return null;
  }
}
