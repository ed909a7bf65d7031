"""How figures are printed: one line each, columns that stay where they are."""

# As wide as the longest label.
LABEL = 58


def wanted(words, label):
    return not words or any(word in label for word in words)


def number(value, digits=0):
    """With commas between thousands."""
    return f"{value:,.{digits}f}"


class Table:
    """Prints rows as they come, below a title and the names of their columns."""

    def __init__(self, to):
        self.to = to
        self.silent = True

    def title(self, words, *columns):
        self.silent = False
        print(f"\n{words}", file=self.to, flush=True)
        if columns:
            self.row("", *columns)

    def row(self, label, *cells):
        columns = "".join(f" {cell:>13}" for cell in cells)
        print(f"{label:<{LABEL}}{columns}".rstrip(), file=self.to, flush=True)

    def note(self, words):
        print(f"  {words}", file=self.to, flush=True)
