#!/bin/sh
# The conformance gate in a CI job, without anything but a shell: the cases run
# in parts (on as many machines as there are parts, where you have them), the
# records become one, the reports are made from it, the gate decides.
#
#   PTODIFF  the command              (default: ptodiff)
#   CASES    the cases                (default: cases)
#   WAIVERS  waivers; baseline.json stands beside them
#                                     (default: reports/waivers.yaml)
#   IMPL     an implementation, NAME=COMMAND, if one is tested
#   AS       the target that it is   (default: each)
#   PARTS    in how many parts to run (default: 2)
#   OUT      where records and reports go (default: target/gate)
#
# Exit codes are those of `ptodiff gate`: 0 passed, 1 failed, 2 and 70 trouble.
set -eu

PTODIFF=${PTODIFF:-ptodiff}
CASES=${CASES:-cases}
WAIVERS=${WAIVERS:-reports/waivers.yaml}
PARTS=${PARTS:-2}
OUT=${OUT:-target/gate}

rm -rf "$OUT"
mkdir -p "$OUT"
set --
part=1
while [ "$part" -le "$PARTS" ]; do
    # 1 is a violation: whether it is waived is for the gate to say.
    "$PTODIFF" run "$CASES" --quiet --partition "hash:$part/$PARTS" --out "$OUT/part-$part" \
        ${IMPL:+--impl "$IMPL"} ${AS:+--as "$AS"} \
        >"$OUT/part-$part.log" || [ $? -eq 1 ] || { cat "$OUT/part-$part.log"; exit 70; }
    set -- "$@" "$OUT/part-$part/run.jsonl"
    part=$((part + 1))
done

"$PTODIFF" merge "$@" --out "$OUT/run.jsonl"
"$PTODIFF" report --from "$OUT/run.jsonl" --html --junit --md
"$PTODIFF" gate --from "$OUT/run.jsonl" --baseline "$WAIVERS"
