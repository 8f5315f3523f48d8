// The time for a pick, or for somebody who is away to come back, counted down by the server's clock.

let timer = 0;

/** The place of the other player, of a view, who is away while they are waited for; -1 for nobody. */
export const awaySeat = (view) => (view.absence ?? []).findIndex((until, seat) => until !== null && seat !== ["first", "second"].indexOf(view.seat));

/** When the time of a view is over: that for a pick or, where there is none, that of somebody who is away. */
const end = (view) => view.deadline ?? view.absence?.[awaySeat(view)] ?? null;

/** What is left of the time of a view, in whole seconds; `skew` is how far the server is ahead. */
const left = (view) => Math.max(0, Math.ceil(end(view) - view.skew - Date.now() / 1000));

/** @type {[number, string][]} */
const UNITS = [[86400, "day"], [3600, "hour"], [60, "minute"]];

/** A time in words. @param {number} seconds @returns {string} */
export function span(seconds) {
  const [size, unit] = UNITS.find(([each]) => seconds % each === 0) ?? [1, "second"];
  return `${seconds / size} ${unit}${seconds === size ? "" : "s"}`;
}

/** Whether the time of a view is over. */
export const isLate = (view) => end(view) !== null && left(view) === 0;

/** Show what is left of the time of a view, and say when it is over; nothing where there is none. */
export function countdown(place, view, over) {
  clearInterval(timer);
  place.hidden = end(view) === null || Boolean(view.result);
  if (place.hidden) return;
  place.setAttribute("aria-label", view.deadline ? "Time left for this pick" : "Time left to come back");
  const tick = () => {
    const seconds = left(view);
    place.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    place.classList.toggle("soon", seconds <= 10);
    return seconds;
  };
  if (tick() === 0) return;
  timer = setInterval(() => {
    if (tick() > 0) return;
    clearInterval(timer);
    over();
  }, 250);
}
