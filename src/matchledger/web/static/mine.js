// The row of the player whose phone this is, marked in a table of all players, with a link to it.

function showMine() {
  let player = null;
  try {
    player = localStorage.getItem(`me:${document.body.dataset.tournament}`);
  } catch {} // a browser that keeps nothing
  const link = player && document.querySelector(`tbody th a:is([href$="player/${player}"], [href$="player-${player}.html"])`);
  const button = document.getElementById("to-me");
  if (button) button.hidden = !link;
  if (!link) return;
  const row = link.closest("tr");
  row.id = "me";
  row.classList.add("marked");
}

document.addEventListener("refreshed", showMine);
showMine();
