// Live pages: when the log has grown, every part marked data-live is fetched again and replaced in place.
// The page stays readable while the line is down, and says so.

const parts = () => document.querySelectorAll("[data-live][id]");

// Nobody loses what they are about to say.
const isBusy = (part) => part.querySelector("details[open], input:focus, select:focus, textarea:focus") !== null;

async function refresh() {
  if (parts().length === 0) return;
  const answer = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-cache" });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of parts()) {
    if (isBusy(part)) continue;
    const fresh = page.getElementById(part.id);
    if (fresh && fresh.innerHTML !== part.innerHTML) {
      part.replaceChildren(...fresh.childNodes);
      part.dispatchEvent(new CustomEvent("refreshed", { bubbles: true }));
    }
  }
}

// Thousands of phones hear of a change in the same moment: each waits a little while of its own before it asks.
const patience = Number(document.body.dataset.patience ?? 3000);
let waiting = null;

function soon() {
  if (waiting === null) {
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

const address = document.body.dataset.stream;
if (address) {
  let known = null;
  const source = new EventSource(address);
  source.addEventListener("position", (event) => {
    document.body.classList.remove("offline");
    document.dispatchEvent(new CustomEvent("position", { detail: Number(event.data) }));
    if (known !== null && known !== event.data) soon();
    known = event.data;
  });
  source.addEventListener("error", () => document.body.classList.add("offline"));
}
