// The hall: which tiles are shown, and whether with names. What was chosen holds when the page renews itself.

let wanted = "all";
let density = matchMedia("(max-width: 40rem)").matches ? "numbers" : "names";

const press = (buttons, chosen) => buttons.forEach((button) => button.setAttribute("aria-pressed", chosen(button)));

function show() {
  for (const tile of document.querySelectorAll(".tile")) tile.parentElement.hidden = wanted !== "all" && !tile.dataset.among.split(" ").includes(wanted);
  press(document.querySelectorAll("[data-filter]"), (button) => button.dataset.filter === wanted);
  press(document.querySelectorAll("button[data-density]"), (button) => button.dataset.density === density);
  document.body.dataset.density = density;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-filter], button[data-density]");
  if (!button) return;
  if (button.dataset.filter) wanted = button.dataset.filter;
  else density = button.dataset.density;
  show();
});
document.addEventListener("refreshed", (event) => event.target.id === "floor" && show());
if (document.querySelectorAll(".tile").length > 100) density = "numbers";
show();
