"""Games played at random by the engine, with undos, for the tests of records."""

import random

from adjudicator.game import engine
from adjudicator.game.chance import commitment, seeded
from adjudicator.game.edition import VARIANTS, rules_for
from adjudicator.game.export import Game, Played, Redealt, record_of, redealt
from adjudicator.game.model import SIDES, BySide

WORDS = BySide("maple", "érable")
EAGER = {
    "Withdraw": 0.05,
    "Pass": 0.1,
    "Besiege": 6,
    "Reinforce": 6,
    "Leader": 6,
    "Raid": 4,
    "HomeSupport": 3,
}
EAGER |= {"Exchange": 3, "SettleWon": 3, "Settle": 3, "Intendant": 4, "Done": 3, "Develop": 3}


class RandomGame:
    """One game: rules, start, moves and last state; all follow from `number`."""

    def __init__(self, number, *, moves=300, edition=None, variants=None, undo=0.02, start=None):
        self.rng = random.Random(number)
        edition = edition or self.rng.choice((1, 2))
        if variants is None:
            variants = [variant for variant in VARIANTS if self.rng.random() < 0.3]
            if "french-draft-bateaux" in variants and "french-start-bateaux" in variants:
                variants.remove("french-start-bateaux")
        self.number = number
        self.rules = rules_for(edition, variants)
        self.seed = self.rng.randbytes(32)
        self.chance = seeded(self.seed, WORDS.british, WORDS.french)
        self.start = self.state = start or engine.new_game(self.rules, self.chance).state
        self.moves = []
        while len(self.moves) < moves and self.state.to_move:
            self._move()
            if self.rng.random() < undo and self.state.to_move and self.state.shuffles > 1:
                self._undo()

    def _move(self):
        kinds = {}
        for action in engine.legal_actions(self.rules, self.state):
            kinds.setdefault(type(action), []).append(action)
        weights = [EAGER.get(kind.__name__, 1) for kind in kinds]
        action = self.rng.choice(kinds[self.rng.choices(list(kinds), weights)[0]])
        side = engine.decider(engine.begin(self.rules, self.state).state)
        self.state = engine.apply(self.rules, self.state, side, action, self.chance).state
        self.moves.append(Played(side, action, f"order {len(self.moves)}"))

    def _undo(self):
        """What is left of an undo in the list of moves: a deck shuffled anew, some shuffle numbers later."""
        move = Redealt(self.rng.choice(SIDES), self.state.shuffles + self.rng.randrange(3))
        self.state = redealt(self.state, move, self.chance)
        self.moves.append(move)

    def record(self, **more):
        """The record of the game, seed and commitment included."""
        facts = {"id": f"random-{self.number}", "commitment": commitment(self.seed), "seed": self.seed}
        game = Game(words=WORDS, **{**facts, **more})
        return record_of(self.rules, self.start, self.moves, self.chance, game)
