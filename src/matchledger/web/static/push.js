// Web Push: a phone gets the news of a round while its page is closed.

const push = document.getElementById("push");
const button = push.querySelector("button");
const own = location.pathname;
const isPossible = window.isSecureContext && "serviceWorker" in navigator && "PushManager" in window;

const registered = () => navigator.serviceWorker.getRegistration(own);
const subscribed = async () => (await (await registered())?.pushManager.getSubscription()) ?? null;

async function tell(act, { endpoint, keys = {} }) {
  const answer = await fetch(`${own}/push`, { method: "POST", body: new URLSearchParams({ act, endpoint, ...keys }) });
  if (!answer.ok) throw new Error(answer.status);
}

async function show() {
  button.textContent = (await subscribed()) === null ? button.dataset.on : button.dataset.off;
  button.disabled = false;
}

async function turn() {
  button.disabled = true;
  const old = await subscribed();
  try {
    if (old !== null) {
      await tell("off", old.toJSON());
      await old.unsubscribe();
    } else {
      await navigator.serviceWorker.register(`${own}/worker.js`, { scope: own });
      const worker = await navigator.serviceWorker.ready;
      const options = { userVisibleOnly: true, applicationServerKey: push.dataset.key };
      const made = await worker.pushManager.subscribe(options);
      await tell("on", made.toJSON()).catch(async (problem) => {
        await made.unsubscribe();
        throw problem;
      });
    }
    push.querySelector("[role=alert]").hidden = true;
  } catch {
    push.querySelector("[role=alert]").hidden = false;
  }
  await show();
}

if (isPossible) {
  button.addEventListener("click", turn);
  button.hidden = false;
  await show();
  const known = await subscribed();
  if (known !== null) await tell("on", known.toJSON()).catch(() => {}); // the personal link may be a new one
} else {
  push.querySelector(".without").hidden = false;
}
