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

hint="Run this first, then make again:
  Debian, Ubuntu:  sudo apt-get install python3 python3-venv
  Fedora:          sudo dnf install python3 python3-pip
  macOS:           brew install python"

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
    return 1
}

has_venv() { "$1" -c 'import venv' 2>/dev/null; }
has_ensurepip() { "$1" -c 'import ensurepip; ensurepip.version()' 2>/dev/null; }
has_pip() { "$1" -c 'import pip; pip.__version__' 2>/dev/null; }

make_venv() {
    if ! python=$(find_python); then
        say "Python 3.11 or newer is needed and was not found. $hint"
        exit 1
    fi
    say "making $venv"
    if command -v uv >/dev/null 2>&1; then
        uv venv --quiet --clear --python "$python" "$venv"
    elif has_venv "$python" && has_ensurepip "$python"; then
        "$python" -m venv --clear "$venv"
    elif has_venv "$python" && has_pip "$python"; then # Debian without python3-venv
        "$python" -m venv --clear --without-pip "$venv"
    elif [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        say "installing python3-venv"
        apt-get update -qq >/dev/null
        DEBIAN_FRONTEND=noninteractive apt-get install -qq -y python3-venv >/dev/null
        "$python" -m venv --clear "$venv"
    else
        say "$python has neither ensurepip nor pip, and there is no uv. $hint"
        exit 1
    fi
}

# Where the environment has no pip of its own, that of the Python it was made from serves it.
install() {
    if command -v uv >/dev/null 2>&1; then
        uv pip install --quiet --python "$venv/bin/python" "$@"
    elif has_pip "$venv/bin/python"; then
        "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "$@"
    else
        "$(find_python)" -m pip --python "$venv/bin/python" install --quiet \
            --disable-pip-version-check "$@"
    fi
}

# An environment that something can be installed into; an earlier try may have left half of one.
usable() {
    "$venv/bin/python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null &&
        { command -v uv >/dev/null 2>&1 || has_pip "$venv/bin/python" || has_pip "$(find_python)"; }
}

up_to_date && exit 0
if ! usable; then
    make_venv
fi
case $want in
    play) say "installing what playing needs, up to a minute" ;;
    *) say "installing everything, some minutes" ;;
esac
# The pins are complete. Without --no-deps older pips look for the extras that packages name, such as
# coverage[toml], in the newest release, which has no hash here.
install --no-deps --require-hashes -r "$requirements"
install --no-deps --no-build-isolation -e .
digest >"$venv/.$want"
