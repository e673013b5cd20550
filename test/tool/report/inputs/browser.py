# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drives Debian's Chromium by its own protocol, through a pair of pipes.

    with Browser() as browser:
        browser.open("page.html")
        assert browser.value("document.title") == "..."
        browser.press("Tab")
        browser.picture("page.png")
        assert browser.problems == []       # what the console said, and errors in scripts
"""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

KEYS = {"Enter": 13, "Tab": 9, " ": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40,
        "Home": 36, "End": 35, "Escape": 27, "Backspace": 8, "+": 187, "-": 189}


class Browser:
    def __init__(self, width=1200, height=900, dark=False):
        program = shutil.which("chromium")
        if not program:
            raise SystemExit("chromium is missing: install the packages of test/requirements")
        self.folder = tempfile.TemporaryDirectory()
        to_browser, self.out = os.pipe()
        self.input, from_browser = os.pipe()

        def place_pipes():  # the browser reads from 3 and writes to 4
            ends = os.dup(to_browser), os.dup(from_browser)
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--no-first-run", "--disable-extensions", "--disable-background-networking", "--disable-component-update",
             "--hide-scrollbars", f"--user-data-dir={self.folder.name}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=place_pipes,
            close_fds=False)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.session, self.problems, self.events = b"", 0, None, [], []
        target = next(each for each in self.ask("Target.getTargets")["targetInfos"] if each["type"] == "page")
        self.session = self.ask("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(domain + ".enable")
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.prefer(dark)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.out)
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.input)
        for _ in range(20):  # its helpers may still write
            try:
                return self.folder.cleanup()
            except OSError:
                time.sleep(0.1)

    def receive(self):
        while b"\0" not in self.buffer:
            data = os.read(self.input, 1 << 20)
            if not data:
                raise SystemExit("chromium ended")
            self.buffer += data
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def note(self, event):
        name, values = event.get("method", ""), event.get("params", {})
        if name == "Runtime.exceptionThrown":
            details = values["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description", details["text"]))
        elif name == "Runtime.consoleAPICalled" and values["type"] in ("error", "warning", "assert"):
            self.problems.append(str(values["args"]))
        elif name == "Log.entryAdded" and values["entry"]["level"] in ("error", "warning"):
            self.problems.append(values["entry"]["text"])
        elif name == "Network.requestWillBeSent" and not values["request"]["url"].startswith(("file:", "data:", "blob:")):
            self.problems.append("request of " + values["request"]["url"])
        self.events.append(name)

    def ask(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']}")
                return answer["result"]
            self.note(answer)

    def open(self, path):
        """Loads a file and waits until its page is ready; returns how many seconds that takes."""
        self.events = []
        begin = time.monotonic()
        self.ask("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        while "Page.loadEventFired" not in self.events:
            self.note(self.receive())
        assert self.value("document.documentElement.dataset.ready") == "yes", self.problems
        return time.monotonic() - begin

    def value(self, expression):
        result = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, (expression, result["exceptionDetails"])
        return result["result"].get("value")

    def texts(self, selector):
        return self.value(f"Array.from(document.querySelectorAll({json.dumps(selector)}), each => each.textContent)")

    def press(self, key, times=1):
        for _ in range(times):
            text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
            for kind in ("keyDown", "keyUp"):
                self.ask("Input.dispatchKeyEvent", type=kind, key=key, code=key, text=text if kind == "keyDown" else "",
                         windowsVirtualKeyCode=KEYS.get(key, ord(key[0])))

    def prefer(self, dark):
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def picture(self, path, selector=None):
        options = {}
        if selector:
            box = self.value(f"(() => {{ const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
                             " return [box.x + scrollX, box.y + scrollY, box.width, box.height]; })()")
            options["clip"] = dict(zip(("x", "y", "width", "height"), box), scale=1)
        data = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=True, **options)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))
