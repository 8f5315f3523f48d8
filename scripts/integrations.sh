#!/bin/sh
# Install each package of integrations/ into an environment of its own, as requirements/ pins it, and
# check it with the library that it is for. Run by `make integrations`; names choose some of them.
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-.venv/bin/python}
export PYTHONDONTWRITEBYTECODE=1

for name in ${*:-inspect openenv textarena verifiers}; do
    folder="integrations/$name"
    bin="$PWD/$folder/.venv/bin"
    echo "integrations: $name" >&2
    if ! cmp -s "requirements/$name.txt" "$bin/../.installed"; then
        "$python" -m venv --clear "$folder/.venv"
        pip="$bin/python -m pip install --quiet --disable-pip-version-check --no-deps"
        $pip --require-hashes -r "requirements/$name.txt"
        $pip --no-build-isolation -e . -e "$folder"
        cp "requirements/$name.txt" "$bin/../.installed"
    fi
    (cd "$folder" && PATH="$bin:$PATH" python check.py)
done
