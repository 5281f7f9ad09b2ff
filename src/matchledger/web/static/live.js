// Live pages: when the log has grown, every part marked data-live is fetched again and replaced in place.
// The page stays readable while the line is down, and says so.

import { hold } from "./hold.js";
import { announce } from "./said.js";

// The answer to a form is at an address that cannot be asked for. What it says stays; what is around it follows the page
// of the form, `look`.
const { look } = document.body.dataset;
const parts = () => [...document.querySelectorAll("[data-live][id]")].filter((part) => look === undefined || !part.closest("main"));

// Nobody loses what they are about to say.
const TYPING = "input:focus, select:focus, textarea:focus";
const isBusy = (part) => part.querySelector("holds" in part.dataset ? TYPING : `details[open]:has(form), ${TYPING}`) !== null;

let tag = null; // of the page as it was last looked at
let isBehind = false; // a part waits until nobody is busy in it

// A page of the desk, and a player's own, needs a key. The server forgets its own key when it stops, and a link can
// be revoked.
const { home } = document.body.dataset;
const needsKey = home !== undefined || "own" in document.body.dataset;
const isTurnedAway = ({ status, url }) => status === 401 || status === 403 || new URL(url).pathname === "/enter";

// Shows whether the server still lets this page in, and returns it.
function isLetIn(answer) {
  const isIn = !isTurnedAway(answer);
  if (answer.ok || !isIn) {
    document.getElementById("cut-off").hidden = isIn;
    document.dispatchEvent(new CustomEvent("admitted", { detail: isIn }));
  }
  return isIn;
}

async function refresh() {
  if (parts().length === 0 && !needsKey) return;
  const answer = await fetch(look ?? location.href, { headers: { Accept: "text/html" }, cache: "no-cache" });
  if (needsKey && !isLetIn(answer)) return;
  if (!answer.ok || (tag !== null && tag === answer.headers.get("etag"))) return;
  tag = answer.headers.get("etag");
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const before = told();
  isBehind = false;
  for (const part of parts()) {
    if (isBusy(part)) {
      tag = null; // it is looked at again
      isBehind = true;
      continue;
    }
    const fresh = page.getElementById(part.id);
    if (fresh && fresh.innerHTML !== part.innerHTML) {
      const putBack = hold(part);
      part.replaceChildren(...fresh.childNodes);
      putBack();
      part.dispatchEvent(new CustomEvent("refreshed", { bubbles: true }));
    }
  }
  if (look === undefined && document.querySelector(".wall .screen") === null) document.title = page.title; // the wall names what it shows now
  announce(told().filter((line) => !before.includes(line)).join(". "));
}

// What a page is about, said when it has changed: the round, somebody's table, whether all results are in.
function told() {
  return [...document.querySelectorAll("h1, [data-tell]")].map((line) => line.textContent.replace(/\s+/g, " ").trim());
}

// Thousands of phones hear of a change in the same moment: each waits a little while of its own before it asks.
const patience = Number(document.body.dataset.patience ?? 3000);
let waiting = null;
let missed = false;

document.addEventListener("visibilitychange", () => {
  if (document.hidden || !missed) return;
  missed = false;
  soon();
});

function soon() {
  if (document.hidden) {
    missed = true; // a phone in a pocket asks when it is taken out
  } else if (waiting === null) {
    waiting = setTimeout(async () => {
      waiting = null;
      try {
        await refresh();
      } catch {
        soon();
      }
    }, Math.random() * patience);
  }
}

for (const end of ["focusout", "toggle"]) document.addEventListener(end, () => isBehind && soon(), true);

// Some pages also change without a new entry in the log.
const again = Number(document.body.dataset.again);
if (again) setInterval(soon, again * 1000);

// The end of a station's link is not in the log either.
async function knock() {
  if (document.hidden) return;
  const wasOut = !document.getElementById("cut-off").hidden;
  const answer = await fetch(`${home}/admitted`, { cache: "no-store" }).catch(() => null); // the page says that it is offline
  if (answer !== null && isLetIn(answer) && wasOut) soon();
}

const PAUSE = 5000; // milliseconds
if (home !== undefined && !again) {
  setInterval(knock, PAUSE);
  document.addEventListener("visibilitychange", knock);
}

const address = document.body.dataset.stream;
let known = null;

// A page that was asked for before the latest entry, `age` milliseconds ago, may have been written without that entry.
function heard(position, age) {
  const isBack = needsKey && document.body.classList.contains("offline"); // perhaps on a server that was started anew
  document.body.classList.remove("offline");
  document.dispatchEvent(new CustomEvent("position", { detail: Number(position) }));
  if (isBack || (known === null ? age < performance.now() : known !== position)) soon();
  known = position;
}

const unheard = () => document.body.classList.add("offline");

// The pages of a browser share one stream. There is none to share on some phones, or in a frame of another site.
function shared() {
  try {
    return new SharedWorker(new URL("stream.js", import.meta.url)).port;
  } catch {
    return null;
  }
}

function listen() {
  const port = shared();
  if (port === null) {
    const source = new EventSource(address);
    let age = Infinity;
    source.addEventListener("age", ({ data }) => (age = 1000 * data));
    source.addEventListener("position", ({ data }) => heard(data, age));
    source.addEventListener("error", unheard);
    return;
  }
  port.addEventListener("message", ({ data }) => (data.offline ? unheard() : heard(data.position, data.age)));
  port.start();
  port.postMessage({ listen: address });
  // A page that is left may be kept, and listens again when somebody returns to it.
  addEventListener("pagehide", () => port.postMessage({}));
  addEventListener("pageshow", (event) => event.persisted && port.postMessage({ listen: address }));
}

if (address) listen();
