"""Plays the matches of a score card: what an opponent takes that has seen how a player picks.

In each game the player first meets a `Responder` that learns from its answers, wave by wave; then,
in the matches that count, the one that results, which no longer changes. Beside that it meets
`reader`. Nothing rests on a coin: a pick is worth what it yields against the mix of the opponent,
by the exact values of what follows. After some picks a match is left, as if play were exact from
there on. So the exploitability is a lower bound: no opponent takes more than the best response.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AbstractContextManager, ExitStack
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from evenodds.arena import card
from evenodds.arena.card_plan import (
    ANSWERS_FILE,
    LEARNING_MATCHES,
    LEARNING_WAVES,
    AnswerStore,
    CardPlan,
    MatchAnswers,
)
from evenodds.arena.responder import ExactPlay, Responder
from evenodds.arena.schedule import BadPlan
from evenodds.arena.tournament import ArenaStopped
from evenodds.core.catalog import RuledGame
from evenodds.core.kept_results import load_result, save_result
from evenodds.core.match import Match
from evenodds.core.record import MatchResult, View
from evenodds.core.rulings import ruling_texts
from evenodds.core.terms import Terms, agree
from evenodds.core.vocabulary import FIRST, PASS, SEATS, Outcome, Seat, other
from evenodds.engine.on_demand import NotSolved, solution_for
from evenodds.engine.policies import Uniform, mix_of
from evenodds.engine.solution import Mix
from evenodds.figures import VALUE_TOLERANCE
from evenodds.players.levels import MixPlayer, PlayerLike, ladder_of, policy_of
from evenodds.players.llm.budget import Budget
from evenodds.players.llm.chat import in_daemon_thread
from evenodds.players.llm.model_player import ModelPlayer, Question
from evenodds.players.llm.prompt import EDITIONS
from evenodds.players.player import (
    CannotPlay,
    Forfeit,
    IllegalAnswerCounts,
    Player,
    Unavailable,
    sample,
)
from evenodds.players.reader.memory import ReaderMemory
from evenodds.players.reader.reader_player import ReaderPlayer
from evenodds.players.registry import MODEL_PREFIX, external_kind, opponent, pick_timeout_s
from evenodds.study.named_odds import OddsTable
from evenodds.system import Progress, __version__, silent
from evenodds.system.locks import Lock

CARD_SEED: Final = 20260101
"""The same for every score card, so that cards can be compared."""


class PlayedMatch(NamedTuple):
    """What came of a match."""

    gain: float
    """What the opponent took, as a share of what is at stake."""
    answers: list[tuple[Any, int]]
    """The positions at which the player was asked, and its picks."""
    losses: list[float]
    """The expected score that each pick gave away."""
    forfeit: str
    faults: IllegalAnswerCounts


class Asked(NamedTuple):
    """Who is asked, and by what means."""

    plan: CardPlan
    player: PlayerLike
    store: AnswerStore
    budget: Budget | None
    limit: asyncio.Semaphore
    stopped: list[Unavailable]
    """Why nobody is asked any more, if so."""


class GameRun:
    """The matches of a card in one game."""

    def __init__(self, asked: Asked, ruled: RuledGame, progress: Progress) -> None:
        try:
            self.solution = solution = solution_for(agree(ruled), progress)
        except NotSolved as error:
            raise BadPlan(f"a score card needs exact values: {error}") from None
        self._asked, self._ruled, self._progress = asked, ruled, progress
        self._game = ruled.game
        self.effort = asked.plan.effort(self._game.name)
        self._exact = {seat: ExactPlay(solution, seat) for seat in SEATS}
        # Where the rules favour neither seat, one is enough.
        self._seats = (FIRST,) if self._game.mirror is not None else SEATS
        policy = policy_of(self._game, asked.player, lambda: solution)
        own = None if isinstance(asked.player, str) else partial(mix_of, self._game, asked.player)
        self._mix = cache(partial(mix_of, self._game, policy)) if policy is not None else own
        self._done, self.own_seed = 0, ""
        self.played: defaultdict[str, list[PlayedMatch]] = defaultdict(list)

    async def run(self) -> None:
        """Play all matches."""
        await together([self._meet_reader(seat) for seat in self._seats] + [self.exploit()])

    async def exploit(self) -> None:
        """Play the matches against an opponent that learns."""
        responders = {seat: Responder(self._exact[seat]) for seat in self._seats}

        async def meet(part: str, matches: int) -> None:
            meetings = []
            for number in range(matches):
                seat = self._seats[number % len(self._seats)]
                mix = partial(_respond, responders[seat])
                meetings.append(self._play(f"{part}/{number}", seat, mix))
            self.played[part] = await together(meetings)

        for wave in range(LEARNING_WAVES):
            await meet(part := f"learning {wave + 1}", LEARNING_MATCHES)
            for number, played in enumerate(self.played[part]):
                responders[self._seats[number % len(self._seats)]].learn(played.answers)
        await meet("counted", self.effort.matches)

    async def _meet_reader(self, seat: Seat) -> None:
        """Meet `reader`, which remembers the matches of this card."""
        memory, me = ReaderMemory(), other(seat)
        for number in range(self.effort.reader // len(self._seats)):
            key, terms = f"reader {seat}/{number}", self._terms()
            reader = ReaderPlayer(self.solution, terms, me, Random(0), memory)
            mix = partial(_read, reader, me)
            self.played["reader"].append(await self._play(key, seat, mix, reader))

    def _terms(self) -> Terms:
        names = ("Player", "Opponent")
        return agree(self._ruled)._replace(players=names, computers=names)

    async def _play(
        self,
        key: str,
        seat: Seat,
        mix_at: Callable[[Match], Mix],
        reader: ReaderPlayer | None = None,
    ) -> PlayedMatch:
        async with self._asked.limit:
            for error in self._asked.stopped:
                raise error
            key = f"{self._game.name}/{key}"
            dice, me, exact = Random(f"{CARD_SEED}/{key}"), other(seat), self._exact[seat]
            terms, stake = self._terms(), self.solution.span / 2
            match = Match(terms, seed=f"{CARD_SEED}/{key}")
            player = self._player(key, terms, seat)
            store = MatchAnswers(self._asked.store, key)
            answers, losses, gain, why = list[tuple[Any, int]](), list[float](), 0.0, ""
            try:
                while match.result is None:
                    view, state = match.view(seat), match.state
                    if not self._game.reward and exact.value(state) >= stake - VALUE_TOLERANCE:
                        break  # nothing more can be taken
                    number = view.choices[0] if view.choices else PASS
                    if len(view.choices) > 1:
                        if len(answers) == self.effort.picks:
                            break
                        number = await self._pick(player, view, store, len(answers))
                        answers.append((state, number))
                        losses.append(exact.loss(state, number) / self.solution.span)
                    mine = {PASS: 1.0}
                    if self._game.picks(state, me) != (PASS,):
                        mine = mix_at(match)
                    gain += exact.gain(state, mine, number)
                    pick = sample(mine, dice)
                    match.play((pick, number) if me == FIRST else (number, pick))
            except Unavailable as error:
                self._asked.stopped.append(error)
                raise
            except Forfeit as error:
                why, gain = error.why, gain + stake - exact.value(match.state)
            finally:
                player.leave(match.view(seat))
            if reader:  # it learns from matches that are over
                over = match.result or MatchResult(Outcome.DRAW)
                reader.leave(match.view(me)._replace(result=over))
            self._done += 1
            self._progress(f"playing {self._game.name}", self._done, self.effort.all_matches)
            return PlayedMatch(gain / stake, answers, losses, why, player.faults)

    def _player(self, key: str, terms: Terms, seat: Seat) -> Player:
        plan, player = self._asked.plan, self._asked.player
        rng = Random(f"{CARD_SEED}/{key}/own{self.own_seed}")
        if self._mix:
            return MixPlayer(self._mix, rng)
        name = str(player)
        seconds = pick_timeout_s(name, plan.seconds)
        if not name.startswith(MODEL_PREFIX):
            solution = self.solution
            return opponent(name, terms, seat, rng, bot_seconds=seconds, solution=solution)
        assert seconds is not None
        return ModelPlayer(
            name.removeprefix(MODEL_PREFIX),
            terms,
            seat,
            seconds,
            budget=self._asked.budget,
            question=Question(EDITIONS[plan.question], plan.parameters),
            answers=MatchAnswers(self._asked.store, key),
        )

    async def _pick(self, player: Player, view: View, store: MatchAnswers, number: int) -> int:
        """The pick of a player; what waits for others does so in a thread of its own."""
        external = isinstance(self._asked.player, str) and external_kind(self._asked.player)
        if not external:
            await asyncio.sleep(0)  # so that Ctrl-C is heard
            return player.pick(view)
        is_program = not isinstance(player, ModelPlayer)
        if is_program and (known := store.find(number)):
            return int(known["pick"])
        found = await asyncio.wrap_future(in_daemon_thread(lambda: player.pick(view)))
        if is_program:
            store.keep(number, {"pick": found})
        return found

    def check_available(self) -> None:
        """Start a program, or connect to the service of a model, before anything is played."""
        terms = self._terms()
        player = self._player("", terms, FIRST)
        player.check_available()
        player.leave(Match(terms).view(FIRST))

    @property
    def matches(self) -> list[PlayedMatch]:
        """All matches that were played."""
        return [played for part in self.played.values() for played in part]

    @property
    def gains(self) -> list[float]:
        """What was taken in each of the matches that count."""
        return [played.gain for played in self.played["counted"]]

    def figures(self, references: dict[str, card.Reference]) -> card.GameCard:
        """What came of all matches."""
        matches = self.matches
        losses = [loss for played in matches for loss in played.losses]
        stake = self.solution.span / 2
        value = 0.0 if len(self._seats) == 2 else self.solution.value(self.solution.start)
        scores = [(1 + value / stake - played.gain) / 2 for played in self.played["reader"]]
        return card.GameCard(
            ruling_texts(self._ruled.rulings),
            card.estimated([self.gains]),
            card.estimated([scores]),
            sum(losses) / max(1, len(losses)),
            len(losses),
            len(self.gains),
            dict(Counter(played.forfeit for played in matches if played.forfeit)),
            references,
        )


def _read(reader: ReaderPlayer, me: Seat, match: Match) -> Mix:
    return reader.mix(match.view(me))


def _respond(responder: Responder, match: Match) -> Mix:
    return responder.mix(match.state)


async def together(work: Iterable[Awaitable[Any]]) -> list[Any]:
    """All results; where something fails, the first error, once nothing is under way any more."""
    results = await asyncio.gather(*work, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return list(results)


def reference_rows(ruled: RuledGame, progress: Progress) -> dict[str, card.Reference]:
    """What cards with the usual matches find in the players to compare with, and what is exact."""
    key = *ruled, card.REFERENCE_KIND, str(ladder_of(ruled.game))
    if (found := load_result(*key)) is None:
        from evenodds.engine.responses import exploitability

        best = OddsTable(*ruled, None, progress).of_levels().best_opponent
        found = dict[str, tuple[float, float]]()

        async def mean(run: GameRun, stage: str) -> float:
            means = list[float]()
            for number in range(card.REFERENCE_RUNS):
                run.own_seed = f"/{number}"
                await run.exploit()
                means.append(card.estimated([run.gains]).value)
                progress(stage, len(means), card.REFERENCE_RUNS)
            return sum(means) / len(means)

        for name in card.REFERENCES:
            plan = CardPlan(name, (ruled,))
            asked = Asked(plan, name, AnswerStore(None, plan), None, asyncio.Semaphore(1), [])
            run, exact = GameRun(asked, ruled, silent), 2 * best.get(name, 0.5) - 1
            if name == "random":
                exact = exploitability(ruled, Uniform(ruled.game), progress=progress)
                exact /= run.solution.span / 2
            found[name] = _finish(mean(run, f"playing cards of {name}")), exact
        save_result(found, *key)
    return {name: card.Reference(*row) for name, row in found.items()}


def run_card(
    plan: CardPlan,
    player: PlayerLike,
    folder: Path | None,
    progress_bar: Callable[[], AbstractContextManager[Progress]],
    budget: Budget | None = None,
    parallel: int = 1,
) -> card.ScoreCard:
    """Play the matches of a card, or the rest of them, and put its figures together.

    `ArenaStopped` where a service fails or a budget is used up; with a folder the same call goes on
    then. `BadPlan` for a game in which no pick matters, or that cannot be solved.
    """
    with ExitStack() as open_files, progress_bar() as progress:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            open_files.enter_context(Lock(folder / "arena.lock"))
        store = AnswerStore(folder and folder / ANSWERS_FILE, plan)
        asked = Asked(plan, player, store, budget, asyncio.Semaphore(parallel), [])
        runs = {ruled.game.name: GameRun(asked, ruled, progress) for ruled in plan.games}
        rows = {ruled.game.name: reference_rows(ruled, progress) for ruled in plan.games}
        for name, row in rows.items():
            if row["random"].exact <= VALUE_TOLERANCE:
                raise BadPlan(
                    f"in {name} under these rulings no pick matters; a score card needs others, "
                    "such as reach=2 in circle"
                )
        try:
            next(iter(runs.values())).check_available()
            _finish(together([run.run() for run in runs.values()]))
        except (CannotPlay, Unavailable) as error:
            raise ArenaStopped(str(error), []) from None
    answers, games = store.models(), {name: run.figures(rows[name]) for name, run in runs.items()}
    matches = [played for run in runs.values() for played in run.matches]
    faults = sum((played.faults for played in matches), IllegalAnswerCounts())
    references = {
        name: card.Reference(
            sum(row[name].by_card for row in rows.values()) / len(rows),
            sum(row[name].exact for row in rows.values()) / len(rows),
        )
        for name in card.REFERENCES
    }
    return card.ScoreCard(
        card.CARD_EDITION,
        __version__,
        store.head["date"],
        plan.player,
        plan.question,
        dict(plan.parameters),
        len(answers),
        sum(line["tokens"] for line in answers),
        sum(line["guessed"] for line in answers),
        card.Faults(*faults),
        card.estimated([run.gains for run in runs.values()]),
        references,
        games,
    )


def _finish(work: Awaitable[Any]) -> Any:
    """Run an event loop; where one runs in this thread, as in a notebook, in another thread."""

    async def main() -> Any:
        return await work

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(main())
    return in_daemon_thread(lambda: asyncio.run(main())).result()
