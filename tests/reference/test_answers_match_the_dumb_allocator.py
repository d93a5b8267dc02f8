"""dravite's allocator and one that is too simple to be wrong give the same devices, or the same no."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings

from dravite.allocator.allocate import allocate
from tests.allocator.situations import N1, problem
from tests.reference import dumb_allocator
from tests.reference.questions import answer_of, claim_of, questions, stock_of


def both(question):
    ours = allocate(problem(stock_of(question), claim_of(question)), N1)
    return answer_of(ours, question), dumb_allocator.allocate(question)


@settings(max_examples=400, deadline=None)
@given(questions())
def test_the_answers_are_the_same(question):
    ours, theirs = both(question)
    assert ours == theirs


def test_the_questions_reach_every_kind_of_answer():
    seen: Counter[str] = Counter()

    @settings(max_examples=500, deadline=None, database=None, derandomize=True)
    @given(questions())
    def look(question):
        answer = dumb_allocator.allocate(question)
        seen["no" if answer is None else "yes"] += 1
        if answer is None:
            return
        used = [index for _, chosen in answer for index in chosen]
        seen["later alternative"] += any(wish for wish, _ in answer)
        seen["shared twice"] += len(used) > len(set(used))
        seen["out of order"] += used != sorted(used)
        seen["counter spent"] += sum(question.things[index].takes for index in set(used)) == question.left
        seen["constraint with several"] += any(
            sum(len(answer[number][1]) for number in bound) > 1 for bound in (question.match, question.distinct)
        )

    look()
    wanted = (
        "no",
        "yes",
        "later alternative",
        "shared twice",
        "out of order",
        "counter spent",
        "constraint with several",
    )
    assert {kind: seen[kind] for kind in wanted if seen[kind] < 8} == {}, seen
