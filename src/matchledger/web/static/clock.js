// The clock of the round: counts down to the moment that the page names. The server's time counts, not the phone's.

let ahead = 0; // milliseconds by which this device is ahead of the server

async function compare() {
  const asked = Date.now();
  const answer = await fetch("/static/icon.svg", { method: "HEAD", cache: "no-store" });
  const said = Date.parse(answer.headers.get("date"));
  // A date has no milliseconds: on average half a second has gone by.
  if (!Number.isNaN(said)) ahead = (asked + Date.now()) / 2 - (said + 500);
}

function face(seconds) {
  const whole = Math.abs(Math.trunc(seconds));
  const rest = String(whole % 60).padStart(2, "0");
  return `${seconds <= -1 ? "−" : ""}${Math.floor(whole / 60)}:${rest}`;
}

function tick() {
  const now = Date.now() - ahead;
  for (const hand of document.querySelectorAll(".hand[data-ends], .hand[data-left]")) {
    const left = hand.dataset.ends ? Math.ceil((Date.parse(hand.dataset.ends) - now) / 1000) : Number(hand.dataset.left);
    const text = face(left);
    if (hand.textContent !== text) {
      const [minutes, rest] = text.split(":");
      const small = document.createElement("small");
      small.textContent = `:${rest}`;
      hand.replaceChildren(minutes, small); // the clock view sets the seconds smaller
    }
    hand.classList.toggle("over", left <= 0);
  }
  for (const clock of document.querySelectorAll(".clock")) {
    const main = clock.querySelector(".hand");
    const left = main?.dataset.ends ? (Date.parse(main.dataset.ends) - now) / 1000 : Infinity;
    clock.classList.toggle("over", left <= 0);
    clock.classList.toggle("soon", left > 0 && left <= 300);
    const place = clock.querySelector(".mark-now");
    const reached = [...clock.querySelectorAll(".marks li")].filter((mark) => Date.parse(mark.dataset.comes) <= now);
    const text = reached.at(-1)?.textContent ?? "";
    if (place && place.textContent !== text) place.textContent = text;
  }
}

compare().catch(() => {}); // then the device's own clock has to do
setInterval(tick, 250);
document.addEventListener("refreshed", tick);
tick();
