#!/usr/bin/env bash
# One part of a hunt or a run, as a task of an array: scripts/cluster/slurm submits it.
set -euo pipefail
part=$SLURM_ARRAY_TASK_ID
case $1 in
hunt) out=(--record "$PTODIFF_FOLDER/part-$part.jsonl") ;;
run) out=(--out "$PTODIFF_FOLDER/part-$part" --quiet) ;;
esac
# A violation is what a part is for: only what keeps it from its end fails the task.
"$PTODIFF" "$@" --partition "$part/$PTODIFF_PARTS" "${out[@]}" || [ $? -eq 1 ]
