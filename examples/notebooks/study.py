# /// script
# requires-python = ">=3.11"
# dependencies = ["evenodds[solver]", "marimo"]
#
# [tool.uv.sources]
# evenodds = { path = "../.." }
# ///

import marimo

__generated_with = "0.25.2"
app = marimo.App()

with app.setup:
    from pathlib import Path
    from tempfile import mkdtemp

    import marimo as mo

    import evenodds


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # Study a rule book

    A study judges a rule book by its exact solution. Is it fair? Can it be drawn? Does skill pay?
    Which promises of the book hold?
    """)
    return


@app.cell
def _():
    report = evenodds.run_study(evenodds.game("margin", numbers=4))
    print(report.study.size.positions)  # 321
    print(round(report.study.skill.perfect_score, 3))  # 0.685
    return (report,)


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    Each promise is a sentence of the rule book, with a verdict, and a line of play where it fails.
    """)
    return


@app.cell
def _(report):
    failed = [claim for claim in report.claims if claim.verdict == "fails" and claim.line]
    print(failed[-1].name)  # no draws
    print(failed[-1].line)  # 1-1 2-2 3-3 4-4
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    The same under another ruling: the last round that somebody won breaks the tie, not the last
    round that was played.
    """)
    return


@app.cell
def _(report):
    decisive = evenodds.run_study(evenodds.game("margin", numbers=4, last_round="decisive"))
    print(round(report.study.plays["random"].odds.draw, 3))  # 0.167
    print(round(decisive.study.plays["random"].odds.draw, 3))  # 0.042
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    The whole study is a page that loads nothing from elsewhere.
    """)
    return


@app.cell
def _(report):
    page = Path(mkdtemp(), "margin.html")
    evenodds.write_study_page(report, str(page))
    print(page.stat().st_size > 50_000)  # True
    return


if __name__ == "__main__":
    app.run()
