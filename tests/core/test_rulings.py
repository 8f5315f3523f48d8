"""Rulings: what each game lets players change, and how a bad one is refused."""

from enum import IntEnum

import numpy as np
import pytest

from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.core.rulings import BadRuling, OneOf, Whole, ruling_texts
from tests.support.game_data import data_of
from tests.support.strategies import GAMES

LIMITS = [(game, key) for game in GAMES for key in data_of(game).limits]
WORDS = [(game, key) for game in GAMES for key in data_of(game).words]


def test_the_nearest_value_that_is_allowed_follows_other_rulings() -> None:
    """What a menu offers when a change leaves no room for what stood there."""
    target = catalog.get("underdog").options["target"]
    assert [target.nearest(value, {"numbers": 2}) for value in (0, 1, 2, 3)] == [1, 1, 2, 2]
    exhausted = catalog.get("underdog").options["exhausted"]
    assert [exhausted.nearest(value, {"numbers": 2}) for value in (0, 1)] == [0, 1]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_defaults_are_those_of_the_rule_book(game: AnyGame) -> None:
    data = data_of(game)
    defaults = ruling_texts(game.rulings())
    assert list(defaults.items()) == list(data.defaults.items())
    assert set(defaults) == {*data.limits, *data.words}


@pytest.mark.parametrize(("game", "key"), LIMITS, ids=str)
def test_numbers_have_their_limits(game: AnyGame, key: str) -> None:
    """Both limits are allowed, one beyond is not, and the refusal names all three parts."""
    low, high = data_of(game).limits[key]
    rest = {
        other: option.low
        for other, option in game.options.items()
        if isinstance(option, Whole) and str(option.high).startswith(key)
    }
    for value in (low, high):
        assert getattr(game.settle({**rest, key: value}), key) == value
        texts = {**{other: str(number) for other, number in rest.items()}, key: str(value)}
        assert getattr(game.settle_typed(texts), key) == value
    for value in (low - 1, high + 1):
        with pytest.raises(BadRuling) as caught:
            game.settle({**rest, key: value})
        assert f"{key}={value} is not allowed; allowed: {low} to {high}" in str(caught.value)


def test_whole_numbers_of_any_kind_are_taken_as_the_number_they_are() -> None:
    """The rules hold Python's own; what is a truth or a fraction of another kind is none."""
    duel = catalog.get("duel")
    for four in (np.int64(4), np.uint8(4), np.array(4)):
        settled = duel.settle({"hp": four})
        assert settled == duel.settle({"hp": 4})
        assert type(settled.hp) is int
    for other in (np.bool_(True), np.float64(4)):
        with pytest.raises(BadRuling, match="is not allowed; allowed: "):
            duel.settle({"hp": other})
    with pytest.raises(BadRuling, match=r"^hp=0 is not allowed"):
        duel.settle({"hp": np.int64(0)})


@pytest.mark.parametrize(("game", "key"), WORDS, ids=str)
def test_words_are_one_of_a_few(game: AnyGame, key: str) -> None:
    """Each word is allowed and explained, and another is refused with the list."""
    words = list(data_of(game).words[key])
    option = game.options[key]
    assert isinstance(option, OneOf)
    assert list(option.words) == words
    for place, word in enumerate(words):
        assert getattr(game.settle({key: word}), key) == place
    with pytest.raises(BadRuling) as caught:
        game.settle({key: "maybe"})
    allowed = " or ".join(words)
    assert str(caught.value) == f"{key}=maybe is not allowed; allowed: {allowed}"


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"colour": "red"}, "colour=red: there is no such ruling; allowed: numbers, target, gap"),
        ({"numbers": "10"}, "numbers=10 is not allowed; allowed: 2 to 20"),
        ({"numbers": "ten"}, "numbers=ten is not allowed; allowed: 2 to 20"),
        ({"numbers": 5.0}, "numbers=5.0 is not allowed"),
        ({"numbers": True}, "numbers=True is not allowed"),
        ({"numbers": None}, "numbers=None is not allowed"),
        ({"numbers": "５"}, "numbers=５ is not allowed"),
        ({"numbers": "9" * 10_000}, "numbers=9999"),
        ({"numbers": -(10**5000)}, "numbers=a number too long to show"),
        ({"exhausted": ["score"]}, "exhausted=['score'] is not allowed; allowed: score or draw"),
        ({"exhausted": 0}, "exhausted=0 is not allowed"),
        ({"numbers": 6, "target": 7}, "target=7 is not allowed; allowed: 1 to 6 (numbers)"),
        ({"numbers": 2}, "target=3 (the default) is not allowed; allowed: 1 to 2 (numbers)"),
        ({"numbers": 6, "gap": 6}, "gap=6 is not allowed; allowed: 0 to 5 (numbers - 1)"),
        ({"numbers": "\x1b[31m9\n"}, "numbers=[31m9 is not allowed"),
    ],
)
def test_a_bad_ruling_is_refused_in_one_line(given: dict[str, object], problem: str) -> None:
    with pytest.raises(BadRuling) as caught:
        catalog.get("underdog").settle(given)
    message = str(caught.value)
    assert problem in message
    assert message.isprintable()
    assert len(message) < 160


class Last(IntEnum):
    """A ruling of two words."""

    WINS = 0
    LOSES = 1


def test_a_word_is_the_member_whatever_the_order_of_the_list() -> None:
    """Nobody turns the rules by writing the choices in another order."""
    for order in (list(Last), list(Last)[::-1]):
        option = OneOf("who takes the last one", {member: f"it {member.name}" for member in order})
        assert list(option.words) == [member.name.lower() for member in order]
        for member in Last:
            assert option.read(member.name.lower(), {}) is member
            assert option.show(member) == member.name.lower()
            assert option.show(int(member)) == member.name.lower()
        assert option.read("draws", {}) is None
        with pytest.raises(ValueError, match="2 is not a choice; allowed: "):
            option.show(2)


def test_plain_words_are_counted_in_their_order() -> None:
    option = OneOf("who takes the last one", {"wins": "it wins", "loses": "it loses"})
    assert [option.read(word, {}) for word in ("wins", "loses", "draws")] == [0, 1, None]
    assert [option.show(place) for place in (0, 1)] == ["wins", "loses"]
