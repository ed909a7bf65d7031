#!/bin/sh
# Installs ptodiff from the archive of a release, after a look at its checksum, and
# prints the path of the command. It needs curl and tar.
#
#   FROM     where the archives of the release are: a URL, or a folder
#   VERSION  the version, as 0.3.0
#   INTO     the folder that is to have it, and nothing else; a ptodiff there is replaced
#                                            (default: ptodiff-VERSION)
#   PLATFORM which archive                   (default: that of this machine)
#
# Exit codes: 0 it is there, 2 wrong usage, 70 trouble; INTO is as it was then.
set -eu

say() { printf 'install.sh: %s\n' "$*" >&2; }
[ -n "${FROM:-}" ] && [ -n "${VERSION:-}" ] || { say "give FROM and VERSION"; exit 2; }
VERSION=${VERSION#v}
INTO=${INTO:-ptodiff-$VERSION}

case ${PLATFORM:-$(uname -s)/$(uname -m)} in
    Linux/x86_64) platform=x86_64-unknown-linux-musl ;;
    Linux/aarch64) platform=aarch64-unknown-linux-musl ;;
    Darwin/x86_64) platform=x86_64-apple-darwin ;;
    Darwin/arm64) platform=aarch64-apple-darwin ;;
    *-*) platform=$PLATFORM ;;
    *) say "no archive is built for ${PLATFORM:-$(uname -s) on $(uname -m)}"; exit 2 ;;
esac
name=ptodiff-$VERSION-$platform
part=$(mktemp -d) || { say "no temporary folder can be made"; exit 70; }
next=
trap 'rm -rf "$part" ${next:+"$next"}' EXIT
trap 'exit 70' HUP INT TERM

for file in "$name.tar.gz" "$name.tar.gz.sha256"; do
    case $FROM in
        *://*) curl --fail --silent --show-error --location --retry 3 -o "$part/$file" "$FROM/$file" ;;
        *) cp "$FROM/$file" "$part/$file" ;;
    esac || { say "cannot get $FROM/$file"; exit 70; }
done

check() { if command -v sha256sum >/dev/null; then sha256sum -c; else shasum -a 256 -c; fi; }
# The name in it is that of this archive, and of no other.
sum=$(cut -d ' ' -f 1 "$part/$name.tar.gz.sha256")
(cd "$part" && printf '%s  %s\n' "$sum" "$name.tar.gz" | check >/dev/null 2>&1) ||
    { say "$name.tar.gz does not have the checksum of its release"; exit 70; }

tar -xzf "$part/$name.tar.gz" -C "$part" || { say "cannot unpack $name.tar.gz"; exit 70; }
"$part/$name/ptodiff" --version >/dev/null || { say "the command does not start here"; exit 70; }
# A folder with anything that no archive has, neither this one nor the one there, is somebody else's.
ls -A "$part/$name" >"$part/.installed" && mv "$part/.installed" "$part/$name" || exit 70
own=
if [ -d "$INTO" ]; then
    INTO=$(cd "$INTO" && pwd -P) || { say "cannot open $INTO"; exit 70; }
    for entry in "$INTO"/* "$INTO"/.[!.]* "$INTO"/..?*; do
        [ -e "$entry" ] || [ -L "$entry" ] || continue
        file=${entry##*/}
        [ -f "$INTO/ptodiff" ] && [ -x "$INTO/ptodiff" ] && { [ -e "$part/$name/$file" ] ||
            grep -qxF -e "$file" "$INTO/.installed" 2>/dev/null; } || own=$file
    done
elif [ -e "$INTO" ] || [ -L "$INTO" ]; then
    own=$INTO
fi
[ -z "$own" ] || { say "$INTO is there and is not of ptodiff: INTO names a folder of its own ($own is not)"; exit 2; }
# What is there stays until all of the new one is beside it.
above=$(dirname "$INTO")
mkdir -p "$above" && next=$(mktemp -d "$above/.ptodiff-XXXXXX") &&
    mv "$part/$name" "$next" 2>/dev/null && rm -rf "$INTO" && mv "$next/$name" "$INTO" ||
    { say "cannot write $INTO"; exit 70; }
(cd "$INTO" && printf '%s/ptodiff\n' "$(pwd)")
