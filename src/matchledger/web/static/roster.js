// A roster from a file goes into the field, where it can be read and mended before it is sent.

const [line, file, field] = ["from-file", "roster-file", "roster"].map((id) => document.getElementById(id));
if (line) line.hidden = false;
file?.addEventListener("change", async () => {
  if (!file.files.length) return;
  field.value = await file.files[0].text();
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
});
