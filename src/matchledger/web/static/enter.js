// The key stands behind the #, which browsers send to nobody: it is taken from there and sent in once.

const key = document.getElementById("key");

// The slips of every tournament that wait in this browser: a log-in sends them.
const piles = Object.keys(localStorage).filter((name) => /^matchledger-pile-(?!.*-unsettled$)/.test(name));
const left = piles.reduce((count, name) => count + JSON.parse(localStorage.getItem(name)).length, 0);
const waiting = document.getElementById("waiting");
waiting.hidden = !left;
waiting.textContent = (left === 1 ? waiting.dataset.waitingOne : waiting.dataset.waiting).replace("{}", left);

function fromLink(text) {
  return text.includes("#") ? text.slice(text.indexOf("#") + 1) : text;
}

function enter() {
  if (location.hash.length > 1) {
    key.value = location.hash.slice(1);
    history.replaceState(null, "", "/enter");
    key.form.requestSubmit();
  }
}

enter();
addEventListener("hashchange", enter); // a new link in the address bar of this page loads nothing anew
key.form.addEventListener("submit", () => {
  key.value = fromLink(key.value.trim());
});
