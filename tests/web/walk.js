// What a page is to whoever has no mouse, magnifies it, or has other colours: measured by the page itself.
// Loaded by tests/web/walking.py; every finding is a list of sentences, empty if nothing is wrong.

window.walk = (() => {
  const CONTROLS = "a[href], button, input, select, textarea, summary, [tabindex]";
  const SMALLEST = 24; // CSS px, WCAG 2.5.8
  const CONTRAST = 3; // to one, WCAG 1.4.11
  const PARTS = 4; // of a field for a date that Tab goes through: day, month, year, the calendar
  const SLACK = 1.5; // px by which a box may be off, for fractions of a pixel

  const all = (selector) => [...document.querySelectorAll(selector)];
  const unseen = (element) => element.closest(".unseen, [hidden], template, datalist, option") !== null;

  function seen(element) {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true }) && !unseen(element);
  }

  function named(element) {
    const said = element.getAttribute("aria-label") ?? (element.textContent.trim() || element.name || element.value);
    const words = String(said ?? "").replace(/\s+/g, " ").slice(0, 40);
    return `${element.tagName.toLowerCase()}${element.id ? `#${element.id}` : ""} "${words}"`;
  }

  // -- the keyboard

  // Radio buttons of one name are one stop: the arrows go on inside.
  const group = (element) =>
    element.type === "radio" ? all(`input[type=radio][name="${element.name}"]`).find((one) => one.form === element.form) : element;

  function controls() {
    const reachable = all(CONTROLS).filter(
      (element) => seen(element) && !element.disabled && element.tabIndex >= 0 && element.type !== "hidden",
    );
    return [...new Set(reachable.map(group))];
  }

  const LOOKS = ["outlineStyle", "outlineWidth", "outlineColor", "boxShadow"];
  const looks = (element) => LOOKS.map((name) => getComputedStyle(element)[name]).join();

  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const brush = canvas.getContext("2d", { willReadFrequently: true });

  function painted(...colours) {
    brush.clearRect(0, 0, 1, 1);
    for (const colour of colours) {
      brush.fillStyle = colour;
      brush.fillRect(0, 0, 1, 1);
    }
    return [...brush.getImageData(0, 0, 1, 1).data].slice(0, 3);
  }

  function behind(element) {
    const layers = [];
    for (let one = element; one; one = one.parentElement) layers.unshift(getComputedStyle(one).backgroundColor);
    return ["Canvas", ...layers];
  }

  function brightness(rgb) {
    const [red, green, blue] = rgb.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }

  function contrast(one, other) {
    const [dark, light] = [brightness(one), brightness(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  }

  const clips = (style) => [style.overflowX, style.overflowY].some((value) => value !== "visible");

  // The ring around what has the focus: there, of a colour that is seen, and not cut off by what scrolls.
  function faint(element, atRest) {
    const style = getComputedStyle(element);
    if (looks(element) === atRest) return "looks the same with the focus as without";
    if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2) return "has no ring of 2 px";
    const offset = parseFloat(style.outlineOffset);
    const ground = behind(offset < 0 ? element : element.parentElement);
    const against = contrast(painted(...ground, style.outlineColor), painted(...ground));
    if (against < CONTRAST) return `has a ring of only ${against.toFixed(1)}:1`;
    const reach = Math.max(0, offset + parseFloat(style.outlineWidth)) - SLACK;
    const box = element.getBoundingClientRect();
    for (let one = element.parentElement; one && one !== document.documentElement; one = one.parentElement) {
      if (!clips(getComputedStyle(one))) continue;
      const room = one.getBoundingClientRect();
      const cut = box.left - reach < room.left || box.right + reach > room.right || box.top - reach < room.top || box.bottom + reach > room.bottom;
      if (cut) return `has a ring that ${named(one)} cuts off`;
    }
    return null;
  }

  // 2.4.11: something of it can be seen, whatever lies over it or wherever the page was scrolled to.
  function covered(element) {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const points = [0.5, 0.1, 0.9].flatMap((x) => [0.5, 0.15, 0.85].map((y) => [left + (right - left) * x, top + (bottom - top) * y]));
    return !points.some(([x, y]) => {
      const found = document.elementFromPoint(x, y);
      return found && (element.contains(found) || found.contains(element) || [...(element.labels ?? [])].some((label) => label.contains(found)));
    });
  }

  // Keys come faster than a busy page scrolls: what looked hidden gets the focus once more, with time to scroll.
  function stillCovered(element) {
    element.focus();
    return covered(element);
  }

  const inOrder = (one, other) => one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;

  let stops = [];
  let atRest = new Map();

  function look(event) {
    const element = document.activeElement;
    if (event.key !== "Tab") return;
    if (element === document.body) stops.push(null); // around the corner
    else stops.push({ element, faint: faint(element, atRest.get(element)), covered: covered(element), box: element.getBoundingClientRect(), scroll: scrollY });
  }

  function begin() {
    document.activeElement.blur();
    atRest = new Map(controls().map((element) => [element, looks(element)]));
    stops = [];
    addEventListener("keydown", look, true);
    return atRest.size + [...atRest.keys()].filter((one) => one.type === "date").length * (PARTS - 1);
  }

  // How often to press Tab for another whole round: 0 once everything was reached.
  function left() {
    const reached = new Set(stops.filter(Boolean).map((stop) => group(stop.element)));
    const missing = controls().filter((element) => !reached.has(element)).length;
    return missing && controls().length + 2;
  }

  // Up in the same column, or left in the same row: not the way that anybody reads.
  function backwards(from, to) {
    const [a, b] = [from, to].map(({ box, scroll }) => ({ ...box.toJSON(), top: box.top + scroll, bottom: box.bottom + scroll }));
    const column = Math.min(a.right, b.right) - Math.max(a.left, b.left) > SLACK;
    const row = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > SLACK;
    return (column && b.bottom <= a.top + SLACK) || (row && b.right <= a.left + SLACK);
  }

  function end() {
    removeEventListener("keydown", look, true);
    const found = [];
    const wanted = controls();
    const reached = new Map();
    for (const stop of stops) if (stop && !reached.has(group(stop.element))) reached.set(group(stop.element), stop);
    for (const element of wanted) if (!reached.has(element)) found.push(`${named(element)} is never reached`);
    for (const { element, ...stop } of reached.values()) {
      if (stop.faint) found.push(`${named(element)} ${stop.faint}`);
      if (stop.covered && stillCovered(element)) found.push(`${named(element)} is hidden while it has the focus`);
    }
    // A page that is busy may swallow a key; a trap lets go at none.
    const released = new Set(stops.filter((stop, at) => stop && at + 1 < stops.length && stops[at + 1]?.element !== stop.element).map((stop) => stop.element));
    for (let at = 1; at < stops.length; at++) {
      const [from, to] = [stops[at - 1], stops[at]];
      if (!from || !to) continue;
      const round = !inOrder(from.element, to.element); // after the last comes the first
      if (from.element === to.element && to.element.type === "date") continue;
      if (from.element === to.element) {
        if (!released.has(to.element)) found.push(`${named(to.element)} does not let go`);
      } else if (round ? wanted.indexOf(group(to.element)) > 0 : backwards(from, to)) found.push(`${named(to.element)} comes after ${named(from.element)}`);
    }
    return found;
  }

  // The same ring in other colours, where the way itself does not change.
  function rings() {
    document.activeElement.blur();
    const before = new Map(controls().map((element) => [element, looks(element)]));
    const found = [];
    for (const [element, atRest] of before) {
      element.focus();
      const said = faint(element, atRest);
      if (said) found.push(`${named(element)} ${said}`);
    }
    document.activeElement.blur();
    return found;
  }

  // -- targets

  // A label is part of what it names; a link inside a sentence is as high as its line.
  function target(element) {
    const parts = [element, ...(element.labels ?? [])].map((one) => one.getBoundingClientRect());
    const [left, top] = [Math.min(...parts.map((one) => one.left)), Math.min(...parts.map((one) => one.top))];
    const [right, bottom] = [Math.max(...parts.map((one) => one.right)), Math.max(...parts.map((one) => one.bottom))];
    return { element, left, top, right, bottom, x: (left + right) / 2, y: (top + bottom) / 2, small: right - left < SMALLEST - 0.1 || bottom - top < SMALLEST - 0.1 };
  }

  function inSentence(element) {
    if (getComputedStyle(element).display !== "inline") return false;
    return [...element.parentElement.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && /\w{2}/.test(node.data));
  }

  function small() {
    const targets = all(CONTROLS).filter((one) => seen(one) && one.type !== "hidden" && one.matches(":not(.skip, [tabindex='-1'], [role=region])")).map(target);
    const near = (one, other) => {
      const [x, y] = [Math.max(other.left - one.x, 0, one.x - other.right), Math.max(other.top - one.y, 0, one.y - other.bottom)];
      const apart = other.small ? Math.hypot(one.x - other.x, one.y - other.y) - SMALLEST / 2 : Math.hypot(x, y);
      return apart < SMALLEST / 2 - 0.1;
    };
    return targets
      .filter((one) => one.small && !inSentence(one.element))
      .flatMap((one) => {
        const other = targets.find((two) => two !== one && !two.element.contains(one.element) && near(one, two));
        return other ? [`${named(one.element)} of ${Math.round(one.right - one.left)}x${Math.round(one.bottom - one.top)} px is too near ${named(other.element)}`] : [];
      });
  }

  // -- magnified

  const scrolls = (style) => ["auto", "scroll"].includes(style.overflowX);

  function wide() {
    const found = [];
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > width) found.push(`the page is ${document.documentElement.scrollWidth} px wide`);
    for (const element of all("body *")) {
      if (!seen(element) || !scrolls(getComputedStyle(element)) || element.scrollWidth <= element.clientWidth + 1) continue;
      const region = element.getAttribute("role") === "region" && (element.ariaLabel || element.getAttribute("aria-labelledby"));
      if (!region || element.tabIndex < 0) found.push(`${named(element)} scrolls sideways and is no labelled region with a tab stop`);
      else if (!element.querySelector("table, svg, .games")) found.push(`${named(element)} scrolls sideways and holds no table`);
    }
    return found;
  }

  function texts() {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (node.data.trim() && !parent.closest("script, style, svg, select, textarea, .skip") && seen(parent)) found.push(node);
    }
    return found;
  }

  // Text beyond the edge of what clips it, of the page, or of the button, cell or item that it stands in.
  function clipped() {
    const found = [];
    const range = document.createRange();
    for (const node of texts()) {
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      let [across, down] = [false, false]; // what scrolls brings everything into sight
      for (let one = node.parentElement; one && one !== document.body; one = one.parentElement) {
        const style = getComputedStyle(one);
        const room = one.getBoundingClientRect();
        const holds = one.matches("button, .button, summary, th, td, li, dd, dt, input, kbd");
        const [hidesX, hidesY] = [style.overflowX, style.overflowY].map((value) => value === "hidden" || value === "clip");
        if (!across && (hidesX || holds) && (box.left < room.left - SLACK || box.right > room.right + SLACK)) across = `sideways out of ${named(one)}`;
        if (!down && (hidesY || holds) && (box.top < room.top - 2 * SLACK || box.bottom > room.bottom + 2 * SLACK)) down = `out of ${named(one)}`;
        across ||= scrolls(style);
        down ||= ["auto", "scroll"].includes(style.overflowY);
      }
      if (across === false && (box.left < -SLACK || box.right > document.documentElement.clientWidth + SLACK)) across = "out of the page";
      for (const said of [across, down]) if (typeof said === "string") found.push(`"${node.data.trim().slice(0, 40)}" runs ${said}`);
    }
    return found;
  }

  // Words that a line break tears without a hyphen. Longer words than these may need it on a phone.
  function torn() {
    const found = [];
    const range = document.createRange();
    for (const node of texts()) {
      if (node.parentElement.closest("code, pre, a[href^=http]")) continue;
      for (const word of node.data.matchAll(/[\p{L}'’]{3,17}(?![\p{L}'’])/gu)) {
        if (/[\p{L}'’]/u.test(node.data[word.index - 1] ?? "")) continue;
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        const lines = [...range.getClientRects()].filter((one) => one.width > 0).map((one) => Math.round(one.top));
        if (Math.max(...lines) - Math.min(...lines) > 4) found.push(`"${word[0]}" is torn in ${named(node.parentElement)}`);
      }
    }
    return found;
  }

  // 1.4.3: text against its ground. What cannot be pressed now is exempt; a drawing is not text.
  const WANTED = [4.5, 3]; // to one: of most text, and of large text
  const known = new Map();

  function pale() {
    const found = [];
    const fields = all("input, select, textarea").filter((one) => seen(one) && !["hidden", "checkbox", "radio", "range", "file"].includes(one.type));
    for (const element of new Set([...texts().map((node) => node.parentElement), ...fields])) {
      if (element.closest(":disabled")) continue;
      const style = getComputedStyle(element);
      let opacity = 1;
      for (let one = element; one; one = one.parentElement) opacity *= Number(getComputedStyle(one).opacity);
      const ground = behind(element);
      const key = [...ground, style.color, opacity].join("|");
      if (!known.has(key)) {
        const under = painted(...ground);
        const over = painted(...ground, style.color).map((part, at) => part * opacity + under[at] * (1 - opacity));
        known.set(key, contrast(over, under));
      }
      const size = parseFloat(style.fontSize);
      const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (known.get(key) < WANTED[Number(large)]) found.push(`${named(element)} has a contrast of only ${known.get(key).toFixed(1)}:1`);
    }
    return found;
  }

  // 1.4.12: what a reader may set, whatever the page sets.
  function spaceOut() {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }");
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    dispatchEvent(new Event("resize"));
  }

  // -- other colours, no motion

  const SHOWN = ["borderTopWidth", "borderLeftWidth", "borderBottomWidth", "borderTopStyle", "borderLeftStyle", "outlineStyle", "outlineWidth", "fontWeight", "fontStyle", "textDecorationLine", "textDecorationStyle", "backgroundColor", "color", "borderTopColor", "listStyleType", "display"];

  function shown(element) {
    const parts = [element, ...element.children];
    return parts.flatMap((one) => [null, "::before", "::after"].map((part) => { const style = getComputedStyle(one, part); return SHOWN.map((name) => style[name]).join() + style.content; })).join("|");
  }

  // An element with its state, and the same without it: what tells them apart?
  function alike(states) {
    const found = [];
    for (const [selector, attribute, value] of states) {
      for (const element of all(selector).filter(seen)) {
        const kept = element.getAttribute(attribute);
        const set = (on) => (value ? element.classList.toggle(value, on) : on ? element.setAttribute(attribute, kept || "true") : element.removeAttribute(attribute));
        set(true);
        const before = shown(element);
        set(false);
        if (shown(element) === before) found.push(`${named(element)} looks the same without ${value ?? attribute}`);
        if (kept === null) element.removeAttribute(attribute);
        else element.setAttribute(attribute, kept);
      }
    }
    return found;
  }

  const met = (states) => states.map(([selector]) => selector).filter((selector) => all(selector).some(seen));

  function moving() {
    const still = (value) => value.split(",").every((part) => parseFloat(part) === 0);
    return all("body :not(svg *)").filter((element) => {
      const style = getComputedStyle(element);
      return style.animationName !== "none" || !still(style.transitionDuration) || style.scrollBehavior === "smooth";
    }).map((element) => `${named(element)} moves`);
  }

  const open = () => all("details").forEach((one) => (one.open = true));

  return { begin, left, end, rings, small, wide, clipped, torn, pale, spaceOut, alike, met, moving, open };
})();
