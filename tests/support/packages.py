"""Games in packages of somebody's own, as `pip` would install them."""

from pathlib import Path


def install(folder: Path, name: str, source: str) -> None:
    """Put a module of that name where Python looks, with its `GAME` as an entry point."""
    module = f"evenodds_{name}"
    (folder / f"{module}.py").write_text(source)
    about = folder / f"{module}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[evenodds.games]\n{name} = {module}:GAME\n")
