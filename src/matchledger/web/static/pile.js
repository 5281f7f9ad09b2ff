// The pile: slips that the server has not confirmed stay in the browser, whatever page of the desk is open.

import { announce } from "./said.js";

const pile = `matchledger-pile-${document.body.dataset.tournament}`;
const place = document.getElementById("disk");

const read = (name) => JSON.parse(localStorage.getItem(name) ?? "[]");

export const waiting = () => read(pile);
export const keep = (slips) => localStorage.setItem(pile, JSON.stringify(slips));

// What was not recorded, until somebody settles it.
export const unsettled = () => read(`${pile}-unsettled`);
export const keepUnsettled = (items) => localStorage.setItem(`${pile}-unsettled`, JSON.stringify(items));

// A text about so many things, of the two that stand in a page's data: NAME-one, and NAME for any other number.
export const counted = (texts, name, number) => texts[number === 1 ? `${name}One` : name];

let troubled = false;
let isCut = false; // the server no longer lets this page in
let latest = "";

const PATIENCE = 5000; // milliseconds: a slip takes some hundredths of a second, unless a disk or a standby is away
let losing; // the timer that says so

// Says whether the last slip is on disk; `position` is how long the log is, `sending` whether a slip is under way.
export function showDisk(position, sending = false) {
  const left = waiting().length;
  latest = position;
  place.classList.toggle("waiting", (left > 0 || isCut) && !sending);
  place.classList.toggle("sending", sending);
  const text = sending ? place.dataset.sending : left ? counted(place.dataset, "waiting", left) : isCut ? place.dataset.cut : place.dataset.disk;
  const said = text.replace("{}", left && !sending ? left : position);
  if (place.textContent !== said) place.textContent = said;
  clearTimeout(losing);
  if (sending) losing = setTimeout(sayLate, PATIENCE);
  if (sending || troubled === left > 0) return;
  troubled = left > 0;
  announce(said); // that slips wait, and that they do no longer; not each of a thousand entries
}

function sayLate() {
  place.classList.replace("sending", "waiting");
  place.textContent = place.dataset.slow;
  troubled = true;
  announce(place.dataset.slow);
}

document.addEventListener("admitted", ({ detail: isIn }) => {
  if (isCut === !isIn) return;
  isCut = !isIn;
  showDisk(latest);
});
