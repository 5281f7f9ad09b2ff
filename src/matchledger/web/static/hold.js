// Holding one's place in a part of a page that is replaced: the focus, how far a table was moved, what was opened or closed.

const REACHED = "a[href], button, input, select, textarea, summary, [tabindex]";

const reached = (part) => [...part.querySelectorAll(REACHED)];
const sameness = (one) => [one.tagName, one.id, one.getAttribute("href"), one.getAttribute("aria-label"), one.textContent.trim()].join("|");

// A fold is known by its id, if it has one: its text may count what is inside.
const fold = (summary) => summary.parentElement.id || sameness(summary);

// Gives what puts everything back once the part has other nodes.
export function hold(part) {
  const before = reached(part);
  const at = before.indexOf(document.activeElement);
  const held = at < 0 ? null : sameness(before[at]);
  const moved = before.filter((one) => one.scrollLeft || one.scrollTop).map((one) => [sameness(one).split("|", 4).join(), one.scrollLeft, one.scrollTop]);
  const folds = new Map([...part.querySelectorAll("details > summary")].map((one) => [fold(one), one.parentElement.open]));
  return () => {
    const after = reached(part);
    for (const one of after) if (one.tagName === "SUMMARY") one.parentElement.open = folds.get(fold(one)) ?? one.parentElement.open;
    for (const [which, left, top] of moved) after.find((one) => sameness(one).split("|", 4).join() === which)?.scrollTo(left, top);
    if (at < 0) return;
    const same = after.filter((one) => sameness(one) === held);
    const near = same.sort((one, other) => Math.abs(after.indexOf(one) - at) - Math.abs(after.indexOf(other) - at))[0];
    (near ?? after[Math.min(at, after.length - 1)])?.focus({ preventScroll: near !== undefined });
  };
}
