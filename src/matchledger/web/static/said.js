// What happened, for whoever does not see it: said in the one place of a page that is read aloud when it changes.

const place = document.getElementById("said");

export function announce(text) {
  if (text && place.textContent !== text) place.textContent = text;
}

// What a page says from its beginning is read by nobody but who comes across it: it is said once the page is there,
// unless the cursor stands on it anyway.
export function announceWhatWasDone() {
  const lines = [...document.querySelectorAll("[data-said]")].filter((line) => line !== document.activeElement);
  setTimeout(() => announce(lines.map((line) => line.textContent.trim()).join(" ")), 300);
}
