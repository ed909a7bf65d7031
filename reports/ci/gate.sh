#!/bin/sh
# The conformance gate in a CI job, without anything but a shell: the cases run
# in parts (on as many machines as there are parts, where you have them), the
# records become one, the reports are made from it, the gate decides.
#
#   gate.sh          all of it, here
#   gate.sh run K/N  part K of N alone: its record is OUT/part-K/run.jsonl
#   gate.sh gate     the parts in OUT become one record, with reports and the gate
#
#   PTODIFF  the command              (default: ptodiff)
#   CASES    the cases                (default: the folder cases, or those in ptodiff)
#   WAIVERS  waivers; baseline.json stands beside them
#                                     (default: reports/waivers.yaml, or those in ptodiff)
#   IMPL     an implementation, NAME=COMMAND, if one is tested
#   AS       the target that it is   (default: each)
#   PARTS    in how many parts to run (default: 2)
#   OUT      where records and reports go (default: target/gate)
#
# Exit codes are those of `ptodiff gate`: 0 passed, 1 failed, 2 and 70 trouble; 2 where there
# are no such CASES or they have a mistake.
set -eu

PTODIFF=${PTODIFF:-ptodiff}
PARTS=${PARTS:-2}
OUT=${OUT:-target/gate}

run() {
    rm -rf "$OUT/part-${1%/*}"
    mkdir -p "$OUT/part-${1%/*}"
    code=0
    "$PTODIFF" run ${CASES:+"$CASES"} --quiet --partition "hash:$1" --out "$OUT/part-${1%/*}" \
        ${IMPL:+--impl "$IMPL"} ${AS:+--as "$AS"} \
        >"$OUT/part-${1%/*}.log" || code=$?
    # 1 is a violation: whether it is waived is for the gate to say.
    [ "$code" -gt 1 ] || return 0
    cat "$OUT/part-${1%/*}.log"
    echo "gate.sh: part $1 was not run: ptodiff ended with $code${CASES:+, CASES is $CASES}" >&2
    exit "$code"
}

gate() {
    "$PTODIFF" merge "$OUT"/part-*/run.jsonl --out "$OUT/run.jsonl"
    # What is waived fails no test of the reports either.
    waivers=${WAIVERS:-$(ls reports/waivers.yaml 2>/dev/null || :)}
    "$PTODIFF" report --from "$OUT/run.jsonl" --html --junit --md ${waivers:+--waivers "$waivers"}
    code=0
    said=$("$PTODIFF" gate --from "$OUT/run.jsonl" ${WAIVERS:+--baseline "$WAIVERS"} 2>&1) || code=$?
    # On GitHub the page of the job shows what the gate says, below its failure groups, and the
    # summary, which has those; its files show the failures.
    if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
        {
            printf '## ptodiff gate\n\n'
            printf '%s\n' "$said" | grep -v '^::' | sed -n 'H;/^$/h;${g;p;}' | tail -n 100 | sed 's/^/    /'
            echo
            cat "$OUT/summary.md"
        } >>"$GITHUB_STEP_SUMMARY"
        "$PTODIFF" report --from "$OUT/run.jsonl" --annotations ${waivers:+--waivers "$waivers"}
    fi
    printf '%s\n' "$said"
    return "$code"
}

case ${1:-all} in
    all)
        # Of an earlier gate nothing may stay, and of the user's own files nothing may go.
        rm -rf "$OUT"/part-[0-9]* "$OUT/run.jsonl" "$OUT/report.html" "$OUT/junit.xml" "$OUT/summary.md"
        part=1
        while [ "$part" -le "$PARTS" ]; do
            run "$part/$PARTS"
            part=$((part + 1))
        done
        gate
        ;;
    run) run "${2:?which part: K/N}" ;;
    gate) gate ;;
    *) echo "gate.sh: there is run K/N and gate, not $1" >&2; exit 2 ;;
esac
