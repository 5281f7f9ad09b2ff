// Finding a name: the list gets shorter with every letter, and the player of this phone stands above it.

const ROWS = "#seats [data-name], #places tbody tr";
const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
const field = () => document.getElementById("find");

let wanted = field()?.value ?? "";

const holds = (row) => (row.dataset.name ?? plain(row.querySelector("th")?.textContent ?? "")).includes(plain(wanted));

function filter() {
  const search = plain(wanted) !== "";
  let shown = 0;
  for (const row of document.querySelectorAll(ROWS)) {
    row.hidden = search && (row.className === "cut" || !holds(row));
    shown += row.hidden ? 0 : 1;
  }
  for (const letters of document.querySelectorAll(".initials")) letters.hidden = search;
  for (const section of document.querySelectorAll("#places > section")) section.hidden = !section.querySelector("tbody tr:not([hidden])");
  document.getElementById("places")?.classList.toggle("search", search);
  const none = document.getElementById("none");
  if (none) none.hidden = shown > 0 || !search;
  return shown;
}

let typing = null;

// How many are left is said once somebody has stopped typing.
function tell(shown) {
  clearTimeout(typing);
  typing = setTimeout(() => {
    document.getElementById("said").textContent = plain(wanted) ? field().dataset.found.replace("{}", shown) : "";
  }, 600);
}

function remembered() {
  try {
    return localStorage.getItem(`me:${document.body.dataset.tournament}`);
  } catch {
    return null; // a browser that keeps nothing
  }
}

function showMine() {
  const mine = document.getElementById("mine");
  if (!mine) return;
  const row = document.getElementById(`p${remembered()}`);
  mine.hidden = row === null;
  if (row === null) return;
  const link = row.querySelector("a").cloneNode(true);
  if (row.tagName !== "TR") {
    mine.replaceChildren(link);
    return;
  }
  const [table, opponent] = [...row.querySelectorAll("td")].map((cell) => cell.textContent);
  const heads = [...document.querySelectorAll("#seats thead th")].map((cell) => cell.textContent);
  const strong = document.createElement("strong");
  strong.textContent = ` ${heads[1]} ${table}`;
  mine.replaceChildren(link, strong, ` · ${opponent}`);
}

document.querySelector(".find-go")?.remove();
document.addEventListener("submit", (event) => {
  if (event.target.contains(field())) event.preventDefault();
});
document.addEventListener("input", (event) => {
  if (event.target !== field()) return;
  wanted = event.target.value;
  tell(filter());
});
document.addEventListener("refreshed", () => {
  if (field()) field().value = wanted;
  filter();
  showMine();
});
filter();
showMine();
