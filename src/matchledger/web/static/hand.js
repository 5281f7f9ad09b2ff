// A round paired by hand: the players who have no seat yet, and the tables. A click on a player, or Enter in the field
// that finds a name, seats the player at the next free place, or in the field that was left empty last. A table with
// both players is one line, whose names lead back to its fields. The next empty tables are below it, and on a phone only
// the next one. A table whose players have met, play apart or sit elsewhere, too, says so.

const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
const bar = document.getElementById("seat-bar");
const picks = [...document.querySelectorAll("#picks li button")];
const list = document.getElementById("picks");
const find = document.getElementById("find-pick");
const rows = [...document.querySelectorAll(".pair")].map((row) => ({ row, fields: [...row.querySelectorAll("input")], isBye: row.matches(".bye") }));
const fields = rows.flatMap((row) => row.fields);
const rowOf = new Map(rows.flatMap((row) => row.fields.map((field) => [field, row])));
const others = document.getElementById("others");
const turn = document.getElementById("turn");
const check = document.getElementById("check-round");
const isNext = check.matches(".main"); // the button of this step, once somebody has a seat
const phone = matchMedia("(max-width: 40rem)");
const [FEW, MANY] = [6, 40]; // players in the list at first: the others are found by name, or shown by a button
const AHEAD = 20; // empty tables in sight, with the next one
const nameOf = (pick) => pick.querySelector("span");
const typed = (pick) => pick.dataset.typed ?? nameOf(pick).textContent;
const called = new Map(picks.map((pick) => [pick, plain(nameOf(pick).textContent)]));
const met = new Map(picks.map((pick) => [pick, (pick.dataset.met ?? "").split(" ")]));
const headings = [...document.querySelectorAll("#picks .of")].map((line) => ({ line, picks: [] }));
for (const pick of picks) headings.findLast(({ line }) => line.compareDocumentPosition(pick) & Node.DOCUMENT_POSITION_FOLLOWING)?.picks.push(pick);
const divisionOf = (pick) => headings.find((heading) => heading.picks.includes(pick))?.line.textContent;
const filled = (text, ...values) => values.reduce((made, value) => made.replace("{}", value), text);
let wanted = null;
let isWhole = false;

// The player of a text: a number, a name, or the beginning of one name.
function player(text) {
  const words = plain(text);
  if (!words) return null;
  const number = words.match(/^#(\d+)/)?.[1] ?? words.match(/^\d+$/)?.[0];
  if (number) return picks.find((pick) => pick.value === number) ?? null;
  const whole = picks.filter((pick) => called.get(pick) === words);
  const found = whole.length ? whole : picks.filter((pick) => called.get(pick).startsWith(words));
  return found.length === 1 ? found[0] : null;
}

const next = () => (wanted && !wanted.value ? wanted : fields.find((field) => !field.value));

function place(field) {
  if (!field) return turn.dataset.full;
  const row = rowOf.get(field);
  if (row.isBye) return turn.dataset.bye;
  const seated = waiting(field);
  const table = rows.indexOf(row) + 1;
  return seated ? filled(turn.dataset.half, table, nameOf(seated).textContent) : filled(turn.dataset.turn, table);
}

// The player who waits for an opponent at the table of a field.
const waiting = (field) => (rowOf.get(field).isBye ? null : rowOf.get(field).fields.map((one) => player(one.value)).find(Boolean) ?? null);

// The round in which two players met, in words.
function meeting(first, second) {
  const round = met.get(first).lastIndexOf(second.value) + 1;
  return round ? filled(bar.dataset.met, round) : "";
}

const isApart = (first, second) => divisionOf(first) !== divisionOf(second);

// What is wrong with the players of a table, in words.
function doubts(seated, seats) {
  const twice = seated.find((pick) => seats.get(pick) > 1);
  if (twice) return filled(bar.dataset.twice, nameOf(twice).textContent);
  if (seated.length < 2) return "";
  return meeting(...seated) || (isApart(...seated) ? filled(bar.dataset.against, ...seated.map(divisionOf)) : "");
}

function show() {
  const players = new Map(fields.map((field) => [field, player(field.value)]));
  const taken = new Set(players.values());
  const active = document.activeElement;
  const typing = active === find || fields.includes(active) ? plain(active.value) : "";
  const left = picks.filter((pick) => !taken.has(pick));
  const seats = new Map();
  for (const pick of players.values()) seats.set(pick, (seats.get(pick) ?? 0) + 1);
  const fits = left.filter((pick) => plain(typed(pick)).includes(typing) || pick.value === typing);
  const listed = fits.length || active === find ? fits : left;
  const shown = listed.slice(0, isWhole ? undefined : phone.matches ? FEW : MANY);
  for (const pick of picks) pick.parentElement.hidden = !shown.includes(pick);
  for (const heading of headings) heading.line.hidden = !heading.picks.some((pick) => shown.includes(pick));
  others.hidden = shown.length === listed.length;
  others.textContent = filled(others.dataset.more, listed.length - shown.length);
  document.getElementById("unseated").textContent = left.length;
  document.getElementById("seated").textContent = filled(bar.dataset.seated, picks.length - left.length, picks.length);
  const field = next();
  const text = left.length ? place(field) : turn.dataset.full;
  check.classList.toggle("main", isNext && left.length < picks.length);
  if (left.length === 0 && active === find) check.focus();
  list.hidden = left.length === 0;
  if (turn.textContent !== text) turn.textContent = text;
  bar.classList.toggle("full", left.length === 0);
  const alone = field ? waiting(field) : null;
  for (const pick of shown) {
    const said = alone ? meeting(alone, pick) : "";
    pick.classList.toggle("elsewhere", alone !== null && isApart(alone, pick));
    if ((pick.note?.textContent ?? "") !== said) note(pick, said);
  }
  let free = 0;
  let odd = 0;
  for (const row of rows) {
    const isLine = row.fields.every((one) => players.get(one)) && !row.row.contains(active);
    row.row.classList.toggle("line", isLine);
    const isFree = !row.isBye && row.fields.some((one) => !one.value);
    const isAhead = isFree && free > 0 && row.fields.every((one) => !one.value) && !row.row.contains(active);
    free += isFree;
    row.row.classList.toggle("coming", isAhead && free <= AHEAD);
    row.row.classList.toggle("spare", isAhead && free > AHEAD);
    const said = doubts(row.fields.map((one) => players.get(one)).filter(Boolean), seats);
    if ((row.note?.textContent ?? "") !== said) note(row, said, row.row);
    odd += said !== "";
    row.clear.hidden = row.fields.every((one) => !one.value);
    for (const one of row.fields) {
      one.classList.toggle("unseen", isLine);
      one.classList.toggle("wanted", one === field && left.length > 0);
      one.who.hidden = !isLine;
      if (isLine) one.who.replaceChildren(...nameOf(players.get(one)).cloneNode(true).childNodes);
    }
  }
  const doubted = document.getElementById("doubts");
  doubted.hidden = odd === 0;
  doubted.textContent = odd ? filled(odd === 1 ? bar.dataset.doubt : bar.dataset.doubts, odd) : "";
}

// A short text at a player or at a table; no text takes it away.
function note(at, text, line = at) {
  at.note?.remove();
  at.note = null;
  if (!text) return;
  at.note = document.createElement("em");
  at.note.className = "tag late";
  at.note.textContent = text;
  line.append(at.note);
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
others.addEventListener("click", () => {
  const from = picks.filter((pick) => !pick.parentElement.hidden).length;
  isWhole = true;
  show();
  picks.filter((pick) => !pick.parentElement.hidden)[from]?.focus();
});
phone.addEventListener("change", show);
for (const pick of picks) pick.addEventListener("click", () => seat(pick));
show();
