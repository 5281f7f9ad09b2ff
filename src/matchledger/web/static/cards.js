// The number of cards in a deck list, counted as the list is typed: all of them, then each part under its heading.
// The server reads the list when it is sent, and has the last word.

const CARD = /^(?:sb:\s*)?(?:(\d{1,6})\s*x?\s+\S|x(\d{1,6})\s+\S|\S.*?\s+x(\d{1,6})$)/i;
const HEADING = /^\p{L}[\p{L} -]{0,30}$/u;
const CELLS = /(?:"(?:[^"]|"")*"|[^,"])+|(?<=^|,)(?=,|$)/g;
const cells = (line) => (line.match(CELLS) ?? []).map((cell) => cell.replace(/^"|"$/g, "").trim());

// Each card as [part, number], with an empty part where no heading is above the card.
function fromText(lines) {
  let part = "";
  const found = [];
  for (const line of lines.map((written) => written.split("#")[0].trim())) {
    const card = line.match(CARD);
    if (card) found.push([/^sb:/i.test(line) ? "sideboard" : part, Number(card[1] ?? card[2] ?? card[3])]);
    else {
      const heading = line.replace(/^\/\/|[[\]]/g, "").replace(/:?\s*\(?\d{0,3}\)?$/, "").trim();
      if (HEADING.test(heading)) part = heading.toLowerCase();
    }
  }
  return found;
}

function fromTable([head, ...rows]) {
  const columns = cells(head.toLowerCase());
  const [part, count] = [columns.indexOf("part"), columns.indexOf("count")];
  return rows.map((row) => [cells(row)[part] ?? "", Number(cells(row)[count]) || 0]);
}

function count(list) {
  const lines = list.split("\n").filter((line) => line.trim());
  const columns = cells((lines[0] ?? "").toLowerCase());
  return columns.includes("part") && columns.includes("card") ? fromTable(lines) : fromText(lines);
}

for (const told of document.querySelectorAll("[data-cards]")) {
  const field = document.getElementById(told.dataset.cards);
  const tell = () => {
    const parts = new Map();
    for (const [part, number] of count(field.value)) parts.set(part, (parts.get(part) ?? 0) + number);
    const all = [...parts.values()].reduce((sum, number) => sum + number, 0);
    const named = [...parts.keys()].some((part) => part) ? [...parts].map(([part, number]) => (part ? `${part} ${number}` : number)) : [];
    const text = all ? [(all === 1 ? told.dataset.one : told.dataset.many).replace("{}", all), ...named].join(" · ") : "";
    if (told.textContent !== text) told.textContent = text;
  };
  let typing = null;
  field.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(tell, 300); // a screen reader hears the number once somebody has stopped typing
  });
  tell();
}
