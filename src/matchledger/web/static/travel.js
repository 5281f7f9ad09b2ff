// Time travel: the slider moves the standings. Without this module, the button beside it does.

let waiting = null;
let asked = null;

async function travel(position) {
  const address = new URL(document.querySelector(".travel").action);
  address.searchParams.set("entry", position);
  asked = address.href;
  const answer = await fetch(address, { headers: { Accept: "text/html" } });
  if (!answer.ok || asked !== address.href) return; // the slider has moved on
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [now, then] = [document.getElementById("standings"), page.getElementById("standings")];
  const slider = document.getElementById("entry");
  for (const part of ["h1", ".moment", ".champions", "#places", ".tabs", ".rounds-nav", ".clocks", ".provisional", ".steps"]) {
    const [old, fresh] = [now.querySelector(part), then.querySelector(part)];
    if (old && fresh) old.replaceWith(fresh);
    else if (old && [".champions", ".provisional", ".tabs"].includes(part)) old.remove();
    else if (fresh) now.querySelector("#places").before(fresh);
  }
  document.dispatchEvent(new CustomEvent("refreshed"));
  slider.max = then.querySelector("#entry").max;
  history.replaceState(null, "", address);
  document.title = page.title;
  document.getElementById("said").textContent = now.querySelector(".moment").textContent.trim();
}

document.addEventListener("input", (event) => {
  if (event.target.id !== "entry") return;
  document.getElementById("entry-number").textContent = event.target.value;
  clearTimeout(waiting);
  waiting = setTimeout(() => travel(event.target.value), 120);
});
