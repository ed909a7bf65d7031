#!/bin/sh
# Written by ptodiff cpp --harness.
# Finds the calls that do not compile with the library and notes
# them in ptodiff_rejected.hpp, so that the rest of the program builds and those
# calls are answered `rejected`.
#
#     sh probe.sh [COMPILER [FLAG...]]
set -u
LC_ALL=C
export LC_ALL
here=$(dirname "$0")
rejected=$here/ptodiff_rejected.hpp
[ $# -gt 0 ] || set -- c++
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

compiles() { # FILE FIRST LAST COMPILER FLAG...
    file=$1 first=$2 last=$3
    shift 3
    "$@" "-I$here" "-DPTODIFF_FIRST=$first" "-DPTODIFF_LAST=$last" -fsyntax-only "$file" 2>"$work/log"
}

echo '// Written by ptodiff cpp --harness. Filled by probe.sh: the calls that do not compile.' >"$rejected"
for file in "$here"/kernels_*.cpp; do
    if ! compiles "$file" 1 0 "$@"; then
        cat "$work/log" >&2
        echo "probe.sh: $file does not compile even without a call: are the flags right?" >&2
        exit 1
    fi
    # Ranges that are still to be tried: a file of them, halved until one call is left.
    sed -n 's|^// calls \([0-9]*\) to \([0-9]*\)$|\1 \2|p' "$file" >"$work/todo"
    while [ -s "$work/todo" ]; do
        : >"$work/next"
        while read -r from to; do
            if compiles "$file" "$from" "$to" "$@" </dev/null; then
                continue
            fi
            if [ "$from" -lt "$to" ]; then
                middle=$(((from + to) / 2))
                printf '%s %s\n%s %s\n' "$from" "$middle" $((middle + 1)) "$to" >>"$work/next"
                continue
            fi
            why=$(sed -n 's/.*error: //p' "$work/log" | head -n 1 | tr -cd '[:print:]' | tr '"\\' "'/" | cut -c 1-300)
            echo "#define PTODIFF_REJECTED_$from \"${why:-it does not compile}\"" >>"$rejected"
            echo "call $from is rejected: ${why:-it does not compile}"
        done <"$work/todo"
        mv "$work/next" "$work/todo"
    done
done
