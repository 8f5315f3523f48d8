#!/bin/sh
# The parts of the machine that the tests use for real: a browser and PostgreSQL.
# As root they are installed where they are missing; otherwise what is there is used, and the
# tests of a part that is not say so.
set -eu

missing=
command -v chromium >/dev/null 2>&1 || missing="$missing chromium"
ls /usr/lib/*/libatomic.so.1 >/dev/null 2>&1 || missing="$missing libatomic1"
command -v initdb >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 ||
    [ -n "${EVENODDS_TEST_POSTGRES:-}" ] || missing="$missing postgresql"

[ -n "$missing" ] || exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "parts: missing:$missing (as root: apt-get install$missing); their tests will fail" >&2
    exit 0
fi
echo "parts: installing$missing" >&2
apt-get update -qq >/dev/null
# shellcheck disable=SC2086 # the names are words
DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing >/dev/null
