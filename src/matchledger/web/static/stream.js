// One stream for all pages of a browser, because a browser keeps only six connections to a server: the pages of a
// desk, its walls and its standings would use them up, and no slip would get through.

const streams = new Map(); // by address: the source, the pages that listen, the latest position, and since when

const PATIENCE = 5000; // milliseconds until a stream that the server has turned away is asked for again

const latest = ({ last, since }) => ({ position: last, age: performance.now() - since }); // age: milliseconds

function hear(address) {
  const stream = { source: null, pages: new Set(), last: null, since: 0 };
  const tell = (message) => stream.pages.forEach((page) => page.postMessage(message));
  const open = () => {
    if (streams.get(address) !== stream) return; // nobody listens any more
    stream.source = new EventSource(address);
    stream.source.addEventListener("age", ({ data }) => (stream.since = performance.now() - 1000 * data));
    stream.source.addEventListener("position", ({ data }) => {
      if (stream.last !== null && stream.last !== data) stream.since = performance.now();
      stream.last = data;
      tell(latest(stream));
    });
    stream.source.addEventListener("error", ({ target }) => {
      tell({ offline: true });
      if (target.readyState === EventSource.CLOSED) setTimeout(open, PATIENCE);
    });
  };
  streams.set(address, stream);
  open();
  return stream;
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
    const stream = streams.get(listen) ?? hear(listen);
    stream.pages.add(page);
    if (stream.last !== null) page.postMessage(latest(stream));
    if (stream.source.readyState !== EventSource.OPEN && stream.last !== null) page.postMessage({ offline: true });
  });
  page.start();
});
