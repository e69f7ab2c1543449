"""A headless Chromium, spoken to through a pipe: loads a page, evaluates, types, takes pictures.

Invariant: the browser reads one folder of its own and reaches no network; it ends with its block.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Self

#: Names of browsers that speak the protocol.
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")

_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
    "--disable-dev-shm-usage", "--proxy-server=127.0.0.1:9", "--remote-debugging-pipe",
)  # fmt: skip


def find_browser() -> str | None:
    """The path of a browser, or None where there is none."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def _hand_over(read: int, write: int) -> None:
    """Give the pipe the numbers that the browser expects."""
    os.dup2(read, 3)
    os.dup2(write, 4)


class Browser:
    """One window of ``width`` pixels (mutable: it counts its messages)."""

    def __init__(self, path: str, width: int = 1280, height: int = 900) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="unitcraft-browser-")
        read, self._out = os.pipe()
        self._in, write = os.pipe()
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (read, write)]  # not 3 nor 4
        self._process = subprocess.Popen(
            [path, *_FLAGS, f"--user-data-dir={self._folder.name}"],
            close_fds=False, preexec_fn=lambda: _hand_over(*ends),  # noqa: PLW1509
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        for end in (read, write, *ends):
            os.close(end)
        self._rest = b""
        self._last = 0
        self._session = ""
        target = self._send("Target.createTarget", url="about:blank")["targetId"]
        attached = self._send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        self._send("Page.enable")
        self.resize(width, height)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()
        os.close(self._in)
        os.close(self._out)
        self._folder.cleanup()

    def resize(self, width: int, height: int) -> None:
        """Make the window that large."""
        self._send(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip

    def load(self, file: Path) -> None:
        """Show a page."""
        self._send("Page.navigate", url=file.resolve().as_uri())
        while self._receive().get("method") != "Page.loadEventFired":
            pass

    def prefer(self, scheme: str) -> None:
        """Have the page shown in ``light`` or ``dark``."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self._send("Emulation.setEmulatedMedia", features=features)

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression."""
        answer = self._send("Runtime.evaluate", expression=expression, returnByValue=True)
        return answer["result"].get("value")

    def press(self, key: str, text: str = "") -> None:
        """Press a key such as ``Tab`` or ``Enter`` (which has the text of a carriage return)."""
        more = {"text": text} if text else {}
        code = {"Tab": 9, "Enter": 13}[key]
        for kind in ("keyDown", "keyUp"):
            self._send(
                "Input.dispatchKeyEvent",
                type=kind, key=key, code=key, windowsVirtualKeyCode=code, **more,
            )  # fmt: skip

    def picture(self, file: Path, top: int, height: int, width: int = 1280) -> None:
        """Write a picture of a part of the page."""
        clip = {"x": 0, "y": top, "width": width, "height": height, "scale": 1}
        found = self._send("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
        file.write_bytes(base64.b64decode(found["data"]))

    def _send(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            found = os.read(self._in, 1 << 16)
            if not found:
                raise RuntimeError("the browser has ended")
            self._rest += found
        line, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        return message
