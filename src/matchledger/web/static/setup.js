// The form that opens a tournament: the summary follows the fields, and a preset fills in the scoring.

const field = (id) => document.getElementById(id);
const halves = (text) => text.replace(/^0?[.,]5$|^1\/2$/, "½").replace(/[.,]5$/, "½");

function shown(id) {
  const one = field(id);
  if (one.tagName !== "SELECT") return halves(one.value.trim());
  return one.value === "none" && id.includes("tie") ? "" : one.selectedOptions[0].text;
}

function follow() {
  for (const part of document.querySelectorAll("[data-shows]")) {
    const text = part.dataset.shows.split(" ").map(shown).filter(Boolean).join("–");
    part.textContent = text ? (part.dataset.say ?? "{}").replace("{}", text) : part.dataset.empty ?? "";
    part.hidden = !part.textContent;
    part.classList.toggle("missing", !text && "say" in part.dataset);
  }
  for (const preset of document.querySelectorAll("[data-answers]")) {
    const answers = Object.entries(JSON.parse(preset.dataset.answers));
    const isInForce = answers.every(([name, value]) => halves(document.querySelector(`[name="${name}"]`).value.trim()) === value);
    if (isInForce) preset.setAttribute("aria-current", "true");
    else preset.removeAttribute("aria-current");
  }
}

document.addEventListener("click", (event) => {
  const preset = event.target.closest("[data-answers]");
  if (!preset || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault(); // the names that were typed stay
  for (const [name, value] of Object.entries(JSON.parse(preset.dataset.answers))) {
    document.querySelector(`[name="${name}"]`).value = value;
  }
  follow();
});
document.addEventListener("input", follow);
follow();
