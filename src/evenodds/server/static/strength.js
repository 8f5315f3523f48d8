// How strong a computer fits the player of this browser: a level up after a win, one down after a loss.

const PREFIX = "level:";
const key = (game) => `level-${game}`;

/** The opponent for a game. @param {string} game @param {{usual: string, players: Record<string, string>}} opponents */
export function fitting(game, opponents) {
  const kept = Number(localStorage.getItem(key(game)));
  const levels = Object.keys(opponents.players).filter((name) => name.startsWith(PREFIX));
  return kept ? levels[Math.min(kept, levels.length) - 1] : opponents.usual;
}

/** Take in how a match against a computer ended. @param {string} game @param {string} computer @param {number} result 1, 0 or -1 */
export function adjustLevel(game, computer, result) {
  const level = computer.startsWith(PREFIX) ? Number(computer.slice(PREFIX.length)) : 0;
  if (level) localStorage.setItem(key(game), String(Math.max(1, level + result)));
}
