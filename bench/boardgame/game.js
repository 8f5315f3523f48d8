// The same kind of match as the crowd plays with Even Odds: both pick in secret, round after round.
const { ActivePlayers } = require("boardgame.io/core");

/** Keep a pick to oneself until both are in. */
function pick({ G, playerID }, number) {
  G.secret[playerID] = number;
  G.chosen[playerID] = true;
  if (G.chosen.every(Boolean)) {
    G.history.push([...G.secret]);
    G.secret = [null, null];
    G.chosen = [false, false];
  }
}

exports.duel = {
  name: "duel",
  setup: () => ({ secret: [null, null], chosen: [false, false], history: [] }),
  turn: { activePlayers: ActivePlayers.ALL },
  moves: { pick: { move: pick, client: false, ignoreStaleStateID: true } },
  playerView: ({ G }) => ({ chosen: G.chosen, history: G.history }),
};
