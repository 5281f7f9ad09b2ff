// The head: this phone keeps the size and the hash of the log as it last saw it, and warns when the log of the server
// is not a continuation (RFC 6962). It works over HTTPS, and finds a log that was rolled back or rewritten.

const warning = document.getElementById("rolled-back");
const tournament = document.body.dataset.tournament;
const kept = `head:${tournament}`;
const PAUSE = 10 * 60 * 1000; // milliseconds between two looks

const bytes = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
const hex = (data) => [...data].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));

async function node(left, right) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.of(1, ...left, ...right)));
}

// The roots of a tree at an earlier size and now. `old` is the earlier one while it is the whole left edge.
async function roots(old, earlier, size, proof) {
  if (earlier === size) {
    if (proof.length !== (old === null ? 1 : 0)) throw new RangeError("the proof has the wrong length");
    return [old ?? proof[0], old ?? proof[0]];
  }
  if (proof.length === 0) throw new RangeError("the proof has the wrong length");
  let left = 1;
  while (left * 2 < size) left *= 2;
  const last = proof[proof.length - 1];
  const rest = proof.slice(0, -1);
  if (earlier <= left) {
    const [before, now] = await roots(old, earlier, left, rest);
    return [before, await node(now, last)];
  }
  const [before, now] = await roots(null, earlier - left, size - left, rest);
  return [await node(last, before), await node(last, now)];
}

async function goesOn(seen, page) {
  if (page.size < seen.size) return false;
  try {
    const [before, now] = await roots(unhex(seen.root), seen.size, page.size, page.proof.map(bytes));
    return hex(before) === seen.root && hex(now) === page.root;
  } catch (problem) {
    if (problem instanceof RangeError || problem instanceof DOMException) return false;
    throw problem;
  }
}

function warn(seen, page) {
  warning.querySelector("code").textContent = `${seen.size}:${seen.root}`;
  warning.querySelector("time").textContent = new Date(seen.at).toLocaleString(document.documentElement.lang);
  warning.querySelector("data").textContent = page.size;
  warning.hidden = false;
}

async function look() {
  const seen = JSON.parse(localStorage.getItem(kept) ?? "null");
  if (seen !== null && !seen.warned && Date.now() - seen.asked < PAUSE) return;
  const answer = await fetch(`/api/tournaments/${tournament}/consistency?earlier=${seen?.size ?? 0}`, { cache: "no-cache" });
  if (!answer.ok) return; // many ask at once: the next page asks again
  const page = await answer.json();
  if (seen !== null && !(await goesOn(seen, page))) {
    localStorage.setItem(kept, JSON.stringify({ ...seen, warned: true })); // what it saw is the evidence
    warn(seen, page);
  } else {
    localStorage.setItem(kept, JSON.stringify({ size: page.size, root: page.root, at: Date.now(), asked: Date.now() }));
    warning.hidden = true;
  }
}

if (window.isSecureContext && warning && tournament) look().catch(() => {}); // offline, or a browser that keeps nothing
