// News: a phone that lies face up tells its player when a round is posted. It works while the page is open.

const news = document.getElementById("news");
const card = document.getElementById("card");
const seat = () => card.querySelector("[data-seat]")?.dataset.seat ?? "";
let known = seat();
let sound = null;

// Two short tones. A browser lets them sound only after somebody has touched the page.
function ring() {
  for (const [at, pitch] of [[0, 660], [0.25, 880]]) {
    const tone = sound.createOscillator();
    tone.frequency.value = pitch;
    tone.connect(sound.destination);
    tone.start(sound.currentTime + at);
    tone.stop(sound.currentTime + at + 0.2);
  }
}

function show() {
  const button = news.querySelector("button");
  button.textContent = sound === null ? button.dataset.tell : button.dataset.quiet;
  news.hidden = false;
}

async function turn() {
  if (sound !== null) {
    await sound.close();
    sound = null;
  } else {
    sound = new AudioContext();
    if ("Notification" in window && window.isSecureContext) await Notification.requestPermission();
  }
  show();
}

card.addEventListener("refreshed", () => {
  const now = seat();
  if (now !== "" && now !== known && sound !== null) {
    ring();
    const where = card.querySelector("[data-seat]").textContent.replace(/\s+/g, " ").trim();
    if ("Notification" in window && Notification.permission === "granted") new Notification(document.title, { body: where });
    if ("vibrate" in navigator) navigator.vibrate([200, 100, 200]);
  }
  known = now;
});

if ("AudioContext" in window) {
  news.querySelector("button").addEventListener("click", turn);
  show();
}
