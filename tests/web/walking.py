"""Walk a page without a mouse, magnified, or in other colours, and list the problems.

The page itself measures each criterion, with tests/web/walk.js. Add tests/web/walk.js to the browser's context
first.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

SCRIPT = Path(__file__).with_name("walk.js")
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
TWICE: ViewportSize = {"width": 640, "height": 400}  # the screen at a zoom of 200 %
FOUR_TIMES: ViewportSize = {"width": 320, "height": 256}  # the screen at a zoom of 400 % (WCAG 1.4.10)
# States that a page must show: the element, and the attribute or class that marks the state.
STATES = (
    ("[aria-current]", "aria-current", None),
    (".marked", "class", "marked"),
    (".moved", "class", "moved"),
    (".open", "class", "open"),
    (".dead", "class", "dead"),
    (".gone", "class", "gone"),
    ("#disk", "class", "waiting"),
)
TAB = {"type": "rawKeyDown", "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9}
Findings = dict[str, list[str]]


def walker(browser: Browser) -> BrowserContext:
    """Return a context whose pages can be walked."""
    context = browser.new_context(viewport=DESKTOP)
    context.add_init_script(path=SCRIPT)
    return context


def walked(page: Page) -> Findings:
    """Return the problems of the current page, by criterion. Afterwards every menu and section that can be opened
    is open.
    """
    page.evaluate("walk.open()")
    found: Findings = {"keyboard": by_keyboard(page)}
    found["targets"], found["reflow"] = page.evaluate("walk.small()"), []
    for size in (TWICE, FOUR_TIMES):
        resize(page, size)
        found["targets"] += page.evaluate("walk.small()")
        found["reflow"] += [
            f"{size['width']} px: {one}" for one in page.evaluate("[...walk.wide(), ...walk.clipped()]")
        ]
    page.evaluate("walk.spaceOut()")
    found["spacing"] = page.evaluate("[...walk.wide(), ...walk.clipped()]")
    resize(page, DESKTOP)
    found["spacing"] += page.evaluate("walk.clipped()")
    page.emulate_media(color_scheme="dark")
    found["dark"] = page.evaluate("walk.rings()")
    page.emulate_media(color_scheme="light", forced_colors="active")
    found["colours"] = page.evaluate("walk.rings()") + alike(page)
    page.emulate_media(forced_colors="none", reduced_motion="reduce")
    found["motion"] = page.evaluate("walk.moving()")
    page.emulate_media(reduced_motion="no-preference")
    return found


def resize(page: Page, size: ViewportSize) -> None:
    """Set another size, and wait for the page to react: the wall shows as many lines as fit."""
    page.set_viewport_size(size)
    page.evaluate("new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))")


def by_keyboard(page: Page) -> list[str]:
    """Press Tab through the page once: every control is reached in order, is visible, and is left again."""
    keyboard = page.context.new_cdp_session(page)  # a session takes half as long as page.keyboard
    stops = page.evaluate("walk.begin()") + 2  # two more, to see that the focus returns to the start
    # A busy page may miss some presses of Tab. A keyboard trap holds the focus however often Tab is pressed.
    for _ in range(6):
        for _ in range(stops):
            keyboard.send("Input.dispatchKeyEvent", TAB)
        if (stops := page.evaluate("walk.left()")) == 0:
            break
    keyboard.detach()
    found: list[str] = page.evaluate("walk.end()")
    return found


def alike(page: Page) -> list[str]:
    """Return the states that cannot be seen in the current colours."""
    found: list[str] = page.evaluate("states => walk.alike(states)", [list(state) for state in STATES])
    return found


def states_met(page: Page) -> set[str]:
    """Return the states that occur on a page, because a test may judge only states that occurred."""
    met: list[str] = page.evaluate("states => walk.met(states)", [list(state) for state in STATES])
    return set(met)
