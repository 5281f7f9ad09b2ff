// Divisions that play apart: the standings show one of them, at first that of the player of this phone.

let chosen = location.hash.startsWith("#d-") ? location.hash : null;

function show(address) {
  for (const tab of document.querySelectorAll("#divisions a")) {
    const current = tab.hash === address;
    tab.classList.toggle("open", current);
    if (current) tab.setAttribute("aria-current", "true");
    else tab.removeAttribute("aria-current");
    document.getElementById(tab.hash.slice(1)).classList.toggle("open", current);
  }
}

const ofMine = () => document.getElementById("me")?.closest("section");

function choose() {
  const tabs = [...document.querySelectorAll("#divisions a")];
  const mine = ofMine();
  const first = mine ? `#${mine.id}` : tabs.find((tab) => tab.className === "open")?.hash;
  show(tabs.some((tab) => tab.hash === chosen) ? chosen : first);
}

document.addEventListener("click", (event) => {
  const tab = event.target.closest("#divisions a");
  if (tab) {
    event.preventDefault(); // the page stays where it is
    chosen = tab.hash;
    history.replaceState(null, "", chosen);
    show(chosen);
  } else if (event.target.closest("#to-me")) {
    show(`#${ofMine().id}`);
  }
});
document.addEventListener("refreshed", choose);
choose();
