// Drafts: what was typed into a form of the desk is there again after a reload, until the form is sent. It stays in this
// tab of this browser. A draft about one player or table is not shown for another.

const subject = new URLSearchParams(location.search);
for (const name of ["done", "form", "lang", "q", "show"]) subject.delete(name);
const place = `draft-${location.pathname}?${subject}`;
const forms = () => document.querySelectorAll("main form[method=post]:not(#slip)");
const name = (form) => form.elements.form?.value ?? "";
const fields = (form) => [...form.elements].filter((one) => one.name && !["hidden", "submit", "button", "password"].includes(one.type) && one.tagName !== "BUTTON");

function read() {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? "{}");
  } catch {
    return {}; // a browser that keeps nothing
  }
}

function write(drafts) {
  try {
    sessionStorage.setItem(place, JSON.stringify(drafts));
  } catch {} // then a reload loses it
}

const ticks = (field) => ["checkbox", "radio"].includes(field.type);
const value = (field) => (ticks(field) ? field.checked : field.value);
const untouched = (field) => (ticks(field) ? field.checked === field.defaultChecked : field.tagName === "SELECT" || field.value === field.defaultValue);

const kept = read();
for (const form of forms()) {
  const draft = kept[name(form)];
  if (!draft || form.querySelector("#failed")) continue;
  for (const [index, field] of fields(form).entries()) {
    const [of, was] = draft[index] ?? [];
    if (of !== field.name || !untouched(field)) continue;
    if (ticks(field)) field.checked = was;
    else field.value = was;
    if (was) field.closest("details")?.setAttribute("open", "");
  }
}

document.addEventListener("input", (event) => {
  const form = event.target.form;
  if (!form || ![...forms()].includes(form)) return;
  write({ ...read(), [name(form)]: fields(form).map((field) => [field.name, value(field)]) });
});
document.addEventListener("submit", (event) => {
  const { [name(event.target)]: _, ...others } = read();
  write(others);
});
