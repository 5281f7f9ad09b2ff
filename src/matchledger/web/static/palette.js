// The palette: Ctrl+K, then a job and what it is about. The arrows choose, Enter goes there, and what was typed fills the
// fields there; "extend 12 3" is done at once.

import { announce } from "./said.js";

const dialog = document.getElementById("palette");
const field = document.getElementById("palette-words");
const items = [...dialog.querySelectorAll("[role=option]")];
const { home } = document.body.dataset;
const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
const OF_A_NAME = ["who", "drop", "penalty", "deck", "log"]; // the jobs for a name alone
let shown = [];
let at = 0;

function fits(item, verb) {
  const label = plain(item.querySelector("span").textContent);
  return `${item.dataset.words} ${label}`.split(" ").some((word) => word.startsWith(verb));
}

function about(item, rest) {
  const link = item.firstElementChild;
  item.dataset.rest = rest;
  const [first, ...others] = rest.split(/\s+/);
  const parts = { "{}": rest, "{1}": first, "{2}": others.join(" ") };
  const address = item.dataset.address.replace(/{[12]?}/g, (part) => encodeURIComponent(parts[part]));
  link.href = !address ? location.href : /^[/#]/.test(address) ? address : `${home}${address.startsWith("?") ? "" : "/"}${address}`;
  link.lastElementChild.textContent = rest || item.dataset.about;
}

function show() {
  const typed = plain(field.value);
  const [verb, ...others] = typed.split(/\s+/);
  const rest = field.value.trim().split(/\s+/).slice(1).join(" ");
  shown = items.filter((item) => verb === "" || fits(item, verb));
  shown.forEach((item) => about(item, rest));
  if (verb && shown.length === 0) {
    const isTable = /^[0-9]+$/.test(verb) && others.length === 0;
    // A bare number is a table, anything else a player, or words of the log.
    shown = items.filter(({ dataset }) => (isTable ? ["report slip table"] : OF_A_NAME).includes(dataset.words));
    shown.forEach((item) => about(item, field.value.trim()));
  }
  items.forEach((item) => (item.hidden = !shown.includes(item)));
  choose(0);
}

function choose(number) {
  at = shown.length ? (number + shown.length) % shown.length : 0;
  items.forEach((item) => item.setAttribute("aria-selected", item === shown[at]));
  if (shown[at]) field.setAttribute("aria-activedescendant", shown[at].id);
  shown[at]?.scrollIntoView({ block: "nearest" });
}

async function go(item) {
  if (!item) return;
  if (item.dataset.address === "#next-step") {
    dialog.close();
    document.querySelector("#next-step .main")?.click();
    return;
  }
  if (item.dataset.address) {
    dialog.close();
    if (item.dataset.rest && !item.dataset.address.includes("{")) sessionStorage.setItem("typed", item.dataset.rest);
    const { href, pathname, search } = item.firstElementChild;
    const isHere = pathname === location.pathname && search === location.search;
    location.href = href;
    if (isHere) reach();
    return;
  }
  const [table, minutes] = item.dataset.rest.split(/\s+/).map(Number);
  if (!table || !minutes) return;
  const answer = await fetch(dialog.dataset.commands, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ kind: "extend-time", table, minutes }),
  });
  const said = await answer.json();
  const text = answer.ok ? dialog.dataset.extended.replace("{}", table).replace("{}", minutes) : said.detail;
  item.firstElementChild.lastElementChild.textContent = text;
  announce(text);
  if (answer.ok) setTimeout(() => dialog.close(), 600);
}

// The field or button that an address names gets the cursor, even if it is in a closed section.
function reach() {
  const field = document.getElementById(location.hash.slice(1));
  if (!field?.matches("a, button, input, select, textarea, summary, [tabindex]")) return;
  for (let part = field.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
  field.focus();
  fill(field);
}

// What was typed goes into the field, or number by number into the fields of its form.
function fill(field) {
  const typed = sessionStorage.getItem("typed");
  sessionStorage.removeItem("typed");
  if (!typed || field.value || !field.matches("input:not([type]), input[type=text], textarea, input[inputmode]")) return;
  const words = field.inputMode === "numeric" ? typed.split(/\s+/) : [typed];
  const fields = field.form ? [...field.form.elements].filter((one) => one.matches("input:not([type=hidden]), textarea")) : [field];
  words.forEach((word, at) => {
    const one = fields[fields.indexOf(field) + at];
    if (one && !one.value) one.value = word;
  });
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

addEventListener("hashchange", reach);
reach();

function open() {
  if (dialog.open) return;
  field.value = "";
  show();
  dialog.showModal();
  field.focus();
}

field.addEventListener("input", show);
field.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown") choose(at + 1);
  else if (event.key === "ArrowUp") choose(at - 1);
  else if (event.key === "Enter") go(shown[at]);
  else return;
  event.preventDefault();
});
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
  const item = event.target.closest("[role=option]");
  if (!item || item.dataset.address) return;
  event.preventDefault();
  go(item);
});
document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
    event.preventDefault();
    open();
  }
});
document.getElementById("find-job").addEventListener("click", open);
