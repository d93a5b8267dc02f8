"""How many pods of each kind on which node: whole numbers under linear limits, solved to the end (extra `optimize`).

The limits say less than the scheduler does; what they allow has to be tried, and what turns out not to work is
forbidden. What they do not allow is impossible. Equal pods are counted, not told apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any, Final, Literal

import msgspec

from dravite.explain.groups.together import Mix

PACKAGE: Final = "highspy"

MOST_BRANCHES: Final = 20_000
"""How far one question is followed before it is given up."""

_SOLVED: Final = "kOptimal"
_IMPOSSIBLE: Final = ("kInfeasible", "kUnboundedOrInfeasible")


def is_installed() -> bool:
    """Whether the solver is there."""
    return find_spec(PACKAGE) is not None


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of nodes and kinds of pods beforehand.

    Attributes:
        nodes: their names.
        kinds: how many pods there are of each kind.
        needed: how many pods have to be placed.
        most: by node, how many pods of each kind it takes by themselves.
        amounts: by resource, what a pod of each kind asks for.
        free: by resource, what each node has left.
        same_node: kinds whose pods have to be on one node, all of them.
    """

    nodes: tuple[str, ...]
    kinds: Mix
    needed: int
    most: Mapping[str, Mix]
    amounts: Mapping[str, tuple[int, ...]]
    free: Mapping[str, Mapping[str, int]]
    same_node: tuple[tuple[int, ...], ...] = ()


class Packing:
    """One question to the solver, asked again as more is forbidden. Alive only inside one search."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._solver = _solver()
        self._place = {
            (node, kind): self._variable(limits.most[node][kind])
            for node in limits.nodes
            for kind in range(len(limits.kinds))
        }
        self._limit()

    def solve(self) -> Mapping[str, Mix] | Literal["impossible", "given-up"]:
        """How many pods of each kind on each node; nodes without any are left out."""
        self._solver.run()
        status = self._solver.getModelStatus().name
        if status in _IMPOSSIBLE:
            return "impossible"
        if status != _SOLVED:
            return "given-up"
        values = self._solver.getSolution().col_value
        mixes = (
            (node, tuple(round(values[self._place[node, kind]]) for kind in range(len(self._limits.kinds))))
            for node in self._limits.nodes
        )
        return {node: mix for node, mix in mixes if any(mix)}

    def forbid(self, node: str, mix: Mix) -> None:
        """So many pods of each kind, or more, are too much for the node: one kind at least has to have fewer."""
        asked = [kind for kind, count in enumerate(mix) if count]
        if len(asked) == 1:
            self._row(0, mix[asked[0]] - 1, {self._place[node, asked[0]]: 1})
            return
        fewer = {kind: self._variable(1) for kind in asked}
        self._row(1, len(asked), dict.fromkeys(fewer.values(), 1))
        for kind, switch in fewer.items():
            most = self._limits.kinds[kind]
            self._row(0, most, {self._place[node, kind]: 1, switch: most - mix[kind] + 1})

    def _limit(self) -> None:
        limits = self._limits
        everywhere = dict.fromkeys(self._place.values(), 1)
        self._row(limits.needed, limits.needed, everywhere)
        for kind, count in enumerate(limits.kinds):
            self._row(0, count, {self._place[node, kind]: 1 for node in limits.nodes})
        for resource, amounts in limits.amounts.items():
            for node in limits.nodes:
                self._limit_resource(node, amounts, limits.free[resource].get(node))
        for kinds in limits.same_node:
            self._on_one_node(kinds)

    def _limit_resource(self, node: str, amounts: Sequence[int], free: int | None) -> None:
        """Shares of what is free, so that bytes and cores weigh alike."""
        if free is None or not any(amounts):
            return
        share = max(free, 1)
        terms = {self._place[node, kind]: units / share for kind, units in enumerate(amounts) if units}
        self._row(0, free / share, terms)

    def _on_one_node(self, kinds: Sequence[int]) -> None:
        here = {node: self._variable(1) for node in self._limits.nodes}
        self._row(0, 1, dict.fromkeys(here.values(), 1))
        for kind in kinds:
            for node, switch in here.items():
                most = self._limits.kinds[kind]
                self._row(-most, 0, {self._place[node, kind]: 1, switch: -most})

    def _variable(self, most: int) -> int:
        """A whole number from 0."""
        place = int(self._solver.getNumCol())
        self._solver.addIntegral(lb=0, ub=most)
        return place

    def _row(self, least: float, most: float, terms: Mapping[int, float]) -> None:
        self._solver.addRow(least, most, len(terms), list(terms), list(terms.values()))


def _solver() -> Any:
    """A solver that prints nothing and always takes the same way. Raises ImportError where it is not installed."""
    import highspy

    options = highspy.HighsOptions()
    options.output_flag = False
    options.threads = 1
    options.random_seed = 1
    options.mip_max_nodes = MOST_BRANCHES

    # The callbacks that it would enable greet on standard output; nobody here listens to them.
    quiet: Any = type("Quiet", (highspy.Highs,), {"enableCallbacks": lambda _: None})
    solver = quiet()
    solver.passOptions(options)
    return solver
