"""Each model beside its peers on the same operation and data."""

from run import one_core, output

LABEL = 46

# Goals: times the time of C++.
TARGETS = {"cpu": 1.0, "a2a3": 1.0, "a5": 1.5}

# Starts of all programs, models and peers alike. Where a start happens to have its
# memory decides up to a third of a row's time, until it ends.
STARTS = 5


def part(table, tools, words, quick):
    """A line an operation: million elements a second, and times that of C++."""
    peers = [name for name in ("cpp", "numpy") if tools.peers.get(name)]
    rounds = 6 if quick else 60
    command = [tools.benches["speed"], "contests", "--rounds", str(rounds)]
    for name in peers:
        command += ["--peer", f"{name}={tools.peers[name]}"]
    # On one core: all share its caches, whoever runs.
    starts = [output(command + words, cpus=one_core()) for _ in range(STARTS)]
    rows = fastest([contest(line, peers) for start in starts for line in start.splitlines()])
    if not rows:
        return
    table.title(
        f"Models: million elements a second, best of {rounds} turns in each of {STARTS} starts"
        " (its time over that of C++; * over the goal)"
    )
    print(columns("", "C++", "NumPy ", [f"{target} " for target in TARGETS]), file=table.to)
    if "cpp" in peers:
        goals = [f"({goal:.2f}) " for goal in TARGETS.values()]
        print(columns("goal", "", "", goals), file=table.to)
    met = dict.fromkeys(TARGETS, 0)
    held = dict.fromkeys(TARGETS, 0)
    for label, (elements, times) in rows.items():
        print(contest_text(label, elements, times), file=table.to)
        for target, goal in TARGETS.items():
            if times.get(target) and times.get("cpp"):
                held[target] += 1
                met[target] += rounded(times[target] / times["cpp"]) <= goal
    for target in TARGETS:
        if held[target]:
            table.note(f"{target}: {met[target]} of {held[target]} meet the goal")
    compared = " and ".join(["the models", *({"cpp": "C++", "numpy": "NumPy"}[p] for p in peers)])
    table.note(f"results of {compared} were compared, byte for byte: all are equal")


def contest(line, peers):
    """Label, elements and nanoseconds by name, of a line that the benchmark prints."""
    _, label, elements, *times = line.split("\t")
    names = [*peers, *TARGETS]
    took = {name: float(t) for name, t in zip(names, times, strict=True) if t != "-"}
    return label, int(elements), took


def fastest(contests):
    """By label the elements, and of all its contests the least nanoseconds by name."""
    rows = {}
    for label, elements, times in contests:
        _, best = rows.setdefault(label, (elements, {}))
        for name, took in times.items():
            best[name] = min(took, best.get(name, took))
    return rows


def contest_text(label, elements, times):
    base = times.get("cpp")

    def rate(name):
        return f"{elements * 1e3 / times[name]:.0f}" if name in times else "-"

    def beside(name, goal=None):
        if name not in times or not base:
            return rate(name)
        ratio = rounded(times[name] / base)
        over = "*" if goal is not None and ratio > goal else " "
        return f"{rate(name)} ({ratio:.2f}){over}"

    models = [beside(target, goal) for target, goal in TARGETS.items()]
    return columns(label, rate("cpp"), beside("numpy"), models)


def rounded(ratio):
    """As it is printed: what reads 1.00 meets 1.00."""
    return round(ratio, 2)


def columns(label, cpp, numpy, models):
    three = "".join(f" {text:>16}" for text in models)
    return f"{label:<{LABEL}} {cpp:>8} {numpy:>16}{three}".rstrip()
