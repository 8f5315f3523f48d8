"""Rulings: what each game lets players change, and how a bad one is refused."""

import pickle
from typing import Any, NamedTuple

import numpy as np
import pytest

from evenodds import BadRuling
from evenodds.core.catalog import get
from evenodds.core.rulings import Choice, OneOf, options, settle
from tests.support.game_data import WITH_DATA, data_of
from tests.support.naive import stated

OPTIONS = [
    (game, key, values) for game in WITH_DATA for key, values in data_of(game).options.items()
]


def test_the_nearest_value_that_is_allowed_follows_other_rulings() -> None:
    target = get("underdog").options["target"]
    assert [target.nearest(value, {"numbers": 2}) for value in (0, 1, 2, 3)] == [1, 1, 2, 2]
    exhausted = get("underdog").options["exhausted"]
    assert [exhausted.nearest(value, {"numbers": 2}) for value in (0, 1)] == [0, 1]


@pytest.mark.parametrize("game", WITH_DATA, ids=str)
def test_defaults_are_those_of_the_rule_book(game: Any) -> None:
    usual = [(key, values[0]) for key, values in data_of(game).options.items()]
    assert list(stated(game, game.rulings()).items()) == usual


@pytest.mark.parametrize(("game", "key", "values"), OPTIONS, ids=str)
def test_rulings_have_their_limits(game: Any, key: str, values: Any) -> None:
    option, is_word = game.options[key], isinstance(values[0], str)
    rest = {
        other: one.low
        for other, one in game.options.items()
        if str(getattr(one, "high", "")).startswith(key)
    }
    allowed = " or ".join(values) if is_word else f"{values[1]} to {values[2]}"
    assert not is_word or list(option.words) == list(values)
    for place, value in enumerate(values):
        held = place if is_word else value
        assert getattr(game.settle({**rest, key: value}), key) == held
        texts = {other: str(number) for other, number in {**rest, key: value}.items()}
        assert game.settle(texts) == game.settle_typed(texts)
        assert getattr(game.settle(texts), key) == held
    for value in ["maybe"] if is_word else [values[1] - 1, values[2] + 1]:
        with pytest.raises(BadRuling) as caught:
            game.settle({**rest, key: value})
        assert str(caught.value).startswith(f"{key}={value} is not allowed; allowed: {allowed}")


def test_whole_numbers_of_any_kind_are_taken_as_the_number_they_are() -> None:
    duel = get("duel")
    for four in (np.int64(4), np.uint8(4), np.array(4)):
        settled = duel.settle({"hp": four})
        assert settled == duel.settle({"hp": 4})
        assert type(settled.hp) is int
    for other in (np.bool_(True), np.float64(4)):
        with pytest.raises(BadRuling, match="is not allowed; allowed: "):
            duel.settle({"hp": other})
    with pytest.raises(BadRuling, match=r"^hp=0 is not allowed"):
        duel.settle({"hp": np.int64(0)})


def test_a_value_that_is_too_long_is_not_shown_whole() -> None:
    for value in ("9" * 10_000, -(10**5000)):
        with pytest.raises(BadRuling, match=r"^numbers=(9999|a number too long)") as caught:
            get("underdog").settle({"numbers": value})
        assert len(str(caught.value)) < 160


class Last(Choice):
    """Who takes the last one."""

    WINS = "it wins"
    LOSES = "it loses"


class Rulings(NamedTuple):
    """A ruling of two words."""

    last: Last = Last.LOSES


def test_a_choice_is_its_words_and_what_they_mean() -> None:
    option = options(Rulings)["last"]
    assert isinstance(option, OneOf)
    assert option.about == "who takes the last one"
    assert option.words == {"wins": "it wins", "loses": "it loses"}
    assert [option.read(word, {}) for word in ("wins", "loses", "draws")] == [*Last, None]
    assert [option.show(place) for place in (0, Last.LOSES)] == ["wins", "loses"]
    with pytest.raises(ValueError, match="2 is not a choice; allowed: wins or loses"):
        option.show(2)
    assert settle(Rulings, {}) == (Last.LOSES,) == pickle.loads(pickle.dumps((Last.LOSES,)))
