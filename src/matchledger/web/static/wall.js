// The wall turns its pages by itself: as many lines as fit, and the same again every few seconds.
// Space or the button holds it; ?seconds= says how long a page stays. Nothing slides or fades.

const seconds = Math.min(Math.max(Number(new URLSearchParams(location.search).get("seconds")) || 10, 3), 120);
const [lines, page, pause] = ["lines", "page", "pause"].map((id) => document.getElementById(id));
let number = 0;
let timer = null;

const rows = () => [...lines.querySelectorAll("tbody tr")];

function fitting() {
  const all = rows();
  if (all.length === 0) return 1;
  all[0].hidden = false;
  const head = lines.querySelector("thead").getBoundingClientRect().height;
  const height = all[0].getBoundingClientRect().height;
  const scrolls = getComputedStyle(lines).overflowY === "visible";
  return scrolls ? all.length : Math.max(1, Math.floor((lines.clientHeight - head) / height));
}

function show() {
  const all = rows();
  const fit = fitting();
  const pages = Math.max(1, Math.ceil(all.length / fit));
  number %= pages;
  all.forEach((row, index) => {
    row.hidden = Math.floor(index / fit) !== number;
  });
  page.textContent = page.dataset.text.replace("{page}", number + 1).replace("{pages}", pages);
  pause.hidden = pages === 1;
}

function turn(by) {
  number = Math.max(0, number + by);
  show();
}

function go(on) {
  clearInterval(timer);
  timer = on ? setInterval(() => turn(1), seconds * 1000) : null;
  pause.textContent = on ? pause.dataset.pause : pause.dataset.go;
}

pause.addEventListener("click", () => go(timer === null));
document.addEventListener("keydown", (event) => {
  if (event.target.closest("a, button")) return;
  if (event.key === " ") go(timer === null);
  else if (event.key === "ArrowRight") turn(1);
  else if (event.key === "ArrowLeft") turn(-1);
  else return;
  event.preventDefault();
});
document.addEventListener("refreshed", show);
addEventListener("resize", show);
show();
go(true);
