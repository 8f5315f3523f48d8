// A page for when the server cannot be reached. Everything else goes to the server as if this were not here.
const PAGE = "/static/offline.html";

addEventListener("install", (event) => {
  const kept = caches.open("offline").then((cache) => cache.add(new Request(PAGE, { cache: "reload" })));
  /** @type {any} */ (event).waitUntil(kept.then(() => /** @type {any} */ (self).skipWaiting()));
});

addEventListener("fetch", (event) => {
  const { request, respondWith } = /** @type {any} */ (event);
  if (request.mode !== "navigate") return;
  respondWith.call(event, fetch(request).catch(() => caches.match(PAGE, { ignoreSearch: true })));
});
