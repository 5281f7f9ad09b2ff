// A round paired by hand: the players who have no seat yet. A click seats one at the next free place, or at the field
// that was left empty last. While a field is typed in, only the players who fit it are shown.

const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
const picks = [...document.querySelectorAll("#picks button")];
const seats = [...document.querySelectorAll('.pair input[name="games"]')];
const fields = [...seats, ...document.querySelectorAll('input[name="byes"]')];
const others = document.getElementById("others");
const few = matchMedia("(max-width: 62rem)"); // a phone shows the first players, and whoever fits what is typed
const FEW = 12;
const typed = (pick) => pick.dataset.typed ?? pick.firstElementChild.textContent;
const turn = document.getElementById("turn");
let wanted = null;

const next = () => (wanted && !wanted.value ? wanted : fields.find((field) => !field.value));

function show() {
  const taken = new Set(fields.map((field) => plain(field.value)));
  const typing = fields.includes(document.activeElement) ? plain(document.activeElement.value) : "";
  const left = picks.filter((pick) => !taken.has(plain(typed(pick))));
  const fits = left.filter((pick) => plain(typed(pick)).includes(typing));
  const shown = (fits.length ? fits : left).slice(0, few.matches ? FEW : picks.length);
  for (const pick of picks) pick.parentElement.hidden = !shown.includes(pick);
  others.hidden = shown.length === left.length;
  others.textContent = others.dataset.more.replace("{}", left.length - shown.length);
  document.getElementById("unseated").textContent = left.length;
  const field = next();
  const text = !field ? turn.dataset.full : seats.includes(field) ? turn.dataset.turn.replace("{}", (seats.indexOf(field) >> 1) + 1) : turn.dataset.bye;
  if (turn.textContent !== text) turn.textContent = text;
  for (const one of fields) one.classList.toggle("wanted", one === field);
}

function seat(pick) {
  const typing = wanted?.value && !picks.some((one) => plain(typed(one)) === plain(wanted.value)) ? wanted : null;
  const field = typing ?? next();
  if (!field) return;
  const shown = picks.filter((one) => !one.parentElement.hidden && one !== pick);
  field.value = typed(pick);
  wanted = null;
  field.dispatchEvent(new Event("input", { bubbles: true })); // the draft keeps it
  (shown.find((one) => picks.indexOf(one) > picks.indexOf(pick) && !one.parentElement.hidden) ?? picks.find((one) => !one.parentElement.hidden) ?? field).focus();
}

document.addEventListener("input", show);
document.addEventListener("focusin", (event) => {
  if (fields.includes(event.target)) wanted = event.target;
  show();
});
few.addEventListener("change", show);
for (const pick of picks) pick.addEventListener("click", () => seat(pick));
document.getElementById("picks").hidden = picks.length === 0;
show();
