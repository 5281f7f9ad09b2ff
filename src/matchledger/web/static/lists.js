// Lists that are written anew whenever the log grows, under the fingers of whoever is in the middle of one.

// One item for each; the one with the focus keeps it, and where it is gone, the one in its place has it.
export function fill(list, items, make, otherwise) {
  const at = [...list.children].findIndex((item) => item.contains(document.activeElement));
  const held = list.children[at]?.dataset.key;
  list.replaceChildren(...items.map((item) => wrap(make(item), "", "li", String(item.key ?? item.position ?? item))));
  if (at < 0) return;
  const item = [...list.children].find((one) => one.dataset.key === held) ?? list.children[Math.min(at, items.length - 1)];
  (item?.querySelector("a, button") ?? otherwise).focus();
}

export function wrap(node, after = "", tag = "span", key = null) {
  const outer = document.createElement(tag);
  outer.append(node, after);
  if (key !== null) outer.dataset.key = key;
  return outer;
}

export function bold(what) {
  const b = document.createElement("b");
  b.textContent = what;
  return b;
}

// A name with its surname in bold.
export function named(name, surname) {
  const at = name.lastIndexOf(surname);
  const span = document.createElement("span");
  span.append(name.slice(0, at), bold(surname), name.slice(at + surname.length));
  return span;
}

export function action(label, act) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = label;
  button.addEventListener("click", act);
  return button;
}
