#!/usr/bin/env bash
# Merges the parts and says what was found: scripts/cluster/slurm submits it.
set -euo pipefail
in=$PTODIFF_FOLDER
records=()
# Where the merge fails, none of before stands for it.
rm -f "$in"/whole.jsonl "$in"/found.txt "$in"/small.yaml "$in"/{report.html,junit.xml,summary.md}
for ((part = 1; part <= PTODIFF_PARTS; part++)); do
    case $1 in
    hunt) record=$in/part-$part.jsonl ;;
    run) record=$in/part-$part/run.jsonl ;;
    esac
    # That of a part which did not end is not there.
    if [ -e "$record" ]; then records+=("$record"); fi
done
[ ${#records[@]} -gt 0 ] || { echo "no part has a record: see the logs of the parts" >&2; exit 2; }
"$PTODIFF" merge "${records[@]}" --out "$in/whole.jsonl"
case $1 in
hunt) "$PTODIFF" hunt --from "$in/whole.jsonl" --out "$in/small.yaml" >"$in/found.txt" ;;
run) "$PTODIFF" report --from "$in/whole.jsonl" --html --junit --md ;;
esac
