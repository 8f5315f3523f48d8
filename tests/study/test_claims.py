"""What the rule books claim: verdicts pinned, numbers found a second way, lines replayed."""

import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

import evenodds
from evenodds import FIRST, SECOND, BadGame, Match, Uniform, best_response, exploitability
from evenodds.claims import checks
from evenodds.engine.solve import solve_settled
from tests.support import studies
from tests.support.claim_results import answered, claimed, every_line, facts_of, matrices, result
from tests.support.commands import evenodds_here as command
from tests.support.commands import python
from tests.support.game_data import WITH_DATA, cases, ruled
from tests.support.paths import ROOT
from tests.support.play import is_open, positions

pytestmark = pytest.mark.long


def pinned(text: str) -> dict[str, str]:
    parts = (part.split(": ") for part in " ".join(text.split()).split("; "))
    return {name: verdict for verdict, names in parts for name in names.split(", ")}


@pytest.mark.long
@pytest.mark.parametrize(("name", "rules", "verdicts", "answers"), cases("pinned"))
def test_verdicts_are_pinned_and_lines_replay(
    name: str, rules: dict[str, object], verdicts: str, answers: str, home: Path
) -> None:
    found, asked = claimed(name, **rules), answered(name, **rules)
    assert {one.name: one.verdict for one in found.values()} == pinned(verdicts)
    if answers:
        assert {one.name: one.verdict for one in asked.values()} == pinned(answers)
    check_evidence(name, rules, home)


def check_evidence(name: str, rules: dict[str, object], home: Path) -> None:
    """A sentence for each, in which one is said as one; for a line, the command that tells it."""
    plural = r"\b1 (?:\w+ )?(?:positions|decisions|pairs|lines|numbers)\b"
    for one in [*claimed(name, **rules).values(), *answered(name, **rules).values()]:
        assert re.fullmatch(r"[A-Z0-9].*\.", one.evidence), one
        assert not re.search(plural, one.evidence), one
        assert bool(one.line) == bool(one.command)
        if one.command:
            replays(one, 2 if evenodds.game(name).game.simultaneous else 1, home)


def replays(one: studies.ClaimResult, seats: int, home: Path) -> None:
    program, *words = shlex.split(one.command)
    assert program == "evenodds"
    shown = command(*words, home=home)
    if shown.returncode:
        assert one.verdict == studies.Verdict.FAILS
        assert "--line, line 1" in shown.stderr
    else:
        told = re.findall(r"chose: |plays \d|selected\.|selects \d", shown.stdout)
        assert len(told) == len(one.line.split()) * seats


@pytest.mark.long
@pytest.mark.parametrize(("name", "rules", "claim", "text"), cases("shown"))
def test_a_line_shows_what_it_is_said_to_show(
    name: str, rules: dict[str, object], claim: str, text: str, home: Path
) -> None:
    line = claimed(name, **rules)[claim]
    shown = command(*shlex.split(line.command)[1:], home=home).stdout
    assert text in " ".join(shown.split("\n")[-6:])


def test_a_line_is_shown_or_refused(home: Path) -> None:
    example = claimed("underdog", numbers=5)["worked example"]
    refused = command(*shlex.split(example.command)[1:], home=home)
    assert refused.returncode == 2
    assert refused.stderr.strip() == (
        "--line, line 1, column 10: Player 2: 6 has already been played; each number can be used "
        'only once. Example: evenodds show duel --line "3-1 2-2"'
    )
    assert "6 has already been played" in example.evidence
    shown = command("show", "duel", "--line", "3-3 3-3", "--rule", "hp=6", home=home)
    assert "Number Duel (hp=6)" in shown.stdout
    assert shown.stdout.rstrip().endswith("The game is a draw!")


@pytest.mark.long
@pytest.mark.parametrize(
    "typed",
    [
        *("circle numbers=1", "circle numbers=7 reach=3", "circle numbers=6 leaps=2", "duel hp=1"),
        *("duel numbers=4 overreach=3", "duel numbers=1", "duel hp=4 numbers=9 overreach=8"),
        *("factors numbers=1 target=1 finish=round", "factors numbers=2 target=5 echo=barred"),
        *("factors numbers=2 target=2 echo=barred opening=live", "factors numbers=3 target=1"),
        *("margin numbers=2", "underdog numbers=2 target=1", "underdog numbers=3 target=3 gap=2"),
    ],
)
def test_every_command_given_as_evidence_is_accepted(typed: str, home: Path) -> None:
    check_evidence(*ruled(typed), home)


@pytest.mark.long
def test_an_example_that_the_rulings_do_not_allow_is_not_judged() -> None:
    found = claimed("duel", numbers=4, overreach=3)
    for name in ("example of an attack", "worked example", "sample of the dialog"):
        assert (found[name].verdict, found[name].command) == ("undefined", "")
        assert found[name].evidence == (
            "Under these rulings the example cannot be played: overreach=3 is not allowed; "
            "allowed: 0 to 2 (numbers - 1)."
        )


@pytest.mark.parametrize(("name", "rules", "claim", "evidence"), cases("idle"))
def test_a_claim_with_nothing_to_look_at_is_undefined(
    name: str, rules: dict[str, object], claim: str, evidence: str
) -> None:
    found = claimed(name, **rules)[claim]
    assert (found.verdict, found.evidence) == ("undefined", evidence)


def test_a_sentence_is_quoted_once_for_each_thing_it_claims() -> None:
    for game in WITH_DATA:
        names = [claim.name for claim in studies.claims_of(game)]
        assert len(names) == len(set(names)) >= 10
        assert "unchecked" not in names
        for claim in studies.claims_of(game):
            assert re.fullmatch(r"\w(?!.*  )[^*\n]+", claim.quote)


@pytest.mark.long
def test_a_habit_is_judged_by_its_best_opponent() -> None:
    ruled = evenodds.game("duel", overreach=1)
    found = claimed("duel", overreach=1)["strategy"]
    taken = exploitability(ruled, Uniform("duel"))
    assert found.verdict == "holds"
    assert f"and {studies.percent(0.5 - taken / 2)} against the best opponent" in found.evidence
    assert best_response(ruled, lambda state, _: {3: 1.0}, FIRST).value == 1
    high = studies.study_of(*ruled).choice.habits["high"]
    assert (high.perfect, high.best_opponent) == pytest.approx((0.5, 0.0), abs=1e-9)


@pytest.mark.long
@pytest.mark.parametrize(("name", "rules"), cases("measured"))
def test_draws_are_those_of_all_lines(name: str, rules: dict[str, object]) -> None:
    every = every_line(name, **rules)
    draws = [line for line in every if result(name, line, **rules) == "draw"]
    asked = answered(name, **rules)["draws"]
    said = claimed(name, **rules).get("no draws") or claimed(name, **rules).get("win or lose")
    assert asked.verdict == ("yes" if draws else "no")
    if said:
        assert said.verdict == ("fails" if draws else "holds")
    if draws:
        share = studies.percent(sum(line.share for line in draws))
        assert f"Random players draw {share} of their matches" in asked.evidence
        assert not said or f"{share} of matches between random players have no" in said.evidence
        assert len(asked.line.split()) == min(len(line.picks) for line in draws)
    elif said:
        assert f"{len(every):,} lines" in said.evidence


def test_a_risk_is_told_in_health() -> None:
    assert claimed("duel", hp=4)["risk"].evidence == (
        "Equal numbers cost 1 HP at 1 and 3 HP at 3. Yet against random picks 3 costs its player "
        "1.00 HP a round, and 1 costs 2.00 HP."
    )


def test_watching_the_other_pays_only_where_it_changes_what_is_right() -> None:
    found = claimed("factors", numbers=2, target=3)["watching"]
    assert "1 is right in 0% of decisions after one number" in found.evidence
    assert found.verdict == "fails"


def test_a_pick_that_is_not_optimal_is_a_mistake() -> None:
    said = claimed("margin", numbers=4)["saving high numbers"].evidence
    sound = studies.study_of(*evenodds.game("margin", numbers=4)).choice.sound
    high, low = (studies.percent(1 - sound[number]) for number in (4, 1))
    assert f"Playing 4 is a mistake in {high} of decisions, playing 1 in {low}." in said


@pytest.mark.parametrize("typed", ["duel hp=4", "margin numbers=4", "underdog numbers=4 target=2"])
def test_decisions_without_a_safe_number_are_counted(typed: str) -> None:
    name, rules = ruled(typed)
    mixed = decisions = 0
    for _, value, picks, matrix in matrices(name, **rules):
        columns = list(zip(*matrix, strict=True))
        if len(picks[FIRST]) > 1:
            decisions += 1
            mixed += max(map(min, matrix)) < value
        if len(picks[SECOND]) > 1:
            decisions += 1
            mixed += min(map(max, columns)) > value
    assert studies.study_of(*evenodds.game(name, rules)).choice.mixed == pytest.approx(
        mixed / decisions
    )
    said = claimed(name, **rules)["prediction"]
    told = (
        f"In {studies.percent(mixed / decisions)} of decisions"
        if mixed
        else "In every decision some"
    )
    assert said.evidence.startswith(told)
    assert said.verdict == ("holds" if mixed else "fails")


@pytest.mark.long
@pytest.mark.parametrize("rules", [{"target": 6, "numbers": 4}, {"target": 5, "same": "twice"}])
def test_uses_are_counted_position_by_position(rules: dict[str, Any]) -> None:
    game, rulings = evenodds.game("factors", rules)
    solution = solve_settled(game, rulings)
    counts: dict[int, dict[int, list[int]]] = {}
    for state in positions(game, rulings):
        worth = {}
        for number in game.picks(state, state.turn):
            after = game.step(state, (number, 0) if state.turn == FIRST else (0, number))
            value = solution.value(after) if is_open(game, after) else int(game.outcome(after))
            worth[number] = value if state.turn == FIRST else -value
        if len(set(worth.values())) > 1:
            for number, value in worth.items():
                count = counts.setdefault(state.against, {}).setdefault(number, [0, 0])
                count[0] += 1
                count[1] += value == max(worth.values())
    assert facts_of("factors", **rules).optimality_by("against") == {
        last: {number: studies.OptimalityCounts(*count) for number, count in some.items()}
        for last, some in counts.items()
    }


@pytest.mark.long
def test_a_round_trip_comes_to_a_position_for_the_third_time() -> None:
    for rules in ({"target": 5}, {"target": 5, "same": "twice"}, {"target": 6, "opening": "live"}):
        match = Match("factors", rules)
        for number in facts_of("factors", **rules).round_trip().split():
            assert match.result is None
            match.pick(match.waiting()[0], int(number))
        assert match.result is not None
        assert match.result.reason == "repetition"
    assert facts_of("duel", hp=3).round_trip() == ""


def test_a_game_without_claims_has_none_and_is_still_asked() -> None:
    game = evenodds.game("duel").game._replace(claims="")
    found = studies.claim_results_of(game, game.settle({"hp": 2}))
    assert found.claims == []
    assert found.questions == list(answered("duel", hp=2).values())
    assert len(found.questions) == 7


CLAIMS = """
from evenodds.claims.claim import Claim, Finding, Verdict
CLAIMS = (Claim("short", "It is short.", lambda facts: Finding(Verdict.{}, "So it is.", "1-1")),)
"""


@pytest.mark.own_tables
def test_a_package_brings_claims_which_are_kept_until_they_are_edited(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "promising.py").write_text(CLAIMS.format("HOLDS"))
    game = evenodds.game("duel").game._replace(claims="promising")
    rulings = game.settle({"hp": 2})
    first = studies.claim_results_of(game, rulings)
    assert first.claims == [
        studies.ClaimResult(
            "short", "It is short.", "holds", "So it is.", "1-1",
            'evenodds show duel --line "1-1" --rule hp=2',
        )
    ]  # fmt: skip
    assert json.loads(json.dumps(studies.to_data(first)))["claims"][0]["verdict"] == "holds"
    (figures,) = home.rglob("*.study")
    figures.unlink()
    assert studies.claim_results_of(game, rulings) == first
    assert not list(home.rglob("*.study"))  # nobody has looked at the figures again
    (tmp_path / "promising.py").write_text(CLAIMS.format("FAILS") + "# edited\n")
    del sys.modules["promising"]
    assert studies.claim_results_of(game, rulings).claims[0].verdict == "fails"
    del sys.modules["promising"]
    table = 'SENTENCES = "used up: A number is used once."'
    (tmp_path / "promising.py").write_text(table)
    missing = (
        'do not load: "used up" has no check; write a function used_up(facts), or name one of '
    )
    with pytest.raises(BadGame, match=re.escape(f"{missing}fair, no draws, always ends, quick, ")):
        studies.claim_results_of(game, rulings)
    del sys.modules["promising"]
    (tmp_path / "promising.py").write_text("raise RuntimeError('not\\nyet')")
    with pytest.raises(BadGame, match="the claims of duel do not load: not"):
        studies.claim_results_of(game, rulings)


NAMED = """
fair / not quick: Both have the same chances
  in a long fight.
first wins 3-1 3-1 3-1 3-1: A 3 fells whoever picks 1.
drawn 1-1 1-1: Both may fall.
second wins 3-1: The lower number wins.
goes on 1-1: One blow fells nobody.
unchecked: It is fun.
worth: It is worth it.
"""
WORTH = "def worth(facts):\n    return facts.worth"


@pytest.mark.own_tables
def test_sentences_and_the_names_of_checks_are_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "named.py").write_text(f"SENTENCES = {NAMED!r}\n{WORTH}")
    page = tmp_path / "rulebook.md"
    page.write_text(
        "# Duel\n\nThis is a rule.\n\n## Good to know\n\nIt is fun. Nobody\nsleeps.\n\n"
        "- One blow fells nobody.\n- It lasts.\n\n## Errata\n\nNone.\n"
    )
    game = evenodds.game("duel").game._replace(claims="named", page=str(page))
    found = studies.claim_results_of(game, game.settle({"hp": 2}))
    assert [(one.name, one.verdict) for one in found.claims] == [
        ("fair", "holds"), ("not quick", "fails"), ("first wins", "holds"), ("drawn", "fails"),
        ("second wins", "fails"), ("goes on", "holds"), ("unchecked", "unchecked"),
        ("worth", "undefined"), *[("unchecked", "unchecked")] * 2,
    ]  # fmt: skip
    assert found.claims[1].text == "Both have the same chances in a long fight."
    failed = """named.py:3: the check of "worth" fails with AttributeError: 'Facts' object has no"""
    assert found.claims[-3].evidence.startswith(failed)
    assert [one.text for one in found.claims[-2:]] == ["Nobody sleeps.", "It lasts."]
    page.write_text("# Duel\n\n## Good to know\n\nOne blow fells nobody.\n")
    again = studies.claim_results_of(game, game.settle({"hp": 2}))
    assert again.claims == found.claims[:-2]
    report = studies.StudyReport(studies.study_of(game, game.settle({"hp": 2})), *found, [])
    assert "Nobody has checked:\n- It is fun.\n- Nobody sleeps.\n" in studies.told(report)
    assert ">not checked</span>" in studies.render_report(*report)


@pytest.mark.own_tables
def test_an_edited_check_is_checked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "claimed.py").write_text("from claimed_checks import CLAIMS")
    game = evenodds.game("duel").game._replace(claims="claimed")
    for verdict, comment in (("HOLDS", ""), ("FAILS", "# edited\n")):  # another size, too
        (tmp_path / "claimed_checks.py").write_text(CLAIMS.format(verdict) + comment)
        found = studies.claim_results_of(game, game.settle({"hp": 2}))
        assert found.claims[0].verdict == verdict.lower()
        del sys.modules["claimed"], sys.modules["claimed_checks"]


@pytest.mark.own_tables
def test_what_was_kept_and_is_damaged_is_found_anew(home: Path) -> None:
    game, rulings = evenodds.game("duel", {"hp": 2})
    first = studies.claim_results_of(game, rulings)
    for damage in ('{"figures": [{"name": 3}]}', '{"figures": 3}', "{"):
        kept = list(home.rglob("*.claims"))
        assert len(kept) == 1
        kept[0].write_text(damage)
        assert studies.claim_results_of(game, rulings) == first


@pytest.mark.processes
def test_claims_are_not_read_for_play() -> None:
    code = (
        "import sys, evenodds; evenodds.list_games(); "
        "print([name for name in sys.modules if name.endswith(('.claims', '.checks'))])"
    )
    assert python(code).stdout == "[]\n"


def test_a_line_is_replayed_under_rulings_of_its_own() -> None:
    facts = facts_of("underdog", numbers=4, target=2, gap=3)
    assert facts.replay("1-1", {"numbers": 3}).refused.startswith("gap=3 is not allowed")
    after = facts.replay("4-1 4-2").states[-1]
    assert [facts.game.picks(after, seat) for seat in (FIRST, SECOND)] == [(1, 2, 3), (2, 3, 4)]


def test_the_ready_checks_are_documented() -> None:
    table = (ROOT / "docs" / "games.md").read_text().partition("These checks are ready:")[2]
    names = re.findall(r"^\| (`.*?) \|", table.partition("What you check")[0], re.M)
    told = {name for cell in names for name in re.findall("`(.*?)`", cell)}
    ready = {name.replace("_", " ") for name in checks.READY}
    assert told == {*ready, *checks.EXAMPLES, "not"}
