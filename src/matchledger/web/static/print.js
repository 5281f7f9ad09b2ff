// Printing the page that is shown, with every code on it.

addEventListener("beforeprint", () => {
  for (const code of document.querySelectorAll(".qr")) code.open = true;
});

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
