"""A large table of which few rows are touched, beside a small one."""

from run import output
from table import Row

GOAL = 1.5


def part(table, tools, words, quick):
    rounds = "3" if quick else "10"
    lines = output([tools.benches["speed"], "tables", "--rounds", rounds, *words]).splitlines()
    if lines:
        table.title("8 of 65536 rows of 64 floats, beside 8 of 64 rows: microseconds")
    for line in lines:
        _, label, small, large = line.split("\t")
        small, large = float(small) / 1e3, float(large) / 1e3
        ratio = large / small
        met = round(ratio, 2) <= GOAL
        table.row(Row(label, f"{large:.1f}", f"{small:.1f}", ratio, f"{GOAL}x", met))
