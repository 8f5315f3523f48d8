// The board of a game: its own, and the plain one wherever its own is missing or broken.
import * as plain from "./boards/plain.js";

/** @param {string} game @returns {Promise<{ draw: typeof plain.draw, picture: typeof plain.picture }>} */
export async function boardOf(game) {
  try {
    const own = await import(`/boards/${encodeURIComponent(game)}.js`);
    return { draw: orPlain(own, "draw"), picture: orPlain(own, "picture") };
  } catch (error) {
    console.error(`The board of ${game} cannot be loaded.`, error);
    return plain;
  }
}

function orPlain(own, name) {
  return (...given) => {
    try {
      const drawn = own[name](...given);
      if (drawn instanceof Node) return drawn;
      throw new TypeError(`${name}() makes no element`);
    } catch (error) {
      console.error(error);
      return plain[name](...given);
    }
  };
}
