// The board of a game: its own, and the plain one wherever its own is missing, broken or slow to come.
import * as plain from "./boards/plain.js";

const PATIENCE_MS = 1000; // after so long the plain board is shown, so that no page waits for a file

/** @typedef {{ draw: typeof plain.draw, picture: typeof plain.picture }} Board */

/**
 * Use the board of a game: its own or, where that is slow, the plain one until it comes.
 * @param {string} game @param {(board: Board) => void} use @returns {Promise<void>} once there is one
 */
export function useBoard(game, use) {
  return new Promise((go) => {
    const slow = setTimeout(() => go(use(plain)), PATIENCE_MS);
    load(game).then((own) => { clearTimeout(slow); go(use(own)); });
  });
}

/** @param {string} game @returns {Promise<Board>} */
async function load(game) {
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
