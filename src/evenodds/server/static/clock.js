// The time for a pick, counted down by the server's clock.

let timer = 0;

/** What is left until the deadline of a view, in whole seconds; `skew` is how far the server is ahead. */
const left = (view) => Math.max(0, Math.ceil(view.deadline - view.skew - Date.now() / 1000));

/** @type {[number, string][]} */
const UNITS = [[86400, "day"], [3600, "hour"], [60, "minute"]];

/** A time in words. @param {number} seconds @returns {string} */
export function span(seconds) {
  const [size, unit] = UNITS.find(([each]) => seconds % each === 0) ?? [1, "second"];
  return `${seconds / size} ${unit}${seconds === size ? "" : "s"}`;
}

/** Whether the time of a view is over. */
export const isLate = (view) => Boolean(view.deadline) && left(view) === 0;

/** Show what is left until the deadline of a view, and say when it is over; nothing where there is none. */
export function countdown(place, view, over) {
  clearInterval(timer);
  place.hidden = !view.deadline || Boolean(view.result);
  if (place.hidden) return;
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
