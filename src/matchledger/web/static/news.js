// News: a phone that lies face up tells its player when a round is posted. It rings while the page is open, and where
// the organizer allows Web Push, it gets the news while the page is closed as well.

const news = document.getElementById("news");
const card = document.getElementById("card");
const button = news.querySelector("button");
const own = location.pathname;
const canRing = "AudioContext" in window;
const canPush = "key" in news.dataset && window.isSecureContext && "serviceWorker" in navigator && "PushManager" in window;
const seat = () => card.querySelector("[data-seat]")?.dataset.seat ?? "";
const subscribed = async () => (canPush && (await (await navigator.serviceWorker.getRegistration(own))?.pushManager.getSubscription())) || null;
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

async function tell(act, { endpoint, keys = {} }) {
  const answer = await fetch(`${own}/push`, { method: "POST", body: new URLSearchParams({ act, endpoint, ...keys }) });
  if (!answer.ok) throw new Error(answer.status);
}

async function show() {
  button.textContent = sound === null && (await subscribed()) === null ? button.dataset.on : button.dataset.off;
  button.disabled = false;
  button.parentElement.hidden = false;
}

async function subscribe() {
  await navigator.serviceWorker.register(`${own}/worker.js`, { scope: own });
  const worker = await navigator.serviceWorker.ready;
  const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: news.dataset.key });
  await tell("on", made.toJSON()).catch(async (problem) => {
    await made.unsubscribe();
    throw problem;
  });
}

async function stop(old) {
  await sound?.close();
  sound = null;
  if (old === null) return;
  await tell("off", old.toJSON());
  await old.unsubscribe();
}

async function start() {
  if (canRing) sound = new AudioContext();
  if ("Notification" in window && window.isSecureContext) await Notification.requestPermission();
  if (canPush) await subscribe();
}

async function turn() {
  button.disabled = true;
  const old = await subscribed();
  const alert = news.querySelector("[role=alert]");
  try {
    await (sound === null && old === null ? start() : stop(old));
    alert.hidden = true;
  } catch {
    alert.hidden = false;
  }
  await show();
}

card.addEventListener("refreshed", async () => {
  const now = seat();
  const isNew = now !== "" && now !== known;
  known = now;
  if (!isNew || sound === null) return;
  ring();
  if ("vibrate" in navigator) navigator.vibrate([200, 100, 200]);
  if (!("Notification" in window) || Notification.permission !== "granted" || (await subscribed()) !== null) return;
  const where = card.querySelector("[data-seat]").textContent.replace(/\s+/g, " ").trim();
  new Notification(document.title, { body: where });
});

if (canRing || canPush) {
  button.addEventListener("click", turn);
  await show();
  news.querySelector("[data-open]").hidden = !canRing;
  const closed = news.querySelector("[data-closed]");
  if (closed !== null) closed.hidden = !canPush;
  const before = await subscribed();
  if (before !== null) await tell("on", before.toJSON()).catch(() => {}); // the personal link may be a new one
}
