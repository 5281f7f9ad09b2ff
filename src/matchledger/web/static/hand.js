// A round paired by hand: the players who have no seat yet, and the tables. A click on a player, or Enter in the field
// that finds a name, seats the player at the next free place, or in the field that was left empty last. A table with
// both players is one line, whose names lead back to its fields. Of the empty tables, only the next one is shown.

const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
const bar = document.getElementById("seat-bar");
const picks = [...document.querySelectorAll("#picks li button")];
const find = document.getElementById("find-pick");
const rows = [...document.querySelectorAll(".pair")].map((row) => ({ row, fields: [...row.querySelectorAll("input")], isBye: row.matches(".bye") }));
const fields = rows.flatMap((row) => row.fields);
const rowOf = new Map(rows.flatMap((row) => row.fields.map((field) => [field, row])));
const others = document.getElementById("others");
const turn = document.getElementById("turn");
const check = document.getElementById("check-round");
const isNext = check.matches(".main"); // the button of this step, once somebody has a seat
const phone = matchMedia("(max-width: 62rem)");
const [FEW, MANY] = [6, 40]; // players in the list: the others are found by name
const typed = (pick) => pick.dataset.typed ?? pick.firstElementChild.textContent;
const called = new Map(picks.map((pick) => [pick, plain(pick.firstElementChild.textContent)]));
const headings = [...document.querySelectorAll("#picks .of")].map((line) => ({ line, picks: [] }));
for (const pick of picks) headings.findLast(({ line }) => line.compareDocumentPosition(pick) & Node.DOCUMENT_POSITION_FOLLOWING)?.picks.push(pick);
let wanted = null;

// The player of a text: a number, a name, or the beginning of one name.
function player(text) {
  const words = plain(text);
  if (!words) return null;
  const number = words.match(/^#(\d+)/)?.[1];
  if (number) return picks.find((pick) => pick.value === number) ?? null;
  const whole = picks.filter((pick) => called.get(pick) === words);
  const found = whole.length ? whole : picks.filter((pick) => called.get(pick).startsWith(words));
  return found.length === 1 ? found[0] : null;
}

const next = () => (wanted && !wanted.value ? wanted : fields.find((field) => !field.value));

function place(field) {
  if (!field) return turn.dataset.full;
  const { isBye } = rowOf.get(field);
  return isBye ? turn.dataset.bye : turn.dataset.turn.replace("{}", rows.indexOf(rowOf.get(field)) + 1);
}

function show() {
  const players = new Map(fields.map((field) => [field, player(field.value)]));
  const taken = new Set(players.values());
  const active = document.activeElement;
  const typing = active === find || fields.includes(active) ? plain(active.value) : "";
  const left = picks.filter((pick) => !taken.has(pick));
  const fits = left.filter((pick) => plain(typed(pick)).includes(typing));
  const shown = (fits.length || active === find ? fits : left).slice(0, phone.matches ? FEW : MANY);
  for (const pick of picks) pick.parentElement.hidden = !shown.includes(pick);
  for (const heading of headings) heading.line.hidden = !heading.picks.some((pick) => shown.includes(pick));
  others.hidden = shown.length === left.length;
  others.textContent = others.dataset.more.replace("{}", left.length - shown.length);
  document.getElementById("unseated").textContent = left.length;
  document.getElementById("seated").textContent = bar.dataset.seated.replace("{}", picks.length - left.length).replace("{}", picks.length);
  const field = next();
  const text = left.length ? place(field) : turn.dataset.full;
  check.classList.toggle("main", isNext && left.length < picks.length);
  if (left.length === 0 && active === find) check.focus();
  find.parentElement.hidden = left.length === 0;
  if (turn.textContent !== text) turn.textContent = text;
  bar.classList.toggle("full", left.length === 0);
  const free = rows.find((row) => !row.isBye && row.fields.some((one) => !one.value));
  for (const row of rows) {
    const isLine = row.fields.every((one) => players.get(one)) && !row.row.contains(active);
    row.row.classList.toggle("line", isLine);
    row.row.classList.toggle("spare", !row.isBye && row !== free && row.fields.every((one) => !one.value) && !row.row.contains(active));
    row.clear.hidden = row.fields.every((one) => !one.value);
    for (const one of row.fields) {
      one.classList.toggle("unseen", isLine);
      one.classList.toggle("wanted", one === field && left.length > 0);
      one.who.hidden = !isLine;
      if (isLine) one.who.replaceChildren(...players.get(one).firstElementChild.cloneNode(true).childNodes);
    }
  }
}

function write(field, text) {
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true })); // the draft keeps it
}

function seat(pick) {
  const typing = wanted?.value && !player(wanted.value) ? wanted : null;
  const field = typing ?? next();
  if (!field) return;
  const shown = picks.filter((one) => !one.parentElement.hidden && one !== pick);
  const isFinding = document.activeElement === find;
  wanted = null;
  find.value = "";
  write(field, typed(pick));
  if (isFinding) return;
  (shown.find((one) => picks.indexOf(one) > picks.indexOf(pick) && !one.parentElement.hidden) ?? picks.find((one) => !one.parentElement.hidden) ?? field).focus();
}

function clear(row) {
  for (const field of row.fields) write(field, "");
  row.fields[0].focus();
}

for (const [at, row] of rows.entries()) {
  for (const field of row.fields) {
    field.who = document.createElement("label");
    field.who.htmlFor = field.id;
    field.who.className = "who";
    field.after(field.who);
    field.addEventListener("change", () => {
      const found = player(field.value);
      if (found && field.value !== typed(found)) write(field, typed(found));
    });
  }
  row.clear = document.createElement("button");
  Object.assign(row.clear, { type: "button", tabIndex: -1, className: "plain clear", textContent: "×" });
  row.clear.setAttribute("aria-label", row.isBye ? bar.dataset.freeBye : bar.dataset.free.replace("{}", at + 1));
  row.clear.addEventListener("click", () => clear(row));
  row.row.append(row.clear);
}
document.addEventListener("input", show);
document.addEventListener("focusin", (event) => {
  if (fields.includes(event.target)) wanted = event.target;
  show();
});
document.addEventListener("focusout", () => setTimeout(show));
find.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  const first = picks.find((pick) => !pick.parentElement.hidden);
  if (find.value.trim() && first) seat(first);
});
phone.addEventListener("change", show);
for (const pick of picks) pick.addEventListener("click", () => seat(pick));
show();
