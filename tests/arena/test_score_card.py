"""Score cards: who comes first, what a model costs, and that nothing is paid twice."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest

import evenodds
from evenodds.arena.card import ScoreCard, estimated, read_card, schema
from evenodds.arena.card_page import side_by_side
from evenodds.arena.card_plan import EFFORTS, LEARNING_MATCHES, LEARNING_WAVES
from evenodds.arena.responder import ExactPlay, Responder
from evenodds.players.llm.budget import LIMITS
from tests.support import models
from tests.support.commands import evenodds_here
from tests.support.models import Handler, Manner, Service, gives, legal, refuses, says

GAME = evenodds.game("duel", hp=4)
SMALL: dict[str, Any] = {"games": GAME, "matches": 4}


@pytest.fixture
def service() -> Iterator[Service]:
    with models.service() as found:
        yield found


@pytest.fixture(autouse=True)
def own_budget(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setenv("EVENODDS_HOME", str(home))
    models.process_budget.cache_clear()


def picks_by_question(handler: Handler) -> None:
    """A pick that depends on the question alone, as that of a model without randomness."""
    question = handler.server.last
    says(f"PICK: {Random(question).choice(legal(question))}")(handler)


def stubs(name: str) -> dict[str, evenodds.Policy]:
    """Players of a game, from the best by exact exploitability: perfect, uniform, predictable."""
    solution = evenodds.solve(name)
    game = solution.game
    mix = cache(solution.mix)
    return {
        "perfect": mix,
        "uniform": evenodds.Uniform(game),
        "argmax": lambda state, seat: max(mix(state, seat), key=mix(state, seat).__getitem__),
        "lowest": lambda state, seat: game.picks(state, seat)[0],
        "highest": lambda state, seat: game.picks(state, seat)[-1],
    }


def test_the_default_card_fits_the_default_limit() -> None:
    wanted = sum(effort.requests for effort in EFFORTS.values())
    assert 900 <= wanted <= LIMITS["requests"][1]
    assert [*EFFORTS] == ["underdog", "margin", "duel", "factors"]


@pytest.mark.long
@pytest.mark.parametrize("name", ["margin", "underdog"])
def test_players_are_ranked_as_exact_exploitability_ranks_them(name: str) -> None:
    cards = {
        stub: evenodds.run_benchmark(policy, games=name).games[name].exploitability
        for stub, policy in stubs(name).items()
    }
    perfect, uniform, *predictable = cards.values()
    assert perfect.value < uniform.value
    assert perfect.high < uniform.low
    assert all(uniform.high < one.low for one in predictable)
    assert all(one.value > 0.99 for one in predictable)


@pytest.mark.long
def test_perfect_play_comes_first_overall() -> None:
    cards = {name: evenodds.run_benchmark(name).card for name in ("perfect", "level:4", "random")}
    overall = [card.overall.value for card in cards.values()]
    assert overall == sorted(overall)
    assert overall[0] < overall[1]
    assert all(card.references["perfect"] == 0 for card in cards.values())
    for card in cards.values():
        assert sum(game.picks for game in card.games.values()) < 1000


def test_exact_rows_stand_on_every_card() -> None:
    card = evenodds.run_benchmark("random", games="margin", matches=2).card
    assert card.references["random"] == pytest.approx(0.375)
    assert card.references["level:4"] == pytest.approx(
        evenodds.exploitability("margin", evenodds.make_policy("margin", "level:4"))
    )
    assert list(card.references.values())[-2:] == pytest.approx([0, 0])


def test_a_model_is_asked_what_was_said_before_and_never_twice(
    service: Service, tmp_path: Path
) -> None:
    service.will(picks_by_question)
    whole = evenodds.run_benchmark(service.name, folder=tmp_path / "one", **SMALL)
    asked = len(service.asked)
    assert whole.card.requests == asked == whole.games["duel"].picks
    matches = LEARNING_WAVES * LEARNING_MATCHES + 4 + EFFORTS["duel"].reader
    assert asked <= matches * EFFORTS["duel"].picks
    again = evenodds.run_benchmark(service.name, folder=tmp_path / "one", **SMALL)
    assert len(service.asked) == asked
    assert again.card == whole.card
    with pytest.raises(evenodds.BadPlan, match="belongs to another card"):
        evenodds.run_benchmark(service.name, folder=tmp_path / "one", matches=6, games=GAME)


def test_a_card_that_was_stopped_anywhere_comes_to_the_same(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.will(picks_by_question)
    whole = evenodds.run_benchmark(service.name, **SMALL).card
    service.asked.clear()

    def go_on(limit: int) -> ScoreCard:
        monkeypatch.setenv("EVENODDS_LLM_REQUESTS", str(limit - len(service.asked)))
        models.process_budget.cache_clear()
        return evenodds.run_benchmark(service.name, folder=tmp_path, parallel=3, **SMALL).card

    for limit in (7, 20):
        with pytest.raises(evenodds.ArenaStopped, match="requests of this run are used up"):
            go_on(limit)
        assert len(service.asked) == limit
        with open(tmp_path / "answers.jsonl", "a") as file:
            file.write('{"key": "half a li')  # as a kill leaves it
    card = go_on(1000)
    assert len(service.asked) == whole.requests
    assert card == msgspec.structs.replace(whole, date=card.date)


def test_a_run_with_refusals_finishes_and_passes_parameters_on(service: Service) -> None:
    luck = Random(1)

    def sometimes(handler: Handler) -> None:
        manner = refuses(429, Retry_After="0") if luck.random() < 0.3 else picks_by_question
        manner(handler)

    service.will(sometimes)
    given: dict[str, Any] = {"temperature": 0.5, "reasoning_effort": "low", "seed": 3}
    card = evenodds.run_benchmark(
        service.name, parallel=16, parameters=given, question="disguised", **SMALL
    ).card
    assert card.requests < len(service.asked)
    assert models.process_budget().spent.requests == card.requests
    assert card.parameters == given
    assert all(given.items() <= asked.items() for asked in service.asked)
    assert not [asked for asked in service.asked if "Number Duel" in json.dumps(asked)]


def test_a_player_that_gives_no_answer_loses_what_there_is_to_lose(service: Service) -> None:
    service.will(says("I will not."))
    card = evenodds.run_benchmark(service.name, **SMALL).card
    game = card.games["duel"]
    assert game.exploitability.value == 1
    assert sum(game.forfeits.values()) == 22
    assert card.faults == msgspec.structs.replace(card.faults, unreadable=44, illegal=0, cut_off=0)


def cut_short(text: str) -> Manner:
    message = {"role": "assistant", "content": text}
    return gives({"choices": [{"message": message, "finish_reason": "length"}]})


MANNERS: list[tuple[Manner, Any]] = [
    *((says(text), 2) for text in (
        "PICK: 2", "**PICK: 2**", "pick: 2.", "PICK: 2 (safe)", "`PICK: 2`", r"\boxed{PICK: 2}",
        '{"pick": 2}', "ＰＩＣＫ： ２", "Final answer: 2", "<answer>2</answer>", "I pick 2", "2",
        "PICK: 3\nPICK: 2", "<think>PICK: 3</think>PICK: 2", "~~PICK: 3~~ PICK: 2",
        "The opponent's pick: 3\nPICK: 2", "# PICK: 2", "My pick is 2", r"\boxed{2}",
    )),
    (says([{"type": "text", "text": "PICK: 2"}]), 2),
    (says("x " * 1000 + "\nPICK: 2"), 2),
    (cut_short("PICK: 2"), 2),
    *((says(text), "unreadable") for text in (
        "", "no", "two", "PICK: 2? No, 3.", "PICK: 1 or 2", "PICK: 3 -> 2", "<think>PICK: 2",
        "Don't PICK: 2", "PICK: 2.5", None,
    )),
    *((says(text), "illegal") for text in ("PICK: 4", "PICK: 0", "PICK: 99")),
    *((cut_short(text), "cut_off") for text in ("", "Let me think", "<think>PICK: 2")),
    (refuses(400, "bad"), "says no .400: bad"),
    (refuses(401), "wants a key"),
    (refuses(307, Location="/x"), "redirects"),
    (models.page, "can be read"),
    (models.cut_off, "can be read"),
    (models.hangs_up, "hung up|closed|reset"),
    (models.babbles, "does not speak HTTP"),
    (models.huge, "more than 1 MB"),
    (models.never, "longer than 0.5 seconds"),
    (models.drips, "longer than 0.5 seconds|hung up"),
    (models.drips_its_body, "longer than 0.5 seconds"),
]  # fmt: skip
"""How a service answers, and what comes of it: a pick, a kind of fault, or why there is none."""


@pytest.mark.parametrize("place", range(len(MANNERS)))
def test_a_service_may_answer_in_any_way(place: int, service: Service) -> None:
    manner, expected = MANNERS[place]
    match = evenodds.Match("duel")
    detail = service.name.removeprefix("llm:")
    slow = manner in (models.never, models.drips, models.drips_its_body)
    player = models.ModelPlayer(
        detail, match.terms, evenodds.SECOND, 0.5 if slow else 60, sleep=lambda seconds: None
    )
    kind = expected in ("unreadable", "illegal", "cut_off")
    service.will(manner, says("PICK: 1")) if kind else service.will(manner)
    if isinstance(expected, int) or kind:
        number = player.pick(match.view(evenodds.SECOND))
        assert number == (1 if kind else expected)
        assert player.faults._asdict() == dict.fromkeys(player.faults._fields, 0) | (
            {expected: 1} if kind else {}
        )
    else:
        with pytest.raises(evenodds.Forfeit) as caught:
            player.pick(match.view(evenodds.SECOND))
        assert re.search(expected, str(caught.value)), caught.value


def test_cards_stand_side_by_side_and_have_a_schema() -> None:
    one, two = (evenodds.run_benchmark(name, **SMALL).card for name in ("high", "random"))
    page = side_by_side([one, two])
    assert page.count("<svg") == 2  # overall and the game
    assert page.count("<circle") == 2 * (2 + len(one.references))
    assert "high" in page
    text = msgspec.json.encode(one)
    assert msgspec.json.decode(text, type=ScoreCard) == one
    found = schema()["$defs"]["ScoreCard"]
    assert {*found["required"]} == {*json.loads(text)}


@pytest.mark.processes
def test_the_commands_write_cards_and_draw_them(home_with_tables: Path, tmp_path: Path) -> None:
    def run(*typed: str) -> str:
        done = evenodds_here(*typed, home=home_with_tables)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    duel = ("benchmark", "--game=duel", "--matches=2", "-o", str(tmp_path / "high"))
    assert "= is exact" in " ".join(run(*duel, "--player=high").split())
    file, page = tmp_path / "high" / "card-duel.json", tmp_path / "cards.html"
    assert read_card(file.read_bytes()).games["duel"].exploitability.value == 0
    assert "# high: score card" in file.with_suffix(".md").read_text()
    assert "1 score card" in run("cards", str(file), "-o", str(page))
    assert "high" in page.read_text()
    assert "$defs" in json.loads(run("cards", "--schema"))


def gains_of_random(name: str, matches: int) -> list[list[float]]:
    """What the opponent that a card has found takes from random picks, match by match and seat."""
    solution, rng = evenodds.solve(name), Random(0)
    game = solution.game
    seats = (0,) if game.mirror is not None else (0, 1)

    def play(exact: ExactPlay, responder: Responder) -> tuple[float, list[tuple[Any, int]]]:
        state: Any = solution.start
        gain, answers = 0.0, list[tuple[Any, int]]()
        while game.outcome(state) == evenodds.Outcome.ONGOING and exact.value(state) < 1 - 1e-9:
            number = rng.choice(game.picks(state, exact.seat))
            if len(game.picks(state, exact.seat)) > 1:
                if len(answers) == EFFORTS[name].picks:
                    break
                answers.append((state, number))
            mix = responder.mix(state)
            gain += exact.gain(state, mix, number)
            pick = rng.choices([*mix], [*mix.values()])[0]
            state = game.step(state, (pick, number) if exact.me == 0 else (number, pick))
        return gain, answers

    found = []
    for seat in seats:
        exact = ExactPlay(solution, seat)
        responder = Responder(exact)
        for _ in range(LEARNING_WAVES):
            for _, answers in [
                play(exact, responder) for _ in range(LEARNING_MATCHES // len(seats))
            ]:
                responder.learn(answers)
        found.append([play(exact, responder)[0] for _ in range(matches)])
    return found


@pytest.mark.long
def test_intervals_hold_in_95_of_100_cards() -> None:
    rng, truths, cards = np.random.default_rng(1), list[float](), list[Any]()
    for name, effort in EFFORTS.items():
        pools = gains_of_random(name, 1000)
        truths.append(float(np.mean(pools)))
        drawn = [rng.choice(pool, (10_000, effort.matches // len(pools))) for pool in pools]
        cards.append(np.concatenate(drawn, axis=1).tolist())
        held = share_held(truths[-1], [[sample] for sample in cards[-1]])
        assert held > 0.93, name
        assert held < 0.97 or effort.matches < 10, name  # few of them, and most take all
    held = share_held(float(np.mean(truths)), list(zip(*cards, strict=True)))
    assert 0.93 < held < 0.97


def share_held(truth: float, cards: list[Any]) -> float:
    """In how many cards the interval holds the exact figure."""
    found = map(estimated, cards)
    return sum(one.low <= truth <= one.high for one in found) / len(cards)
