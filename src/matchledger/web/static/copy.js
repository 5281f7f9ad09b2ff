// Copying a link. On plain HTTP a browser has no clipboard for scripts: then the link is selected, to be copied by hand.

for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  const label = button.textContent;
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copy);
    getSelection().selectAllChildren(field);
    try {
      await navigator.clipboard.writeText(field.textContent);
    } catch {
      if (!document.execCommand("copy")) return;
    }
    button.textContent = button.dataset.copied;
    setTimeout(() => (button.textContent = label), 2000);
  });
}
