"""Rules about CEL: selectors of classes and requests (2.8), and derived attributes (2.5)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from dravite.api.field import child
from dravite.api.releases import Profile
from dravite.api.resource_v1 import DeviceConstraint, DeviceDerivedAttribute, DeviceSelector
from dravite.cel import OLDEST, CelError, Program, compile_derived_attribute, compile_selector, new_environment
from dravite.cel.representatives import representative
from dravite.validation import name_rules
from dravite.validation.faults import (
    Faults,
    declared,
    duplicate,
    forbidden,
    invalid,
    is_declared,
    required,
    too_long,
    too_many,
)
from dravite.validation.limits import limits

MAX_SELECTORS: Final = 32
MAX_DERIVED: Final = 32
MAX_LENGTH: Final = 10_240
MAX_COST: Final = 1_000_000


def selectors(items: tuple[DeviceSelector, ...], profile: Profile, path: str, *, stored: bool = False) -> Faults:
    """The selectors of a class or a request. Expressions that are `stored` are not compiled again."""
    if len(items) > MAX_SELECTORS:
        yield from declared((too_many(path, len(items), MAX_SELECTORS),))
        return
    for position, item in enumerate(items):
        place = child(path, position, "cel")
        if item.cel is None:
            yield required(place)
        elif not stored:
            yield from expression(item.cel.expression, profile, child(place, "expression"))


def expression(text: str, profile: Profile, path: str) -> Faults:
    """The expression of a selector."""
    limit = limits(profile).expression
    if limit is not None and len(text.encode()) > limit:
        yield too_long(path, limit)
        return
    oldest = not profile.is_at_least("1.32")
    found = _selector(representative(text), profile.features, oldest=oldest)
    if isinstance(found, CelError):
        found = _selector(text, profile.features, oldest=oldest)  # its words show the text
    if isinstance(found, CelError):
        yield invalid(path, text, found.message)
    elif limit is not None and _exceeds(found.max_cost, MAX_COST):
        yield forbidden(path, "too complex, exceeds cost limit")


def _exceeds(cost: int | None, limit: int) -> bool:
    return cost is None or cost > limit


@lru_cache(maxsize=4096)
def _selector(text: str, features: frozenset[str], *, oldest: bool) -> Program | CelError:
    return compile_selector(text, OLDEST if oldest else new_environment(features))


@lru_cache(maxsize=1024)
def _derived(text: str, features: frozenset[str]) -> Program | CelError:
    return compile_derived_attribute(text, new_environment(features))


def derived_attributes(
    items: tuple[DeviceDerivedAttribute, ...], named: frozenset[str], profile: Profile, path: str
) -> Faults:
    """The derived attributes of a request. `named` are the attributes that constraints on it speak of."""
    many = len(items) > MAX_DERIVED
    if many:
        yield from declared((too_many(path, len(items), MAX_DERIVED),))
    for position, item in enumerate(items):
        for error in _derived_attribute(item, named, profile, child(path, position)):
            if not many or not is_declared(error, profile):
                yield error
    seen: set[str] = set()
    for position, item in enumerate(items):
        if item.name in seen:
            yield duplicate(child(path, position), item.name)
        seen.add(item.name)


def _derived_attribute(item: DeviceDerivedAttribute, named: frozenset[str], profile: Profile, path: str) -> Faults:
    place = child(path, "name")
    if not item.name:
        yield from declared((required(place),))
    else:
        if item.name not in named:
            detail = (
                "must be referenced by at least one matchAttribute or distinctAttribute constraint "
                "targeting this request"
            )
            yield invalid(place, item.name, detail)
        yield from declared(name_rules.fully_qualified(place, item.name, profile))
    place = child(path, "expression")
    if not item.expression:
        yield from declared((required(place),))
    elif len(item.expression.encode()) > MAX_LENGTH:
        yield too_long(place, MAX_LENGTH)
    else:
        found = _derived(item.expression, profile.features)
        if isinstance(found, CelError):
            yield invalid(place, item.expression, found.message)
        elif _exceeds(found.max_cost, MAX_COST):
            yield forbidden(place, "too complex, exceeds cost limit")


def derived_cost(items: Iterable[DeviceDerivedAttribute], profile: Profile) -> int | None:
    """What all derived attributes of a claim cost together at worst; None when nothing bounds it."""
    total = 0
    for item in items:
        found = _derived(item.expression, profile.features) if len(item.expression) <= MAX_LENGTH else None
        if isinstance(found, Program):
            if found.max_cost is None:
                return None
            total += found.max_cost
    return total


def constrained(constraints: Iterable[DeviceConstraint], request: str) -> frozenset[str]:
    """The attributes that constraints on a request, or on all requests, speak of.

    `request` is `req` or `req/sub`; a constraint on the parent applies to its subrequests. Of a constraint with both
    kinds of attribute only `matchAttribute` counts. As in Kubernetes, an empty name applies to all but alternatives.
    """
    names = {request, request.rpartition("/")[0]}
    found = (
        item.match_attribute if item.match_attribute is not None else item.distinct_attribute
        for item in constraints
        if not item.requests or names & set(item.requests)
    )
    return frozenset(name for name in found if name is not None)
