// Rulings as fields of a form, labelled by what they mean.
import { element } from "./dom.js";
import { capital } from "./words.js";

/** The upper limit in words; it may follow another ruling: "numbers - 1". */
function limit(high, rulings) {
  const [key, less] = String(high).split(" - ");
  return rulings[key] ? `${less ? `${less} less than ` : ""}the value of "${capital(rulings[key].about.split(",")[0])}"` : high;
}

/** A field for one ruling. */
function field(key, ruling, value, rulings) {
  const id = `ruling-${key}`;
  const chosen = String(value ?? ruling.usual);
  const [label, ...more] = capital(ruling.about).split("; ");
  if (ruling.meanings) {
    return element("div", { class: "field" }, element("label", { for: id }, capital(ruling.about)),
      element("select", { id, name: key }, Object.entries(ruling.meanings).map(
        ([word, meant]) => element("option", { value: word, selected: word === chosen }, capital(meant)))));
  }
  const help = [...more, `from ${ruling.low} to ${limit(ruling.high, rulings)}`].map((text) => `${capital(text)}.`).join(" ");
  return element("div", { class: "field" }, element("label", { for: id }, label),
    element("input", { id, name: key, type: "number", inputmode: "numeric", value: chosen, required: true, min: ruling.low,
      max: Number.isInteger(ruling.high) ? ruling.high : null, "aria-describedby": `${id}-about` }),
    element("small", { class: "help", id: `${id}-about` }, help));
}

/** The fields of a game, with values other than the usual ones where given. */
export function rulingFields(game, values = {}) {
  return Object.entries(game.rulings).map(([key, ruling]) => field(key, ruling, values[key], game.rulings));
}

/** What the fields of a game hold; only what differs from the usual if `changed`. */
export function rulingValues(game, place, changed = false) {
  return Object.fromEntries(Object.entries(game.rulings).map(([key, ruling]) => {
    const { value } = place.querySelector(`#ruling-${key}`);
    return [key, ruling.meanings ? value : Number(value), ruling.usual];
  }).filter(([, value, usual]) => !changed || value !== usual).map(([key, value]) => [key, value]));
}

/** Give fields the usual value where what was asked for is not possible. @returns {string[]} what was asked for so */
export function resetStrange(game, place, values) {
  return Object.keys(values).filter((key) => {
    if (!(key in game.rulings)) return false; // what places that pass on links have added
    const input = place.querySelector(`#ruling-${key}`);
    const [other, less] = String(game.rulings[key]?.high).split(" - ");
    const most = other in game.rulings ? Number(place.querySelector(`#ruling-${other}`).value) - Number(less ?? 0) : Infinity;
    if (input.value === values[key] && input.checkValidity() && !(Number(input.value) > most)) return false;
    input.value = game.rulings[key].usual;
    return true;
  });
}
