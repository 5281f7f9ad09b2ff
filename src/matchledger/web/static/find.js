// Finding a name: the list gets shorter with every letter, and the player of this phone stands above it.

const field = document.getElementById("find");
const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();

function filter() {
  const wanted = plain(field.value);
  let shown = 0;
  for (const row of document.querySelectorAll("#seats [data-name]")) {
    row.hidden = !row.dataset.name.includes(wanted);
    shown += row.hidden ? 0 : 1;
  }
  for (const letters of document.querySelectorAll(".initials")) letters.hidden = wanted !== "";
  const none = document.getElementById("none");
  if (none) none.hidden = shown > 0 || wanted === "";
  return shown;
}

let typing = null;

// How many are left is said once somebody has stopped typing.
function tell(shown) {
  clearTimeout(typing);
  typing = setTimeout(() => {
    document.getElementById("said").textContent = field.value.trim() ? field.dataset.found.replace("{}", shown) : "";
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
field.form.addEventListener("submit", (event) => event.preventDefault());
field.addEventListener("input", () => tell(filter()));
document.addEventListener("refreshed", () => {
  filter();
  showMine();
});
filter();
showMine();
