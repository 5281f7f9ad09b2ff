// A penalty: the field of the table follows the player, until somebody types another table. Below the player are the
// earlier penalties, in a line that keeps its height.

const [player, table, before] = ["penalty-player", "penalty-table", "before"].map((id) => document.getElementById(id));
const known = new Map([...(document.getElementById("names")?.options ?? [])].map((one) => [one.value.toLowerCase(), one.dataset]));
let filled = table?.value;

function follow() {
  const typed = player.value.trim().toLowerCase().replace(/^#\d+ /, "");
  const found = known.has(typed) ? [typed] : [...known.keys()].filter((name) => typed && name.startsWith(typed));
  const one = found.length === 1 ? known.get(found[0]) : null;
  if (before) {
    const count = Number(one?.before ?? 0);
    before.className = count ? "often" : "good";
    before.textContent = one === null ? "" : count ? (count === 1 ? before.dataset.one : before.dataset.many).replace("{}", count) : before.dataset.none;
  }
  if (table && table.value === filled) filled = table.value = one?.table ?? "";
}

player.addEventListener("change", follow);
if (player.value && !table?.value) follow(); // typed before this script was there
