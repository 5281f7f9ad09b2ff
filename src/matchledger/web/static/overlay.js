// The names of both players have one size, and one line each, so that the strip always has the same height.

const shown = document.getElementById("shown");

function fit() {
  const names = [...shown.querySelectorAll(".shown-rivals .shown-name")];
  const breaks = () => names.some((name) => name.offsetHeight > 1.7 * parseFloat(getComputedStyle(name).fontSize));
  for (const size of [1, 0.94, 0.88, 0.82, 0.76, 0.7, 0.64]) {
    shown.style.setProperty("--fit", size);
    if (!breaks()) return;
  }
}

document.addEventListener("refreshed", fit);
addEventListener("resize", fit);
document.fonts.addEventListener("loadingdone", fit);
fit();
