#!/bin/sh
# The system packages that the tests use for real: a browser, PostgreSQL, a library.
# As root they are installed where they are missing. Otherwise it is said what is missing and how
# to add it, and the tests of a missing package are skipped.
set -eu

missing=
need() { missing="$missing $1"; }
# Of Chromium the headless shell is enough, and takes a third of the time of the whole browser.
command -v chromium-headless-shell >/dev/null 2>&1 || command -v chromium >/dev/null 2>&1 || need chromium
if [ "$(uname)" = Linux ]; then
    # shellcheck disable=SC2012 # names without spaces
    ls /usr/lib/*/libatomic.so.1 /usr/lib64/libatomic.so.1 2>/dev/null | grep -q . || need libatomic1
fi
command -v initdb >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 ||
    [ -n "${EVENODDS_TEST_POSTGRES:-}" ] || need postgresql
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "parts: installing$missing" >&2
    apt-get update -qq >/dev/null
    if apt-cache show chromium-headless-shell >/dev/null 2>&1; then
        missing=$(echo "$missing" | sed 's/chromium/chromium-headless-shell/')
    fi
    # shellcheck disable=SC2086 # the names are words
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing >/dev/null
    exit 0
fi

# The same packages by the names of other systems.
if command -v apt-get >/dev/null 2>&1; then
    add="sudo apt-get install$missing"
elif command -v dnf >/dev/null 2>&1; then
    add="sudo dnf install$(echo "$missing" | sed 's/libatomic1/libatomic/; s/postgresql/postgresql-server/')"
elif command -v brew >/dev/null 2>&1; then
    add="brew install$missing"
else
    add="install$missing"
fi
echo "parts: missing:$missing; their tests are skipped. To run them too, first: $add" >&2
