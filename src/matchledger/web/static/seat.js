// A penalty: the field of the table follows the player, until somebody types another table.

const [player, table] = ["penalty-player", "penalty-table"].map((id) => document.getElementById(id));
const known = new Map([...(document.getElementById("names")?.options ?? [])].map((one) => [one.value.toLowerCase(), one.dataset.table ?? ""]));
let filled = table.value;

function follow() {
  const typed = player.value.trim().toLowerCase().replace(/^#\d+ /, "");
  const found = known.has(typed) ? [typed] : [...known.keys()].filter((name) => typed && name.startsWith(typed));
  if (table.value !== filled) return;
  filled = table.value = found.length === 1 ? known.get(found[0]) : "";
}

player.addEventListener("change", follow);
if (player.value && !table.value) follow(); // typed before this script was there
