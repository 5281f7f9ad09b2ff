// On every page of the desk but that of slips: whether the last slip is on disk, and whether some wait for the server.

import { showDisk, waiting } from "./pile.js";
import { announceWhatWasDone } from "./said.js";

document.addEventListener("position", (event) => showDisk(event.detail));
window.addEventListener("storage", () => waiting().length && showDisk(""));
if (waiting().length) showDisk("");
announceWhatWasDone();
