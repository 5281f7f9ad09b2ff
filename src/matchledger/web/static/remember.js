// A phone can remember whose it is. Nothing is sent anywhere.

const card = document.getElementById("card");
const place = document.getElementById("remember");
const button = place?.querySelector("button"); // after the end there is none
const key = `me:${document.body.dataset.tournament}`;

function show() {
  const mine = localStorage.getItem(key) === card.dataset.player;
  button.textContent = mine ? button.dataset.no : button.dataset.yes;
  place.querySelector(".soft").hidden = mine;
  return mine;
}

function offer() {
  try {
    show();
    place.hidden = false;
    button.addEventListener("click", () => {
      if (show()) localStorage.removeItem(key);
      else localStorage.setItem(key, card.dataset.player);
      show();
    });
  } catch {
    place.hidden = true; // a browser that keeps nothing
  }
}

if (place) offer();
