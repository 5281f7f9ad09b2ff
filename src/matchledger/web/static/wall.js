// The wall turns its pages by itself: every screen in turn, as many lines as fit, and the same again every few seconds.
// Space or the button holds it; ?seconds= says how long a page stays. Nothing slides or fades.

const seconds = Math.min(Math.max(Number(new URLSearchParams(location.search).get("seconds")) || 10, 3), 120);
const [lines, page, pause, heading, bar] = ["lines", "page", "pause", "heading", "next"].map((id) => document.getElementById(id));
const base = document.title.split(" – ").slice(1).join(" – ");
const next = bar ?? document.createElement("progress"); // the clock has one page
let number = 0;
let timer = null;

const screens = () => [...lines.querySelectorAll(".screen")];
const rows = (screen) => [...screen.querySelectorAll(".wall-row")];

// How many lines a screen holds: what the style sheet says, in as many columns; all of them where the page scrolls.
function fitting(screen = lines) {
  if (getComputedStyle(lines).overflowY === "visible") return Infinity;
  screen.style.removeProperty("--rows"); // fit() may have set it
  return Number(getComputedStyle(screen).getPropertyValue("--rows")) * Number(lines.dataset.cols);
}

function pages() {
  for (const screen of screens()) {
    const fit = fitting(screen);
    // Where the tables need several pages, those that are still playing come first.
    if (screen.matches(".tables") && rows(screen).length > fit) screen.querySelector(".wall-list").prepend(...screen.querySelectorAll(".wall-row.out"));
  }
  return screens().flatMap((screen) => {
    const fit = fitting(screen);
    const all = rows(screen);
    const count = Math.max(1, Math.ceil(all.length / fit));
    return Array.from({ length: count }, (_, at) => ({ screen, first: at * fit, last: Math.min(all.length, (at + 1) * fit), count, at }));
  });
}

// The beginning of the surname: the list is in this order.
const word = ({ dataset: { by } }) => by.slice(0, 1).toUpperCase() + by.slice(1, 3);

// The number of a table, and whether rows are tables in the order of their numbers.
const table = (row) => row.querySelector(".t").textContent;
const rises = (rows) => rows.every((row, at) => at === 0 || Number(table(row)) > Number(table(rows[at - 1])));

// The names of a page have one size: a list that fills less than a page is set larger, in columns of equal length, and
// up to eight lines in one column. A page with a name that does not fit is set smaller, and at the smallest size a name
// that still does not fit takes two lines: nothing is cut off.
function fit(screen, shown, isWhole) {
  const { style } = screen;
  const lists = [...screen.querySelectorAll(".wall-list")];
  const cols = lists.length > 1 ? lists.length : isWhole && shown.length <= 8 ? 1 : Number(lines.dataset.cols);
  const longest = lists.length > 1 ? Math.max(...lists.map((list) => list.children.length)) : Math.ceil(shown.length / cols);
  const least = Math.max(4, longest);
  const isShort = isWhole && least * cols < fitting(screen);
  style.setProperty("--cols", lists.length > 1 ? 1 : cols);
  screen.classList.toggle("single", cols === 1);
  style.setProperty("--rows", isShort ? least : "");
  style.setProperty("--grow", "");
  const used = Math.ceil(shown.length / Number(getComputedStyle(screen).getPropertyValue("--rows")));
  if (lists.length === 1) screen.querySelectorAll(".wall-head").forEach((head, at) => (head.hidden = at >= Math.min(used, cols)));
  const lineHeight = screen.matches(".names") ? 2 : 1.5; // the opponent is below the name
  const heads = screen.querySelector(".wall-heads")?.clientHeight ?? 0; // they grow with the list
  const largest = (lists[0]?.clientHeight + heads) / (lineHeight * least * parseFloat(getComputedStyle(lines).fontSize) + heads);
  const own = shown.flatMap((row) => [...row.querySelectorAll(":scope > .n")]);
  const opponents = shown.flatMap((row) => [...row.querySelectorAll(":scope > .o:not(.end)")]);
  const wide = (cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth);
  const isTall = () => screen.matches(".names") && shown.some((row) => row.scrollHeight > row.clientHeight + 1);
  for (const cell of [...own, ...opponents]) cell.classList.remove("long");
  style.setProperty("--fit", 1);
  style.setProperty("--fit-opponent", 1);
  for (const size of isShort ? [3, 2.7, 2.4, 2.2, 2, 1.8, 1.6, 1.4, 1.2, 1].filter((one) => one === 1 || one <= largest) : []) {
    style.setProperty("--grow", size);
    if (wide([...own, ...opponents]).length === 0 && !isTall()) return;
  }
  for (const [cells, measure] of [[own, "--fit"], [opponents, "--fit-opponent"]]) {
    for (const size of [1, 0.92, 0.84, 0.76, 0.66]) {
      style.setProperty(measure, size);
      if (wide(cells).length === 0 && !isTall()) break;
    }
    for (const cell of wide(cells)) cell.classList.add("long");
  }
}

// A bracket is as large as its screen allows: smaller where a name would take two lines, or where the last game would be cut off.
function fitBrackets(screen) {
  const names = [...screen.querySelectorAll(".side > :nth-child(2), .bracket h3")];
  const breaks = () => names.some((name) => name.offsetHeight > 1.7 * parseFloat(getComputedStyle(name).fontSize));
  const spills = () => [...screen.querySelectorAll(".wide")].some((tree) => tree.scrollHeight > tree.clientHeight + 1);
  const sizes = [1.7, 1.6, 1.5, 1.4, 1.3, 1.2, 1.1, 1, 0.92, 0.84, 0.76, 0.68, 0.6, 0.52];
  const holds = (isGood) => sizes.some((size) => (screen.style.setProperty("--fit", size), isGood()));
  return holds(() => !breaks() && !spills()) || holds(() => !spills());
}

// Each place of a podium has one line, so that the places of two divisions are side by side.
function fitPlaces(screen) {
  const names = [...screen.querySelectorAll(".places li > :nth-child(2)")];
  const breaks = () => names.some((name) => name.offsetHeight > 1.7 * parseFloat(getComputedStyle(name).fontSize));
  for (const size of [1, 0.92, 0.84, 0.76, 0.68, 0.6]) {
    screen.style.setProperty("--fit", size);
    if (!breaks()) return;
  }
}

// A title card says what the heading says: the heading is not seen, unless the clock of the round is beside it.
function head() {
  const isBare = lines.querySelector(".welcome") !== null && document.querySelector("#waiting b, .top .clock") === null;
  heading.closest("header > div").classList.toggle("unseen", isBare);
}

function show() {
  head();
  const all = pages();
  if (all.length === 0) return;
  number %= all.length;
  const now = all[number];
  const scrolls = fitting() === Infinity;
  for (const screen of screens()) {
    screen.hidden = !scrolls && screen !== now.screen;
    rows(screen).forEach((row, index) => {
      row.hidden = !scrolls && (index < now.first || index >= now.last);
    });
  }
  if (!scrolls && now.screen.matches(".bracket")) fitBrackets(now.screen);
  else if (!scrolls && now.screen.matches(".podium")) fitPlaces(now.screen);
  else fit(now.screen, rows(now.screen).slice(now.first, now.last === Infinity ? undefined : now.last), !scrolls && now.count === 1);
  heading.textContent = now.screen.dataset.title;
  document.title = `${now.screen.dataset.title} – ${base}`;
  const shown = rows(now.screen);
  const said = (text, from, to) => `${text.replace("{from}", from).replace("{to}", to)} · ${now.at + 1}/${now.count}`;
  if (now.count > 1 && now.screen.matches(".names, .auto")) page.textContent = said(page.dataset.text, word(shown[now.first]), word(shown[now.last - 1]));
  else if (now.count > 1 && now.screen.matches(".standings")) page.textContent = said(page.dataset.places, now.first + 1, now.last);
  else if (now.count > 1 && rises(shown.slice(now.first, now.last))) page.textContent = said(page.dataset.tables, table(shown[now.first]), table(shown[now.last - 1]));
  else page.textContent = page.dataset.page.replace("{page}", number + 1).replace("{pages}", all.length);
  page.hidden = next.hidden = scrolls || all.length === 1;
  pause.hidden = scrolls || all.length === 1;
}

function turn(by) {
  number = Math.max(0, number + by);
  next.value = 0;
  show();
}

// The bar beside the page's name is full when the next page comes.
function tick() {
  next.value += 1;
  if (next.value < seconds) return;
  turn(1);
}

function go(on) {
  clearInterval(timer);
  next.max = seconds;
  next.value = 0;
  timer = on ? setInterval(tick, 1000) : null;
  next.classList.toggle("held", !on);
  pause.textContent = on ? pause.dataset.pause : pause.dataset.go;
  attend();
}

// Nobody in the hall needs the controls: they are hidden until somebody at the screen moves the mouse or presses a key.
let alone = null;

function attend() {
  document.body.classList.remove("idle");
  clearTimeout(alone);
  if (timer !== null) alone = setTimeout(() => document.body.classList.add("idle"), 5000);
}

for (const kind of ["pointermove", "pointerdown", "keydown"]) addEventListener(kind, attend, true);

pause.addEventListener("click", () => go(timer === null));
document.addEventListener("keydown", (event) => {
  if (event.target.closest("a, button")) return;
  if (event.key === " ") go(timer === null);
  else if (event.key === "ArrowRight") turn(1);
  else if (event.key === "ArrowLeft") turn(-1);
  else return;
  event.preventDefault();
});
document.addEventListener("refreshed", (event) => {
  head();
  if (event.target !== lines) return;
  const first = screens()[0]?.className;
  if (first !== known) number = 0; // what was posted just now is seen first
  known = first;
  show();
});
let known = screens()[0]?.className;
addEventListener("resize", show);
document.fonts.addEventListener("loadingdone", show); // names are as wide as the typeface makes them
show();
go(true);
document.body.classList.add("idle");
