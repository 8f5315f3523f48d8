// The daily puzzle in this browser: the first answer of each day, and how many days in a row were right.
import { stored } from "./browser_storage.js";

const KEY = "daily";
const DAY_MS = 86400000;

/** @typedef {{day: string, right: boolean, streak: number, best: number, number?: number}} Daily the latest day with an answer */

/** The day of a moment, the same everywhere. @param {number} [ms] */
export const dayOf = (ms = Date.now()) => new Date(ms).toISOString().slice(0, 10);

/** @returns {Daily | null} */
export const lastDaily = () => stored(KEY, null);

/** The streak as it stands on a day: a day that was left out ends it. @param {string} day */
export function streakOn(day) {
  const last = lastDaily();
  const yesterday = dayOf(Date.parse(day) - DAY_MS);
  return last && [day, yesterday].includes(last.day) ? last.streak : 0;
}

/** Keep the first answer of a day. @param {string} day @param {boolean} right @param {number} [number] the answer @returns {Daily} */
export function keepDaily(day, right, number) {
  const last = lastDaily();
  if (last?.day === day) return last;
  const streak = right ? streakOn(day) + 1 : 0;
  const kept = { day, right, streak, best: Math.max(last?.best ?? 0, streak), number };
  localStorage.setItem(KEY, JSON.stringify(kept));
  return kept;
}

/** A line to paste that gives nothing away. @param {Daily} daily @param {string} title */
export const resultLine = (daily, title) => `Even Odds ${daily.day} ${daily.right ? "🟩" : "🟥"} ${title}${daily.streak > 1 ? ` 🔥${daily.streak}` : ""}`;
