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

const NEAR = 100 * 60 * 1000; // milliseconds: an event that is nearer than this is counted down

// What comes next in the schedule: its time, or a countdown while it is near. Lines that have passed are not shown.
function announce(block, now) {
  const lines = [...block.querySelectorAll(".later li")];
  const wait = 1000 * Number(block.dataset.wait ?? 0);
  const next = lines.find((line) => Date.parse(line.dataset.at) + wait > now);
  if (next === undefined) return;
  const [what, digits, when] = [".what", ".digits", ".when"].map((part) => block.querySelector(part));
  const [time, text] = ["b", "span"].map((part) => next.querySelector(part).textContent);
  const left = Date.parse(next.dataset.at) - now;
  const isNear = left > 0 && left < NEAR;
  what.textContent = isNear ? block.dataset.near.replace("{what}", text) : text;
  digits.textContent = isNear ? face(Math.ceil(left / 1000)) : time;
  when.textContent = block.dataset.at.replace("{time}", time);
  when.hidden = !isNear;
  for (const line of lines) line.hidden = line === next || Date.parse(line.dataset.at) <= now;
  block.hidden = false;
}

function tick() {
  const now = Date.now() - ahead;
  for (const block of document.querySelectorAll(".upcoming")) announce(block, now);
  for (const wait of document.querySelectorAll(".waited")) {
    const minutes = Math.floor((now - Date.parse(wait.dataset.since)) / 60000);
    const text = minutes < 1 ? wait.dataset.new : wait.dataset.said.replace("{}", minutes);
    if (wait.textContent !== text) wait.textContent = text;
  }
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
