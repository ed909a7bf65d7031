#!/bin/sh
# Written by ptodiff cpp --harness.
# Finds the calls that do not compile with the library and notes them in
# ptodiff_rejected.hpp, so that the rest of the program builds. A call whose intrinsic, form
# of one or policy the library does not have, or whose operands it cannot build, is answered
# `unsupported`, any other `rejected`, with the compiler's words.
#
#     sh probe.sh [COMPILER [FLAG...]]
#
# Each file is compiled once, without a limit on errors; the lines of the errors tell the
# calls. It is compiled again without these: an error in a template is told once. Halves of
# what is left are tried only where the errors lead to no call, and everywhere with
# PTODIFF_HALVES=1. PTODIFF_JOBS files are compiled at once, as many as there are
# processors if it is not given.
set -u
LC_ALL=C
export LC_ALL

# What a compiler says of an intrinsic, a form of one or a policy that is not there. A form that
# takes a tensor in GM where the library has only one with a tile, or with an event, is none, too.
names="'(pto::)?(MGATHER|MSCATTER|TSCATTER|TGATHERB|Coalesce|(Gather|Scatter)OOB|GatherExec|\
Scatter(AtomicOp|Conflict|Axis)|MaskPattern)'"
member="(no member named '[A-Za-z0-9_]+' in|is not a member of) '(const )?(pto::)?GlobalTensor<|\
'((class|struct|const) )*(pto::)?GlobalTensor<.*' has no member named"
absent="$names (was not declared|has not been declared|is not a member)|\
(undeclared identifier|no member named) $names|\
(no member named '[A-Za-z0-9_]+' in|is not a member of) $names|\
$member|\
none takes these arguments|too (few|many) arguments to function"
# Why a candidate cannot be meant, whatever the operands are: a number of arguments, or an
# argument of its template. What a library checks by a constraint is none of these.
misfit="note: +candidate (expects|function).* arguments?,? .*provided|\
could(n.t| not) (deduce|infer) template|type/value mismatch at argument|could not convert|\
wrong number of template arguments|too many template arguments|invalid explicitly-specified argument"

# Reads what the compiler said of the file KERNELS; gives the lines that exclude the calls
# that it was about. With `single` only the first error's text.
errors() { # KERNELS SINGLE <LOG
    awk -v kernels="$1" -v single="$2" -v absent="$absent" -v misfit="$misfit" '
    BEGIN {
        while ((getline line < kernels) > 0) {
            if (line ~ /^\/\/ call [0-9]+ has operands/) {
                n = split(line, word, " ")
                call[++calls] = word[3]
                for (i = 6; i <= n; i++) {
                    operands[word[3]] = operands[word[3]] " operand_" word[i]
                }
            }
        }
    }
    # Lines are named after the call or the operand that they stand in.
    function located(line) {
        return match(line, /^(call|operand)_[0-9]+:/) ? substr(line, 1, RLENGTH - 1) : ""
    }
    function ended() {
        if (candidates > 0 && misfits == candidates) {
            text = text ": none takes these arguments"
        }
        candidates = misfits = 0
        if (text != "" && owner != "" && !(owner in why)) {
            why[owner] = text
            order[++count] = owner
        }
        if (text != "" && first == "") {
            first = text
        }
        text = ""
        open = 0
    }
    # clang puts the condition, which may be long, before what the library says; before
    # version 16 that is a literal.
    function message_first(said,   start, old, at, condition, message) {
        start = "static assertion failed due to requirement \047"
        old = "static_assert failed due to requirement \047"
        if (index(said, start) == 1 && (at = index(said, "\047: ")) > 0) {
            condition = substr(said, length(start), at - length(start) + 1)
            message = substr(said, at + 3)
        } else if (index(said, old) == 1 && (at = index(said, "\047 \"")) > 0) {
            condition = substr(said, length(old), at - length(old) + 1)
            message = content(substr(said, at + 3, length(said) - at - 3))
        } else {
            return said
        }
        return "static assertion failed: " message " (requirement " condition ")"
    }
    # What stands in a C++ literal.
    function content(literal,   i, c, out) {
        for (i = 1; i <= length(literal); i++) {
            c = substr(literal, i, 1)
            if (c != "\\") {
                out = out c
            } else if (substr(literal, i + 1, 3) ~ /^[0-3][0-7][0-7]$/) {
                c = substr(literal, i + 1, 3)
                out = out sprintf("%c", 64 * substr(c, 1, 1) + 8 * substr(c, 2, 1) + substr(c, 3, 1))
                i += 3
            } else {
                out = out substr(literal, ++i, 1)
            }
        }
        return out
    }
    # As the inside of a C++ literal.
    function literal(said,   i, c, out) {
        for (i = 1; i <= length(said); i++) {
            c = substr(said, i, 1)
            out = out (c == "\\" || c == "\"" ? "\\" c : c ~ /[[:cntrl:]]/ ? " " : c)
        }
        return out
    }
    function tell(kind, n, said) {
        if (!(n in told)) {
            told[n] = 1
            print "#define PTODIFF_" kind "_" n " \"" literal(message_first(said)) "\""
        }
    }
    # g++ tells the reason after the candidate, some as an error, clang with it.
    text ~ /^no matching function for call to / && (/note: candidate:? / || $0 ~ misfit) {
        if (/note: candidate:? /) {
            candidates++
            fits = 1
        }
        if ($0 ~ misfit) {
            misfits += fits
            fits = 0
        }
        if (/ error: /) {
            next
        }
    }
    / error: / && match($0, /: (fatal )?error: /) {
        line = $0
        start = RSTART + RLENGTH
        ended()
        text = substr(line, start)
        owner = located(line)
        if (owner == "") {
            owner = context
        }
        open = 1
        next
    }
    / note: / { # clang tells after an error where its template was asked for
        open = 0
        if (text != "" && owner == "") {
            owner = located($0)
        }
        next
    }
    / required (from|by) / { # g++ tells before it
        at = located($0)
        if (at != "") {
            context = at
        }
        next
    }
    /: In / {
        ended()
        context = ""
        next
    }
    /^In file included from/ || /^ +from / || / generated\.$/ || /^compilation terminated/ {
        open = 0
        next
    }
    open { text = text " " $0 }
    END {
        ended()
        if (single != "") {
            print literal(message_first(first == "" ? "it does not compile" : first))
            exit
        }
        for (i = 1; i <= count; i++) {
            if (order[i] ~ /^operand_/) {
                print "#define PTODIFF_UNBUILT_" substr(order[i], 9)
            }
        }
        for (i = 1; i <= calls; i++) {
            n = split(operands[call[i]], operand, " ")
            for (j = 1; j <= n; j++) {
                if (operand[j] in why) {
                    tell("UNSUPPORTED", call[i], why[operand[j]])
                }
            }
        }
        for (i = 1; i <= count; i++) {
            if (order[i] ~ /^call_/) {
                kind = why[order[i]] ~ absent ? "UNSUPPORTED" : "REJECTED"
                tell(kind, substr(order[i], 6), why[order[i]])
            }
        }
    }'
}

compiles() { # 2 with the operands, 1 without; FIRST LAST FLAG...
    probe=$1 from=$2 to=$3
    shift 3
    sh "$work/$how" -include "$known" "-DPTODIFF_PROBE=$probe" "-DPTODIFF_FIRST=$from" \
        "-DPTODIFF_LAST=$to" "$@" -fsyntax-only "$file" 2>"$log" </dev/null
}

halve() { # FIRST LAST
    compiles 1 "$1" "$2" && return
    if [ "$1" -lt "$2" ]; then
        halve "$1" $((($1 + $2) / 2))
        halve $((($1 + $2) / 2 + 1)) "$2"
        return
    fi
    why=$(errors "$file" 1 <"$log")
    kind=REJECTED
    if printf '%s\n' "$why" | grep -Eq "$absent"; then
        kind=UNSUPPORTED
    elif ! compiles 1 "$1" "$1" -DPTODIFF_OPERANDS_ALONE; then
        kind=UNSUPPORTED
        why=$(errors "$file" 1 <"$log")
    fi
    printf '#define PTODIFF_%s_%s "%s"\n' "$kind" "$1" "$why" >>"$known"
}

if [ "${1-}" = --file ]; then
    work=$2 file=$3/$4.cpp known=$2/$4.known log=$2/$4.log
    how=with_library
    : >"$known"
    first=$(sed -n 's|^// calls \([0-9]*\) to .*|\1|p' "$file")
    last=$(sed -n 's|^// calls [0-9]* to \([0-9]*\)$|\1|p' "$file")
    case $4 in
    kernels_first_*)
        how=without
        if ! compiles 1 1 0; then
            cat "$log" >&2
            echo "probe.sh: $file does not compile even without a call: are compiler and flags right?" >&2
            exit 1
        fi
        ;;
    esac
    for pass in 1 2 3; do
        [ -z "${PTODIFF_HALVES-}" ] || break
        ! compiles 2 "$first" "$last" || exit 0
        errors "$file" "" <"$log" >"$work/$4.found"
        [ -s "$work/$4.found" ] || break
        cat "$work/$4.found" >>"$known"
    done
    halve "$first" "$last"
    exit 0
fi

[ $# -gt 0 ] || set -- c++
here=$(cd "$(dirname "$0")" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
rejected=$here/ptodiff_rejected.hpp
echo '// Written by ptodiff cpp --harness. Filled by probe.sh: the calls that do not compile.' >"$rejected"

set -- "$@" "-I$here" -w
for flag in -ferror-limit=0 -fmax-errors=0 -ftemplate-backtrace-limit=0 -fno-caret-diagnostics \
    -fno-diagnostics-show-caret -fno-color-diagnostics -fdiagnostics-color=never; do
    if "$@" "$flag" -fsyntax-only -x c++ /dev/null 2>"$work/log"; then
        set -- "$@" "$flag"
    fi
done
# The command as a script: its words may have any characters.
script() {
    words=
    for word; do
        words="$words '$(printf '%s\n' "$word" | sed "s/'/'\\\\''/g")'"
    done
    printf 'exec%s "$@"\n' "$words"
}
script "$@" >"$work/without"
script "$@" -include "$work/library.hpp" >"$work/with_library"

# The library, once for all files where the compiler can keep it.
echo '#include "ptodiff_library.hpp"' >"$work/library.hpp"
if ! "$@" -x c++-header "$work/library.hpp" -o "$work/library.hpp.gch" 2>"$work/log"; then
    rm -f "$work/library.hpp.gch"
    if ! "$@" -fsyntax-only -x c++ "$work/library.hpp" 2>"$work/log"; then
        cat "$work/log" >&2
        echo "probe.sh: ptodiff_library.hpp does not compile even without a call: are compiler and flags right?" >&2
        exit 1
    fi
fi

for file in "$here"/kernels_*.cpp; do
    basename "$file" .cpp
done | xargs -P "${PTODIFF_JOBS:-$(getconf _NPROCESSORS_ONLN || echo 1)}" -n 1 \
    sh "$here/probe.sh" --file "$work" "$here" || exit 1
cat "$work"/*.known | sed -n -e '/^#define PTODIFF_REJECTED_/p' -e '/^#define PTODIFF_UNSUPPORTED_/p' >>"$rejected"

# What was found, the most frequent first, without conditions.
sed -n -e 's/ (requirement .*/"/' -e 's/^#define PTODIFF_REJECTED_[0-9]* /rejected: /p' \
    -e 's/^#define PTODIFF_UNSUPPORTED_[0-9]* /unsupported: /p' "$rejected" | sort | uniq -c | sort -rn
