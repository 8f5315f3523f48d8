"""`python -m tests.playthroughs` writes every playthrough anew."""

from tests.playthroughs import FOLDER, MATCHES, written

for old in FOLDER.glob("*.txt"):
    old.unlink()
for name in MATCHES:
    (FOLDER / f"{name}.txt").write_text(written(name), encoding="utf-8")
