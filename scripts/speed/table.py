"""How figures are printed: one line each, columns that stay where they are."""

from dataclasses import dataclass

# As wide as the longest label.
LABEL = 62


@dataclass
class Row:
    """A figure, what it is measured against, and whether that is met."""

    label: str
    figure: str
    beside: str = ""
    ratio: float | None = None
    goal: str = ""
    met: bool | None = None


def number(value, digits=0):
    """With commas between thousands."""
    return f"{value:,.{digits}f}"


def head():
    return line("", "figure", "beside", "ratio", "goal", "")


def text(row):
    ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
    met = {True: "met", False: "not met", None: ""}[row.met]
    return line(row.label, row.figure, row.beside, ratio, row.goal, met)


def line(label, figure, beside, ratio, goal, met):
    columns = f"{label:<{LABEL}} {figure:>14} {beside:>14} {ratio:>9} {goal:>9} {met:>8}"
    return columns.rstrip()


class Table:
    """Prints rows as they come, and a head before those that need one."""

    def __init__(self, to):
        self.to = to
        self.under = None
        self.silent = True

    def title(self, words):
        print(f"\n{words}", file=self.to, flush=True)
        self.under = None
        self.silent = False

    def row(self, row):
        self.silent = False
        if self.under != "figures":
            print(head(), file=self.to)
            self.under = "figures"
        print(text(row), file=self.to, flush=True)

    def note(self, words):
        print(f"  {words}", file=self.to, flush=True)
