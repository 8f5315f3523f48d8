// Rulings as fields of a form: what they mean, what is allowed, what is usual.
import { element } from "./dom.js";

const spoken = (key) => key.replaceAll("_", " ");

/** @param {HTMLElement} select @returns {string} what is said of the option that is chosen */
const meaning = (select) => select.querySelector("option:checked")?.getAttribute("data-meaning") ?? "";

/** A field for one ruling. */
function field(key, ruling, value) {
  const id = `ruling-${key}`;
  const chosen = String(value ?? ruling.usual);
  const input = ruling.meanings
    ? element("select", { id, name: key, "aria-describedby": `${id}-about` }, Object.entries(ruling.meanings).map(
      ([word, meant]) => element("option", { value: word, selected: word === chosen, "data-meaning": meant }, spoken(word))))
    : element("input", { id, name: key, type: "number", inputmode: "numeric", value: chosen, required: true, min: ruling.low,
      max: Number.isInteger(ruling.high) ? ruling.high : null, "aria-describedby": `${id}-about` });
  const about = ruling.about[0].toUpperCase() + ruling.about.slice(1);
  const help = element("small", { class: "help", id: `${id}-about` });
  const explain = () => {
    help.textContent = ruling.meanings ? `${about}: ${meaning(input)}.` : `${about}. From ${ruling.low} to ${ruling.high}.`;
  };
  input.addEventListener("change", explain);
  explain();
  return element("div", { class: "field" }, element("label", { for: id }, spoken(key)), input, help);
}

/** The fields of a game, with values other than the usual ones where given. */
export function rulingFields(game, values = {}) {
  return Object.entries(game.rulings).map(([key, ruling]) => field(key, ruling, values[key]));
}

/** What the fields of a game hold; only what differs from the usual if `changed`. */
export function rulingValues(game, place, changed = false) {
  return Object.fromEntries(Object.entries(game.rulings).map(([key, ruling]) => {
    const { value } = place.querySelector(`#ruling-${key}`);
    return [key, ruling.meanings ? value : Number(value), ruling.usual];
  }).filter(([, value, usual]) => !changed || value !== usual).map(([key, value]) => [key, value]));
}
