// boardgame.io in memory, on a port of its own choosing, which it prints.
const { Server, Origins } = require("boardgame.io/server");
const { duel } = require("./game");

const server = Server({ games: [duel], origins: [Origins.LOCALHOST, /.*/] });
server.run(0).then(({ appServer }) => console.log(JSON.stringify({ port: appServer.address().port })));
