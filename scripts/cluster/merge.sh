#!/usr/bin/env bash
# Merges the parts and says what was found: scripts/cluster/slurm submits it.
set -euo pipefail
in=$PTODIFF_FOLDER
records=()
for ((part = 1; part <= PTODIFF_PARTS; part++)); do
    case $1 in
    hunt) record=$in/part-$part.jsonl ;;
    run) record=$in/part-$part/run.jsonl ;;
    esac
    # That of a part which did not end is not there.
    if [ -e "$record" ]; then records+=("$record"); fi
done
"$PTODIFF" merge "${records[@]}" --out "$in/whole.jsonl"
case $1 in
hunt) "$PTODIFF" hunt --from "$in/whole.jsonl" --out "$in/small.yaml" >"$in/found.txt" ;;
run) "$PTODIFF" report --from "$in/whole.jsonl" --html --junit --md ;;
esac
