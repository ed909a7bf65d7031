"""One screenshot: `shoot.py PAGE.html[#ADDRESS] OUT.png [WIDTH] [dark]`."""

import os
import pathlib
import sys

from devtools import Browser, Failure

HEIGHTS = {True: 844, False: 900}


def main(arguments):
    dark = "dark" in arguments
    page, out, *rest = [word for word in arguments if word != "dark"]
    width = int(rest[0]) if rest else 1280
    path, _, at = page.partition("#")
    path = pathlib.Path(path)
    if not path.is_file():
        raise Failure(f"{path} is no file")
    browser = Browser(os.environ["BROWSER"])
    try:
        tab = browser.page()
        tab.look(width, HEIGHTS[width < 600], dark)
        tab.open(path.resolve().as_uri() + (f"#{at}" if at else ""))
        tab.wait("document.querySelector('.view.on')?.innerText.length > 20")
        tab.wait("document.fonts.status === 'loaded'")
        tab.picture(out)
        if tab.errors:
            raise Failure(f"the page has errors: {tab.errors}")
    finally:
        browser.close()


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (Failure, OSError, ValueError) as error:
        sys.exit(f"scripts/browser: {error}")
