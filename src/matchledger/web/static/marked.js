// A list that scrolls by itself opens at the chosen line.

const line = document.querySelector(".people-list .marked");
const panel = line?.closest(".panel");
if (panel && panel.scrollHeight > panel.clientHeight) panel.scrollTop = line.offsetTop - panel.clientHeight / 2;
