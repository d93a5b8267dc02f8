"""Ranges of sizes and costs, with Kubernetes' arithmetic: 64 bits, and what does not fit is the largest number."""

from __future__ import annotations

import math
from typing import Final

import msgspec

UNBOUNDED: Final = 2**64 - 1


class Bounds(msgspec.Struct, frozen=True):
    """At least so much, at most so much."""

    least: int
    most: int

    def plus(self, other: Bounds) -> Bounds:
        return Bounds(min(self.least + other.least, UNBOUNDED), min(self.most + other.most, UNBOUNDED))

    def times(self, other: Bounds) -> Bounds:
        return Bounds(min(self.least * other.least, UNBOUNDED), min(self.most * other.most, UNBOUNDED))

    def scaled(self, factor: float) -> Bounds:
        """Times a factor, rounded up."""
        return Bounds(_scaled(self.least, factor), _scaled(self.most, factor))

    def union(self, other: Bounds) -> Bounds:
        """The smallest range that covers both."""
        return Bounds(min(self.least, other.least), max(self.most, other.most))


def exactly(amount: int) -> Bounds:
    return Bounds(amount, amount)


UNKNOWN: Final = Bounds(0, UNBOUNDED)
NOTHING: Final = Bounds(0, 0)
ONE: Final = Bounds(1, 1)


def _scaled(amount: int, factor: float) -> int:
    product = float(amount) * factor
    if product >= 2.0**64:
        return UNBOUNDED
    return math.ceil(product)
