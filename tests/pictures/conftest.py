"""A browser, where there is one: the pages are opened as their reader opens them, from a file."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

SCREENSHOTS = Path(__file__).resolve().parents[2] / "build" / "screenshots"
"""Where the pictures of the pages are kept, for a person to look at."""

QUIET = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--hide-scrollbars", "--force-device-scale-factor=1",
)  # fmt: skip


@attrs.define
class Browser:
    """A headless Chromium with one page in it."""

    driver: Any

    def open(self, file: Path) -> None:
        """Open a page and wait until it says that it is drawn."""
        from selenium.webdriver.support.ui import WebDriverWait

        self.messages()
        self.driver.get(file.as_uri())
        WebDriverWait(self.driver, 20).until(
            lambda _: self.js("return document.readyState === 'complete'")
        )

    def ready(self) -> bool:
        return bool(self.js("return document.documentElement.dataset.ready === 'true'"))

    def messages(self) -> list[str]:
        """What the console says since it was last asked: errors, and refused requests."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def js(self, code: str, *arguments: Any) -> Any:
        return self.driver.execute_script(code, *arguments)

    def press(self, *keys: str) -> None:
        """Press keys on the page, and wait until it is drawn again."""
        from selenium.webdriver.common.action_chains import ActionChains

        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()
        self.driver.execute_async_script(
            "const done = arguments[0];"
            "requestAnimationFrame(() => requestAnimationFrame(() => done()));"
        )

    def text(self, element: str) -> str:
        return str(self.js("return document.getElementById(arguments[0]).innerText", element))

    def keep(self, name: str) -> Path:
        """A screenshot of the whole page."""
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        height = self.js("return document.documentElement.scrollHeight")
        self.driver.set_window_size(1400, min(int(height) + 40, 3000))
        self.js("scrollTo(0, 0)")
        file = SCREENSHOTS / f"{name}.png"
        assert self.driver.save_screenshot(str(file))
        self.driver.set_window_size(1400, 1400)
        return file


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Debian calls them chromium and chromium-driver; `make browser` installs them."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    driver = shutil.which("chromedriver")
    if program is None or driver is None:
        pytest.skip("NOT TESTED: no chromium with chromedriver here; try `make browser` as root")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = program
    for argument in QUIET:
        options.add_argument(argument)
    options.add_argument(f"--user-data-dir={tmp_path_factory.mktemp('chromium')}")
    options.add_argument("--window-size=1400,1400")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    opened = webdriver.Chrome(options=options, service=Service(driver))
    try:
        yield Browser(opened)
    finally:
        opened.quit()
