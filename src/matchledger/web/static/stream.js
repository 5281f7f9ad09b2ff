// One stream for all pages of a browser, because a browser keeps only six connections to a server: the pages of a
// desk, its walls and its standings would use them up, and no slip would get through.

const streams = new Map(); // by address: the source, the pages that listen, and the latest position

function hear(address) {
  const pages = new Set();
  const stream = { source: new EventSource(address), pages, last: null };
  const tell = (message) => pages.forEach((page) => page.postMessage(message));
  stream.source.addEventListener("position", ({ data }) => tell({ position: (stream.last = data) }));
  stream.source.addEventListener("error", () => tell({ offline: true }));
  streams.set(address, stream);
  return stream;
}

// The stream of an address; a new one if the server has turned the old one away.
function streamOf(address) {
  const stream = streams.get(address);
  return stream && stream.source.readyState !== EventSource.CLOSED ? stream : hear(address);
}

function leave(page) {
  for (const [address, { source, pages }] of streams) {
    if (!pages.delete(page) || pages.size > 0) continue;
    source.close();
    streams.delete(address);
  }
}

self.addEventListener("connect", ({ ports: [page] }) => {
  page.addEventListener("message", ({ data: { listen } }) => {
    leave(page);
    if (!listen) return;
    const stream = streamOf(listen);
    stream.pages.add(page);
    if (stream.last !== null) page.postMessage({ position: stream.last });
    if (stream.source.readyState === EventSource.CONNECTING && stream.last !== null) page.postMessage({ offline: true });
  });
  page.start();
});
