// You against perfection: the accuracy of this browser's player over time, kept here and never sent.
import { stored } from "./browser_storage.js";

const KEY = "perfection";
const MOST = 500;

/** @typedef {{match: string, game: string, accuracy: number}} Kept */

/** @returns {Kept[]} the matches, the latest last */
export const keptAccuracies = () => stored(KEY, []);

/** Keep the accuracy of a match, once. @param {string} match @param {string} game @param {number} accuracy from 0 to 1 */
export function keepAccuracy(match, game, accuracy) {
  const others = keptAccuracies().filter((one) => one.match !== match);
  localStorage.setItem(KEY, JSON.stringify([...others, { match, game, accuracy }].slice(-MOST)));
}

/** All that is kept, as a file to download. @returns {string} an address */
export const exportAddress = () => URL.createObjectURL(new Blob([JSON.stringify(keptAccuracies(), null, 1)], { type: "application/json" }));

export const percent = (share) => `${Math.round(100 * share)}%`;

/** The average over the matches of a game, and how many there are. @param {string} game */
export function average(game) {
  const found = keptAccuracies().filter((one) => one.game === game);
  return { matches: found.length, accuracy: found.reduce((sum, one) => sum + one.accuracy, 0) / Math.max(1, found.length) };
}
