// Holding one's place in a part of a page that is replaced: the focus, how far a table was moved, what was opened or closed,
// and what was typed.

const REACHED = "a[href], button, input, select, textarea, summary, [tabindex]";

const reached = (part) => [...part.querySelectorAll(REACHED)];
const sameness = (one) => [one.tagName, one.id, one.getAttribute("href"), one.getAttribute("aria-label"), one.textContent.trim()].join("|");

// A fold is known by its id, if it has one: its text may count what is inside.
const fold = (summary) => summary.parentElement.id || sameness(summary);

// A field is known by its id and by what its form is about. `offered` is what the server wrote into it.
const fields = (part) => [...part.querySelectorAll("input:not([type=hidden]), select, textarea")].filter((one) => one.id || isTick(one));
const isTick = (field) => ["checkbox", "radio"].includes(field.type);
const about = (field) => [field.id || `${field.name}=${field.value}`, ...[...(field.form?.elements ?? [])].filter((one) => one.type === "hidden" && !["id", "position", "seen"].includes(one.name)).map((one) => one.value)].join("|");
const said = (field) => (isTick(field) ? field.checked : field.value);
const offered = (field) => (isTick(field) ? field.defaultChecked : (field.defaultValue ?? ([...field.options].find((one) => one.defaultSelected) ?? field.options[0])?.value));

// Gives what puts everything back once the part has other nodes.
export function hold(part) {
  const before = reached(part);
  const at = before.indexOf(document.activeElement);
  const held = at < 0 ? null : sameness(before[at]);
  const moved = before.filter((one) => one.scrollLeft || one.scrollTop).map((one) => [sameness(one).split("|", 4).join(), one.scrollLeft, one.scrollTop]);
  const folds = new Map([...part.querySelectorAll("details > summary")].map((one) => [fold(one), one.parentElement.open]));
  const typed = new Map(fields(part).filter((one) => said(one) !== offered(one)).map((one) => [about(one), [offered(one), said(one)]]));
  return () => {
    const after = reached(part);
    for (const one of fields(part)) {
      const [was, value] = typed.get(about(one)) ?? [];
      if (value === undefined || offered(one) !== was) continue;
      if (isTick(one)) one.checked = value;
      else if (!one.options || [...one.options].some((choice) => choice.value === value)) one.value = value;
    }
    for (const one of after) if (one.tagName === "SUMMARY") one.parentElement.open = folds.get(fold(one)) ?? one.parentElement.open;
    for (const [which, left, top] of moved) after.find((one) => sameness(one).split("|", 4).join() === which)?.scrollTo(left, top);
    if (at < 0) return;
    const same = after.filter((one) => sameness(one) === held);
    const near = same.sort((one, other) => Math.abs(after.indexOf(one) - at) - Math.abs(after.indexOf(other) - at))[0];
    (near ?? after[Math.min(at, after.length - 1)])?.focus({ preventScroll: near !== undefined });
  };
}
