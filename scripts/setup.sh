#!/bin/sh
# Prepare .venv: "play" for playing, "all" for everything that the tests need.
# Finds Python 3.11 or newer, uses uv where it is present and pip otherwise, and does nothing
# that is done already.
set -eu
cd "$(dirname "$0")/.."

want=${1:-all}
requirements="requirements/$want.txt"
venv=.venv
[ -f "$requirements" ] || { echo "setup: there is nothing called '$want'; there are play and all" >&2; exit 2; }

say() { echo "setup: $*" >&2; }

digest() { cat pyproject.toml requirements/play.txt requirements/all.txt scripts/setup.sh | cksum; }

# What was installed leaves a stamp; "all" contains "play".
up_to_date() {
    [ -x "$venv/bin/evenodds" ] && "$venv/bin/python" -c '' 2>/dev/null || return 1
    for stamp in "$venv/.$want" "$venv/.all"; do
        [ "$(cat "$stamp" 2>/dev/null)" = "$(digest)" ] && return 0
    done
    return 1
}

find_python() {
    for name in python3 python3.14 python3.13 python3.12 python3.11 python; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$name"
            return
        fi
    done
    say "Python 3.11 or newer is needed and was not found"
    exit 1
}

make_venv() {
    python=$1
    if command -v uv >/dev/null 2>&1; then
        uv venv --quiet --clear --python "$python" "$venv"
        return
    fi
    if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
            say "installing python3-venv"
            apt-get update -qq >/dev/null
            DEBIAN_FRONTEND=noninteractive apt-get install -qq -y python3-venv >/dev/null
        else
            say "this Python lacks venv; install it first (on Debian: apt-get install python3-venv)"
            exit 1
        fi
    fi
    "$python" -m venv --clear "$venv"
}

install() {
    if command -v uv >/dev/null 2>&1; then
        uv pip install --quiet --python "$venv/bin/python" "$@"
    else
        "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "$@"
    fi
}

up_to_date && exit 0
if ! { [ -x "$venv/bin/python" ] && "$venv/bin/python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; } 2>/dev/null; then
    say "making $venv"
    make_venv "$(find_python)"
fi
say "installing $want"
install --require-hashes -r "$requirements"
install --no-deps --no-build-isolation -e .
digest >"$venv/.$want"
