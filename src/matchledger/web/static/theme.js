// Light or dark as the system has it, until somebody chooses; kept in this browser alone. It runs before the first paint.
(() => {
  const root = document.documentElement;
  const kept = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null; // a browser that keeps nothing
    }
  };
  const chosen = new URLSearchParams(location.search).get("theme") ?? kept();
  root.classList.add("scripted");
  if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;
  document.addEventListener("DOMContentLoaded", () => {
    const menu = document.getElementById("menu");
    menu?.addEventListener("click", () => menu.setAttribute("aria-expanded", menu.closest(".top").classList.toggle("open")));
    const button = document.getElementById("theme");
    if (!button) return;
    const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
    const label = () => (button.textContent = isDark() ? button.dataset.light : button.dataset.dark);
    button.hidden = false;
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      try {
        localStorage.setItem("theme", root.dataset.theme);
      } catch {} // it holds for this page
      label();
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", label);
    label();
  });
})();
