#!/usr/bin/env bash
# Merges the parts and says what was found: scripts/cluster/slurm submits it.
set -euo pipefail
in=$PTODIFF_FOLDER what=$1
records=()
# Where the merge fails, none of before stands for it.
rm -f "$in"/whole.jsonl "$in"/found.txt "$in"/small.yaml "$in"/{report.html,junit.xml,summary.md}
for ((part = 1; part <= PTODIFF_PARTS; part++)); do
    case $what in
    hunt) record=$in/part-$part.jsonl ;;
    run) record=$in/part-$part/run.jsonl ;;
    esac
    # That of a part which did not end is not there.
    if [ -e "$record" ]; then records+=("$record"); fi
done
[ ${#records[@]} -gt 0 ] || { echo "no part has a record: see the logs of the parts" >&2; exit 2; }
"$PTODIFF" merge "${records[@]}" --out "$in/whole.jsonl"
# Smallest cases are made with the implementations that took part: a record has no command.
impl=()
while shift && [ $# -gt 0 ]; do
    case $1 in
    --impl=* | --impl-*=* | --as=* | --retries=* | --diagnosis=* | --no-config) impl+=("$1") ;;
    --impl | --impl-* | --as | --retries | --diagnosis) impl+=("$1" "${2-}") && shift ;;
    esac
done
case $what in
hunt) "$PTODIFF" hunt --from "$in/whole.jsonl" "${impl[@]}" --out "$in/small.yaml" >"$in/found.txt" ;;
run)
    "$PTODIFF" report --from "$in/whole.jsonl" --html --junit --md
    # The job ends as one run of all would.
    said=$("$PTODIFF" report --from "$in/whole.jsonl" | tail -n 1)
    printf '%s\n' "$said"
    case $said in PASSED*) ;; FAILED*) exit 1 ;; *) exit 3 ;; esac
    ;;
esac
