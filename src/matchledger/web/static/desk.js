// Slips by keyboard: table, Enter, outcome key, Enter. What was typed is never lost: a slip that the server has not
// confirmed stays in the browser, with its id, and is sent again until it is on disk; the same id is recorded once.

import { action, bold, fill, named, wrap } from "./lists.js";
import { counted, keep, keepUnsettled, showDisk, unsettled, waiting } from "./pile.js";
import { announceWhatWasDone } from "./said.js";

const home = document.body.dataset.home;
const commands = `/api/tournaments/${document.body.dataset.tournament}/commands`;
const text = document.getElementById("texts").dataset;
const ownNames = JSON.parse(text.names);
const recorder = (name) => ownNames[name] ?? name; // the program's own names for people and stations
const el = (id) => document.getElementById(id);
const say = (sentence, ...parts) => parts.reduce((said, part) => said.replace("{}", part), sentence);
const form = el("slip");
const [tableField, outcomeField] = [el("table"), el("outcome")];

const FEW = 24; // as in desk.css
const hint = el("sides").textContent;
let state = null;
let seating = new Map();
let hand = null; // the match of the slip in hand, as it was when its table was typed
let compared = new Set();
let busy = false;

// -- what the desk shows

async function look() {
  const known = state?.seating_version ?? "";
  const answer = await fetch(`${home}/state?seating=${encodeURIComponent(known)}`, { cache: "no-store" });
  if (!answer.ok) return;
  const fresh = await answer.json();
  if (fresh.seating) {
    const [numbers, surnames] = [fresh.players, fresh.surnames].map((lines) => new Map(lines.map(([table, ...two]) => [table, two])));
    seating = new Map(fresh.seating.map(([table, ...names]) => [table, { names, players: numbers.get(table), surnames: surnames.get(table) }]));
    compared = new Set();
  } else if (fresh.seating_version === "none") seating = new Map();
  state = fresh;
  const isSettled = ({ refused }) => refused <= fresh.position && !fresh.contested.includes(refused);
  if (unsettled().some(isSettled)) keepUnsettled(unsettled().filter((item) => !isSettled(item))); // by another station
  show();
}

function show() {
  el("round").textContent = state.round === null ? text.none : text.slips || state.name;
  const waited = form.hidden;
  el("unpaired").hidden = state.round !== null;
  for (const part of document.querySelectorAll("[data-in-play]")) part.hidden = state.round === null;
  if (waited && !form.hidden) tableField.focus();
  const left = state.outstanding.length;
  el("count").textContent = state.round === null ? "" : left || state.missing ? say(counted(text, "of", state.tables), left, state.tables) : state.contested_tables ? say(counted(text, "settle", state.contested_tables), state.contested_tables) : `✓ ${text.all}`;
  fill(el("outstanding"), state.outstanding.slice(0, 300), (table) => {
    const button = document.createElement("button");
    button.type = "button";
    const { names, surnames } = seating.get(table) ?? { names: [] };
    const more = state.clock?.tables[table];
    const dash = wrap(" – ");
    dash.className = "unseen";
    const sides = names.map((name, side) => named(name, surnames[side]));
    const both = document.createElement("span");
    both.append(sides[0] ?? "", dash, sides[1] ?? "");
    button.append(bold(table), both);
    if (more) button.append(bold(`+${more}′`));
    const asks = state.asking[table] && el("icons").content.querySelector(`[data-of="${state.asking[table]}"]`);
    if (asks) button.append(asks.firstElementChild.cloneNode(true));
    button.addEventListener("click", () => choose(table));
    return button;
  }, tableField);
  more();
  fill(el("recent"), state.recent, (entry) => {
    const [line, what, by] = [document.createElement("div"), document.createElement("span"), document.createElement("small")];
    line.className = "line";
    what.className = "what";
    by.className = "by";
    if (!entry.counts) what.classList.add("gone");
    what.append(...entry.parts.map(([part, tag]) => (tag ? wrap(part, "", tag) : part)), entry.counts ? "" : ` (${text.gone})`);
    by.textContent = `${recorder(entry.actor)}, ${recorder(entry.station)} · #${entry.position}`;
    const icons = el("icons").content;
    const icon = icons.querySelector(`[data-of="${entry.kind}"]`) ?? icons.querySelector(`[data-of="${entry.topic}"]`) ?? icons.querySelector(`[data-of="note"]`);
    line.append(wrap(entry.at.slice(0, 5), "", "time"), icon.firstElementChild.cloneNode(true), what, by);
    return line;
  });
  disk();
  sides();
  pass();
  showUnsettled();
}

// The first of many open tables are shown; the rest waits behind a button that says how many there are.
function more() {
  const hidden = el("outstanding").classList.contains("all") ? 0 : Math.max(0, state.outstanding.length - FEW);
  const button = el("more").firstElementChild;
  el("more").hidden = hidden === 0;
  button.textContent = say(button.dataset.more, hidden);
}

el("more").addEventListener("click", () => {
  el("outstanding").classList.add("all");
  more();
  el("outstanding").children[FEW]?.firstElementChild.focus();
});

// The match at the typed table. A slip in hand keeps it when another round is paired meanwhile.
function pick() {
  const table = Number(tableField.value);
  const seats = state && seating.get(table);
  hand = seats ? { table, round: state.round, stage: state.stage, of: state.name, ...seats } : null;
  sides();
}

const isCurrent = ({ round, stage }) => round === undefined || (round === state.round && stage === state.stage);

function meaning(key, sides = hand?.names ?? [text.first, text.second]) {
  if (key.side === null) return key.name;
  const who = say(text.wins, key.side === "a" ? sides[0] : sides[1]);
  return key.kind === "win" ? who : `${who}${/^\d/.test(key.kind) ? "" : ","} ${key.name}`;
}

function keys() {
  fill(el("keys"), state.keys, (key) => {
    const button = document.createElement("button");
    button.type = "button";
    const cap = document.createElement("kbd");
    cap.textContent = key.key;
    button.append(cap, meaning(key));
    button.addEventListener("click", () => {
      outcomeField.value = key.key;
      if (tableField.value) form.requestSubmit();
      else tableField.focus();
    });
    return button;
  }, tableField);
}

function sides() {
  const place = el("sides");
  if (hand) {
    const [first, second] = hand.names;
    const beside = !isCurrent(hand) ? hand.of : state.outstanding.includes(hand.table) ? "" : text.reported;
    place.replaceChildren(bold("1 "), first, " – ", bold("2 "), `${second}${beside && ` (${beside})`}`);
  } else place.textContent = /^[0-9]+$/.test(tableField.value) && state?.round ? say(text.notable, tableField.value) : tableField.value ? "" : hint;
  if (state) keys();
}

function choose(table) {
  tableField.value = table;
  pick();
  outcomeField.focus();
}

function wrong(sentence) {
  el("wrong").textContent = sentence;
  el("wrong").hidden = !sentence;
}

// -- the pile: slips that the server has not confirmed

const disk = (sending = busy) => showDisk(state?.position ?? "", sending);

async function send(slip) {
  const { id, command, reason } = slip;
  let answer;
  try {
    answer = await fetch(reason ? `${commands}?${new URLSearchParams({ reason })}` : commands, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": id },
      body: JSON.stringify(command),
    });
  } catch {
    return false; // the line is down: the slip stays in the pile
  }
  if (answer.status >= 500) return false;
  if (answer.status === 401) {
    // the server was started anew, or the link was revoked: the slip waits until this station has come in again
    const isRevoked = (await answer.json()).title === "link-revoked";
    el("revoked").hidden = !isRevoked;
    el("locked").hidden = isRevoked;
    return false;
  }
  el("locked").hidden = el("revoked").hidden = true;
  keep(waiting().filter((other) => other.id !== id));
  const said = await answer.json();
  if (answer.ok) {
    state.position = said.position;
    if (command.kind === "report-slip") {
      const sameMatch = (item) => item.table === command.table && item.round === command.round && item.stage === command.stage;
      for (const item of unsettled().filter(sameMatch)) {
        if (!item.other) settle(item.id); // the right slip came after the wrong key
        else if (said.same && item.refused) withdraw(item); // typed once more as it is in the log
      }
    } else {
      const gone = said.entries.map((entry) => entry.fact.retracts);
      for (const item of unsettled()) if (gone.includes(item.refused)) settle(item.id); // the refused slip is taken back
    }
    el("note").textContent = said.same ? say(text.same, command.table, said.entries[0].position, recorder(said.entries[0].station)) : `✓ ${said.said.join("; ")}`;
  } else if (command.kind === "report-slip") notRecorded(slip, said);
  else wrong(said.detail);
  return true;
}

// `meant` is what was typed, in words.
async function record(command, meant, typed, reason) {
  const slip = { id: crypto.randomUUID?.() ?? randomId(), command, meant, typed, reason };
  keep([...waiting(), slip]);
  await empty();
}

async function empty() {
  if (busy) return;
  busy = true;
  try {
    for (let slips = waiting(); slips.length; slips = waiting()) {
      disk(true);
      if (!(await send(slips[0]))) break;
    }
  } finally {
    busy = false;
    disk();
  }
}

// Plain HTTP in a hall is no secure context, where randomUUID is missing.
function randomId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

setInterval(() => waiting().length && empty(), 2000);

// -- what was not recorded: another station was first, or the rules refused it. It stays until somebody settles it,
// and never takes the keyboard away from the slip in hand.

function settle(id, more = []) {
  const left = [...unsettled().filter((item) => item.id !== id), ...more];
  keepUnsettled(left);
  showUnsettled();
}

// The recorded result stays, and the slip that contradicts it is taken back, so that nothing is left to settle.
function withdraw({ id, refused }) {
  leave(id);
  return record({ kind: "retract-entry", position: refused }, text.keep);
}

function showUnsettled() {
  const left = unsettled();
  el("unsettled-part").hidden = left.length === 0;
  const shown = [...el("unsettled").children];
  for (const item of shown) if (!left.some(({ id }) => id === item.dataset.key)) item.remove();
  const known = new Set(shown.map((item) => item.dataset.key));
  el("unsettled").append(...left.filter(({ id }) => !known.has(id)).map(unsettledItem));
}

function unsettledItem({ id, table, typed, meant = typed, why, other, refused, round, stage, departing }) {
  const sentence = other
    ? say(text.taken, table, meant, other.said, other.entry, recorder(other.actor), recorder(other.station))
    : say(text.refused, table, meant, why);
  const item = wrap(wrap(refused ? `${sentence} ${say(text.kept, refused)}` : sentence, "", "p"), "", "li", id);
  if (other || !isCurrent({ round, stage })) {
    const link = document.createElement("a");
    link.className = "button";
    link.href = `${home}/corrections?round=${round}&stage=${stage}&table=${table}`;
    link.textContent = text.correct;
    if (refused) link.addEventListener("click", () => keepUnsettled(unsettled().filter((one) => one.id !== id))); // it waits under Corrections until it is settled
    const drop = other && refused ? () => withdraw({ id, refused }) : () => leave(id);
    item.append(action(other ? text.keep : text.throw, drop), " ", link);
  } else {
    const again = () => {
      settle(id);
      choose(table);
      outcomeField.value = typed;
      outcomeField.select();
    };
    if (departing) item.append(because(id, departing, meant, typed), " ");
    item.append(action(text.again, again), " ", action(text.throw, () => leave(id)));
  }
  return item;
}

// A field for the reason that the rules demand of this result.
function because(id, command, meant, typed) {
  const [form, label, field, button] = ["form", "label", "input", "button"].map((tag) => document.createElement(tag));
  Object.assign(field, { name: "reason", maxLength: 2000, required: true });
  Object.assign(button, { className: "main", textContent: text.because });
  label.append(text.reason, " ", field);
  form.className = "row";
  form.append(label, button);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    leave(id);
    record({ ...command, deviating: true }, meant, typed, field.value);
  });
  return form;
}

// What was settled is gone: the cursor goes to the next of them, or back to the slips.
function leave(id) {
  settle(id);
  (el("unsettled").querySelector("button") ?? tableField).focus();
}

function notRecorded({ id, command, typed, meant = typed }, { detail: why, other, refused, demands }) {
  const { table, round, stage } = command;
  const departing = demands?.includes("a reason") && command;
  settle(id, [{ id, table, typed, meant, why, other, refused, round, stage, departing }]);
}

const asInLog = ({ table, outcome, round, stage }) =>
  fetch(`${home}/compare?${new URLSearchParams({ table, outcome, ...(round && { round, stage }) })}`, { cache: "no-store" });

// -- the keyboard

function outcome(typed) {
  const words = typed.trim().toLowerCase();
  const key = state.keys.find((one) => one.key === words);
  if (key) return key.outcome;
  return words.replace(/^[12](?=$|:|\s)/, (side) => (side === "1" ? "a" : "b"));
}

tableField.addEventListener("input", () => {
  if (state) pick();
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!state) return;
  wrong("");
  if (!outcomeField.value.trim() || !tableField.value) return;
  const [table, typed] = [Number(tableField.value), outcomeField.value];
  const { round, stage, players } = hand ?? {};
  const command = { kind: "report-slip", table, outcome: outcome(typed), round, stage, players };
  if (second()) return compare(command);
  const read = state.keys.find((key) => key.key === typed.trim().toLowerCase());
  const meant = read && hand ? `${typed} (${meaning(read)})` : typed;
  clear();
  await record(command, meant, typed);
});

tableField.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  const typed = tableField.value.trim().toLowerCase();
  if (typed === "u") takeBack();
  else if (typed.startsWith("mlslip")) scan(typed);
  else if (typed === "" || hand) outcomeField.focus();
  else {
    wrong(say(text.notable, typed));
    tableField.select(); // the next number that is typed stands in its place
  }
});

// A hand scanner types the code of a slip and Enter, like a keyboard.
async function scan(code) {
  tableField.value = "";
  wrong("");
  const answer = await fetch(`${home}/slip?code=${encodeURIComponent(code)}`, { cache: "no-store" });
  const said = await answer.json();
  if (!answer.ok) {
    wrong(said.detail);
    return tableField.focus();
  }
  el("note").textContent = say(text.scanned, said.table);
  choose(said.table);
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    wrong("");
    clear();
  } else if (document.activeElement === document.body && /^[a-z0-9]$/i.test(event.key) && !event.ctrlKey && !event.metaKey) {
    tableField.focus(); // what a scanner or a hurried hand types goes where it belongs
  }
});

function clear() {
  tableField.value = "";
  outcomeField.value = "";
  pick();
  tableField.focus();
}

async function takeBack() {
  tableField.value = "";
  pick();
  await record({ kind: "undo-last", slip: true }, "u");
}

// -- the second pass

const second = () => document.querySelector("input[name=mode]:checked").value === "second";

document.querySelectorAll("input[name=mode]").forEach((mode) =>
  mode.addEventListener("change", () => {
    compared = new Set();
    pass();
    clear();
  }),
);

async function compare(command) {
  const { table } = command;
  const answer = await asInLog(command);
  const said = await answer.json();
  if (!answer.ok) return wrong(typeof said.detail === "string" ? said.detail : "");
  if (!said.agrees) {
    wrong(say(text.mismatch, table, said.typed, said.recorded ?? text.nothing));
    outcomeField.select(); // the pass stops here, until the slip is typed again or Escape is pressed
    return;
  }
  compared.add(table);
  el("note").textContent = `✓ ${say(text.agree, table)}`;
  pass();
  clear();
}

function pass() {
  el("pass").hidden = !second();
  const left = [...seating.keys()].filter((table) => !compared.has(table));
  el("pass").textContent = left.length
    ? say(counted(text, "missing", left.length), left.length, left.slice(0, 12).join(", ") + (left.length > 12 ? ", …" : ""))
    : text.compared;
}

const [asked, result] = ["table", "outcome"].map((name) => new URLSearchParams(location.search).get(name));
if (asked) tableField.value = asked;
if (result) outcomeField.value = result;
announceWhatWasDone();
document.addEventListener("position", () => look().catch(() => {}));
look().then(() => {
  pick();
  if (asked) outcomeField.focus();
  return empty();
});
