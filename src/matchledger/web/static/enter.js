// The key stands behind the #, which browsers send to nobody: it is taken from there and sent in once.

const key = document.getElementById("key");

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
