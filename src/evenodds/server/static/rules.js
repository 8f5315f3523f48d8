// The rules of a game for players: the page has the text, the board its picture.
import { useBoard } from "./board.js";
import { by } from "./dom.js";
import { linkGame } from "./game_links.js";

const game = location.pathname.split("/")[2];

linkGame(game, Object.fromEntries(new URLSearchParams(location.search)));
await useBoard(game, (board) => by("picture").replaceChildren(board.picture()));
document.body.dataset.ready = "yes";
