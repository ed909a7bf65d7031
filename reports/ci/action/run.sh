#!/bin/sh
# The step of the action that runs: one part, or the merge of all, or both at once.
# Its environment is that of gate.sh, with PART, MERGE, NAME and FOUND from the action.
set -eu
gate=$(dirname "$0")/../gate.sh

if [ -n "$PART" ]; then
    echo "part=${PART%/*}" >>"$GITHUB_OUTPUT"
    exec sh "$gate" run "$PART"
fi
if [ "$MERGE" = true ]; then
    # Each part came as an artifact, in a folder of its name.
    for part in "$FOUND/$NAME"-part-*; do
        [ -d "$part" ] || { echo "no part was found: does this job need those that run them?" >&2; exit 2; }
        mkdir -p "$OUT"
        cp -R "$part" "$OUT/part-${part##*-}"
    done
    sh "$gate" gate
else
    sh "$gate"
fi
echo "passed=true" >>"$GITHUB_OUTPUT"
