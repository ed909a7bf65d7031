"""A browser without a window, driven over a pair of pipes.

Python's standard library only. The browser speaks the DevTools protocol: JSON
messages that end in a zero byte.
"""

import base64
import json
import os
import select
import subprocess
import tempfile
import time


class Failure(Exception):
    """The browser answered with an error, or not in time."""


class Browser:
    """One browser process with a profile of its own."""

    def __init__(self, program):
        self.profile = tempfile.TemporaryDirectory(prefix="ptodiff-browser-")
        from_us, to_us = os.pipe(), os.pipe()
        flags = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
            "--no-first-run", "--disable-extensions", "--disable-background-networking",
            "--disable-component-update", "--hide-scrollbars",
            f"--user-data-dir={self.profile.name}", "about:blank",
        ]
        # The protocol's pipes are descriptors 3 and 4.
        redirect = f'exec "$@" 3<&{from_us[0]} 4>&{to_us[1]}'
        self.process = subprocess.Popen(
            ["sh", "-c", redirect, "sh", program, *flags],
            pass_fds=(from_us[0], to_us[1]),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        os.close(from_us[0])
        os.close(to_us[1])
        self.write_to, self.read_from = from_us[1], to_us[0]
        self.unread = b""
        self.last = 0
        self.listeners = []

    def close(self):
        try:
            self.call("Browser.close", timeout=5)
        except (Failure, OSError):
            self.process.kill()
        self.process.wait(20)
        os.close(self.write_to)
        os.close(self.read_from)
        self.profile.cleanup()

    def call(self, method, params=None, session=None, timeout=60):
        """Calls a method and gives its result; events go to the listeners."""
        self.last += 1
        message = {"id": self.last, "method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        rest = json.dumps(message).encode() + b"\0"
        while rest:
            rest = rest[os.write(self.write_to, rest):]
        end = time.monotonic() + timeout
        while True:
            answer = self.receive(end, method)
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise Failure(f"{method}: {answer['error'].get('message')}")
                return answer["result"]

    def receive(self, end, doing):
        """The next message; an event has gone to the listeners."""
        while b"\0" not in self.unread:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.read_from], [], [], left)[0]:
                raise Failure(f"{doing}: no answer in time")
            more = os.read(self.read_from, 1 << 20)
            if not more:
                raise Failure(f"{doing}: the browser has gone")
            self.unread += more
        line, self.unread = self.unread.split(b"\0", 1)
        message = json.loads(line)
        if "method" in message:
            for listener in self.listeners:
                listener(message)
        return message

    def page(self):
        return Page(self)


class Page:
    """One tab, with all that it asked for and all that went wrong in it."""

    def __init__(self, browser):
        self.browser = browser
        self.requests, self.errors = [], []
        self.target = browser.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        attached = browser.call("Target.attachToTarget", {"targetId": self.target, "flatten": True})
        self.session = attached["sessionId"]
        browser.listeners.append(self.heard)
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setFocusEmulationEnabled", {"enabled": True})

    def close(self):
        self.browser.listeners.remove(self.heard)
        self.browser.call("Target.closeTarget", {"targetId": self.target})

    def call(self, method, params=None, timeout=60):
        return self.browser.call(method, params, self.session, timeout)

    def heard(self, message):
        if message.get("sessionId") != self.session:
            return
        params = message["params"]
        if message["method"] == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif message["method"] == "Runtime.exceptionThrown":
            self.errors.append(str(params["exceptionDetails"]))
        elif message["method"] == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.errors.append(str(params["args"]))
        elif message["method"] == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.errors.append(params["entry"]["text"])

    def open(self, url):
        """Goes to an address and waits until the document is there."""
        self.call("Page.navigate", {"url": url})
        self.wait("document.readyState === 'complete'")

    def reload(self):
        self.call("Page.reload")
        time.sleep(0.1)
        self.wait("document.readyState === 'complete'")

    def get(self, expression):
        """The value of an expression, awaited."""
        answer = self.call("Runtime.evaluate", {
            "expression": expression, "awaitPromise": True, "returnByValue": True, "userGesture": True,
        })
        if "exceptionDetails" in answer:
            raise Failure(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait(self, expression, timeout=20):
        """Waits until an expression is true."""
        end = time.monotonic() + timeout
        while True:
            try:
                if self.get(f"!!({expression})"):
                    return
            except Failure:
                # The document may be on its way out.
                pass
            if time.monotonic() > end:
                raise Failure(f"never came true: {expression}")
            time.sleep(0.03)

    KEYS = {"Enter": (13, "\r"), "Escape": (27, ""), "Tab": (9, ""), "ArrowDown": (40, ""), "ArrowUp": (38, ""),
            "ArrowRight": (39, ""), "End": (35, ""), "Home": (36, "")}

    def key(self, key):
        """Presses a key: a character, or one of KEYS."""
        code, text = self.KEYS[key] if key in self.KEYS else (ord(key.upper()), key)
        both = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        down = {"type": "keyDown", "text": text} if text else {"type": "rawKeyDown"}
        self.call("Input.dispatchKeyEvent", both | down)
        self.call("Input.dispatchKeyEvent", both | {"type": "keyUp"})

    def write(self, text):
        self.call("Input.insertText", {"text": text})

    def click(self, selector):
        """Clicks in the middle of the first element that fits."""
        box = self.get(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'center'}});"
            " const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", {"type": kind, "x": box[0], "y": box[1], "button": "left", "clickCount": 1})

    def look(self, width, height=900, dark=False):
        """A screen of this size, light or dark."""
        self.call("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        scheme = "dark" if dark else "light"
        self.call("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def picture(self, path, whole=False):
        """A screenshot, of what is in sight or of the whole page."""
        params = {"format": "png"}
        if whole:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            params["captureBeyondViewport"] = True
            params["clip"] = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 6000), "scale": 1}
        shot = self.call("Page.captureScreenshot", params)
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))
