// A crowd that plays with boardgame.io: `node crowd.js PORT MATCHES ROUNDS PACE`, the answer is JSON.
const http = require("http");
const { io } = require("socket.io-client");

const [port, matches, rounds, pace] = process.argv.slice(2).map(Number);
const agent = new http.Agent({ keepAlive: true });
const wait = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));
const delays = [];

function post(path, body) {
  return new Promise((done, fail) => {
    const options = { port, path, method: "POST", agent, headers: { "content-type": "application/json" } };
    const request = http.request(options, (response) => {
      let text = "";
      response.on("data", (part) => { text += part; });
      response.on("end", () => done(JSON.parse(text)));
    });
    request.on("error", fail);
    request.end(JSON.stringify(body));
  });
}

/** Open a match, and connect both seats. */
async function open() {
  const { matchID } = await post("/games/duel/create", { numPlayers: 2 });
  const match = { matchID, sent: {}, seats: [] };
  for (const playerID of ["0", "1"]) {
    const { playerCredentials } = await post(`/games/duel/${matchID}/join`, { playerID, playerName: playerID });
    const socket = io(`http://127.0.0.1:${port}/duel`, { transports: ["websocket"], forceNew: true });
    await new Promise((done) => socket.on("connect", done));
    const synced = new Promise((done) => socket.once("sync", (_, info) => done(info.state)));
    socket.emit("sync", matchID, playerID, playerCredentials, 2);
    match.seats.push({ playerID, playerCredentials, socket, state: await synced });
  }
  return match;
}

/** Play one seat until all rounds are over: at once, or at a pace after a while. */
async function play(match, place, phase) {
  const seat = match.seats[place];
  const other = 1 - place;
  await wait(phase);
  await new Promise((done) => {
    let picked = 0;
    let turn = performance.now() / 1000;
    const act = async () => {
      const { G } = seat.state;
      const latest = G.chosen[other] ? G.history.length + 1 : G.history.length;
      const sent = match.sent[`${other}:${latest}`];
      if (sent) {
        delays.push(performance.now() - sent);
        delete match.sent[`${other}:${latest}`];
      }
      if (G.history.length >= rounds) { done(); return; }
      const round = G.history.length + 1;
      if (G.chosen[place] || round <= picked) return;
      picked = round;
      if (pace) {
        turn += pace;
        await wait(Math.max(0, turn - performance.now() / 1000));
      }
      match.sent[`${place}:${round}`] = performance.now();
      const payload = { type: "pick", args: [2], playerID: seat.playerID, credentials: seat.playerCredentials };
      seat.socket.emit("update", { type: "MAKE_MOVE", payload }, seat.state._stateID, match.matchID, seat.playerID);
    };
    seat.socket.on("update", (_, state) => { seat.state = state; act(); });
    act();
  });
}

async function main() {
  const crowd = [];
  for (let n = 0; n < matches; n += 1) crowd.push(await open());
  process.stdout.write(`${JSON.stringify({ open: true })}\n`);
  await new Promise((done) => process.stdin.once("data", done));
  const began = performance.now();
  await Promise.all(crowd.flatMap((match, n) => [0, 1].map(
    (place) => play(match, place, (pace * (n + place / 2)) / matches))));
  const seconds = (performance.now() - began) / 1000;
  const told = JSON.stringify({ seconds, delays: delays.map((each) => each / 1000) });
  process.stdout.write(`${told}\n`, () => process.exit(0));
}

main();
