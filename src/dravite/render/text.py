"""A report as lines for a terminal or a pipe. Decides layout and colour and nothing else.

Sentences are broken to the width only where there is one; what Kubernetes says, source lines and commands are never
broken, so that they can be copied and searched for.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from dravite.api.document import Problem
from dravite.render import words
from dravite.render.report import (
    Block,
    ClaimsReport,
    ExplainReport,
    GroupRow,
    Hint,
    LintReport,
    PlanReport,
    PodGroupReport,
    PodReport,
    PoolsReport,
    Row,
    State,
    WhatIfReport,
)
from dravite.render.view.sight import location

GAP: Final = "   "
PROBLEM_PLACES: Final = 4
PODS_SHOWN: Final = 8
PLACED: Final = ("scheduled", "running")

_COLOURS: Final = {
    "scheduled": "32",
    "running": "32",
    "unschedulable": "31",
    "aborted": "31",
    "waiting": "33",
    "no-answer": "33",
    "error": "31",
    "warning": "33",
    "info": "36",
    "hint": "36",
    "note": "36",
    "strong": "1",
}


class Style(msgspec.Struct, frozen=True):
    """How to lay out: `width` None keeps sentences whole; `fold` is off under --all."""

    width: int | None = None
    colour: bool = False
    fold: bool = True

    def paint(self, text: str, tone: str) -> str:
        """Colour says again what the word says already."""
        code = _COLOURS.get(tone) if self.colour else None
        return f"\x1b[{code}m{text}\x1b[0m" if code else text

    def fill(self, text: str, indent: str = "", hanging: str | None = None) -> list[str]:
        hanging = indent if hanging is None else hanging
        if self.width is None:
            return [indent + text]
        return textwrap.wrap(
            text,
            max(self.width, 40),
            initial_indent=indent,
            subsequent_indent=hanging,
            break_long_words=False,
            break_on_hyphens=False,
        ) or [indent.rstrip()]


def plan_text(report: PlanReport, style: Style) -> str:
    """What `dravite plan` prints."""
    parts = [
        "".join(f"{line}\n" for line in _rows_of_plan(report.rows, style)),
        *("".join(f"{line}\n" for line in _group_refusal(one, style)) for one in report.groups if _is_no(one.state)),
        *(
            "".join(f"{line}\n" for line in _refusal(one, style))
            for one in report.answers
            if _is_shown(one, report.groups)
        ),
        *_problems(report.problems, style),
        _notes(report.notes, style),
        "".join(f"{line}\n" for line in style.fill(report.summary)),
    ]
    if report.next_step:
        parts[-1] += f"Try: {report.next_step}\n"
    return _joined(parts)


def explain_text(report: ExplainReport, style: Style) -> str:
    """What `dravite explain` prints."""
    groups = [_joined([*_group_answer(one, style)]) for one in report.groups]
    answers = [_joined([*_answer(one, style)]) for one in report.pods]
    return _joined([*groups, *answers, *_problems(report.problems, style), _notes(report.notes, style)])


def what_if_text(report: WhatIfReport, style: Style) -> str:
    """What `dravite what-if` prints: the answer, why not, what becomes of whom, and what does not change."""
    head = "".join(f"{style.paint(line, 'strong')}\n" for line in style.fill(report.headline))
    return _joined(
        [
            head,
            *_reasons(report, style),
            *("".join(f"{line}\n" for line in _block(block, style)) for block in report.blocks),
            *(
                "".join(f"{line}\n" for line in _refusal(one, style))
                for one in report.refusals
                if _is_shown(one, report.groups)
            ),
            *_problems(report.problems, style),
            _notes(report.notes, style),
            "".join(f"{line}\n" for line in style.fill(report.summary) if report.summary),
        ]
    )


def _reasons(report: WhatIfReport, style: Style) -> Iterator[str]:
    """Why not, in full for the pods that were asked about, and in short for groups where none were."""
    for group in report.groups:
        if _is_no(group.state) and report.answers:
            yield _joined(_group_answer(group, style))
        elif _is_no(group.state):
            yield "".join(f"{line}\n" for line in _group_refusal(group, style))
    asked = [one for one in report.answers if _is_shown(one, report.groups)]
    lone = len(report.answers) == 1 and len(report.answers[0].decisions) == 1
    for one in asked:
        yield from _support(one, style) if lone else _answer(one, style)


def pools_text(report: PoolsReport, style: Style) -> str:
    """What `dravite pools` prints."""
    blocks = ["".join(f"{line}\n" for line in _block(block, style, "strong")) for block in report.pools]
    summary = "".join(f"{line}\n" for text in report.summary for line in style.fill(text))
    return _joined([*blocks, *_problems(report.problems, style), _notes(report.notes, style), summary])


def claims_text(report: ClaimsReport, style: Style) -> str:
    """What `dravite claims` prints."""
    claims = "".join(f"{line}\n" for block in report.claims for line in _block(block, style, "strong"))
    summary = "".join(f"{line}\n" for line in style.fill(report.summary))
    return _joined([claims, *_problems(report.problems, style), _notes(report.notes, style), summary])


def lint_text(report: LintReport, style: Style) -> str:
    """What `dravite lint` prints: as problems elsewhere, with the code that `--explain` takes."""
    coded = [msgspec.structs.replace(one, message=f"{one.message} [{one.type}]") for one in report.problems]
    summary = "".join(f"{line}\n" for line in style.fill(report.summary))
    if report.next_step:
        summary += f"Try: {report.next_step}\n"
    return _joined([*_problems(coded, style), _notes(report.notes, style), summary])


def blocks_text(blocks: Sequence[Block], style: Style) -> str:
    """Blocks alone, the first of them as a headline."""
    tones = ("strong", *[""] * len(blocks))
    parts = (
        "".join(f"{line}\n" for line in _block(block, style, tone)) for block, tone in zip(blocks, tones, strict=False)
    )
    return _joined(parts)


def problems_text(problems: Sequence[Problem], style: Style) -> str:
    """The problems alone, for answers whose stdout belongs to another program."""
    return _joined(list(_problems(problems, style)))


def _joined(parts: Iterable[str]) -> str:
    return "\n".join(part for part in parts if part)


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows with their cells padded to line up; the last cell of a row is never padded."""
    widths: list[int] = []
    for row in rows:
        for index, cell in enumerate(row[:-1]):
            if index == len(widths):
                widths.append(0)
            widths[index] = max(widths[index], len(cell))
    return [GAP.join([*(cell.ljust(widths[i]) for i, cell in enumerate(row[:-1])), *row[-1:]]).rstrip() for row in rows]


def _rows_of_plan(rows: Sequence[GroupRow], style: Style) -> Iterator[str]:
    cells = [
        (row.name, f"{row.placed}/{row.total} {words.bent(row.total, 'pod')}", row.state, row.where, row.devices)
        for row in rows
    ]
    for row, line, last in zip(rows, columns(cells), cells, strict=True):
        shown = _row(Row(last), line, "", style)
        for number, text in enumerate(shown):
            before, state, after = text.partition(row.state) if number == 0 else (text, "", "")
            yield before + style.paint(state, row.state) + after
        yield from _pod_lines(row, style)


def _pod_lines(row: GroupRow, style: Style) -> Iterator[str]:
    shown = row.pods[:PODS_SHOWN] if style.fold else row.pods
    for pod, line in zip(shown, columns([pod.cells for pod in shown]), strict=True):
        yield from _row(pod, line, "  ", style)
    if len(shown) < len(row.pods):
        yield f"  … and {len(row.pods) - len(shown)} more; --all shows them"


def _is_no(state: State) -> bool:
    return state not in PLACED


def _is_shown(one: PodReport, groups: Sequence[PodGroupReport]) -> bool:
    """Pods without a place; those that only repeat what their group is told are left to it."""
    return _is_no(one.state) and not (one.by_group and groups)


def _group_refusal(one: PodGroupReport, style: Style) -> Iterator[str]:
    yield from style.fill(one.headline)
    for text in one.brief:
        yield from style.fill(text, "  ", "    ")


def _group_answer(one: PodGroupReport, style: Style) -> Iterator[str]:
    """Answer, evidence, next step, in that order."""
    yield "".join(f"{style.paint(line, 'strong')}\n" for line in style.fill(one.headline))
    for block in one.blocks:
        yield "".join(f"{line}\n" for line in _block(block, style))
    yield "".join(f"{line}\n" for line in _hints(one.hints, style))
    tail = [f"{one.upstream[0]} says: {one.upstream[1]}"] if one.upstream else []
    tail += style.fill(one.certainty) if one.certainty else []
    yield "".join(f"{line}\n" for line in tail)


def _refusal(one: PodReport, style: Style) -> Iterator[str]:
    yield from style.fill(one.headline)
    for text in one.brief:
        yield from style.fill(text, "  ", "    ")
    for note in one.notes:
        yield from _labelled("note", note, style)


def _answer(one: PodReport, style: Style) -> Iterator[str]:
    """Answer, evidence, next step, in that order."""
    yield "".join(f"{style.paint(line, 'strong')}\n" for line in style.fill(one.headline))
    yield from _support(one, style)


def _support(one: PodReport, style: Style) -> Iterator[str]:
    """Everything but the answer itself."""
    for block in one.blocks:
        yield "".join(f"{line}\n" for line in _block(block, style))
    yield "".join(f"{line}\n" for line in _hints(one.hints, style))
    yield _notes(one.notes, style)
    tail = []
    if one.upstream:
        speaker, saying = one.upstream
        tail.append(f"{speaker} says: {saying}")
    for said in one.said:
        tail.append(said.text)
        tail += style.fill(said.meaning, "  ") if said.meaning else []
    if one.certainty:
        tail += style.fill(one.certainty)
    yield "".join(f"{line}\n" for line in tail)


def _block(block: Block, style: Style, tone: str = "") -> Iterator[str]:
    if block.title:
        yield from (style.paint(line, tone) for line in style.fill(block.title))
    lines = columns([row.cells for row in block.rows])
    for number, (row, line) in enumerate(zip(block.rows, lines, strict=True), 1):
        yield from _row(row, line, f"  {number}. " if block.numbered else "  ", style)
    if block.folded:
        yield f"  … and {block.folded} more; --all shows them"


def _row(row: Row, line: str, lead: str, style: Style) -> Iterator[str]:
    """A row that is too wide is broken in its last cell, or before it where that keeps the cell whole.

    Where even the cells before are too wide, those that do not fit go to lines of their own.
    """
    width = style.width
    if width is None or len(lead) + len(line) <= width or not row.cells:
        yield lead + line
    else:
        before = lead + line[: len(line) - len(row.cells[-1])]
        if len(before.rstrip()) <= width or len(row.cells) == 1:
            yield from _broken(before, row.cells[-1], len(lead) + 2, style)
        else:
            yield from _cell_by_cell(row.cells, lead, style)
    yield from (" " * (len(lead) + 2) + text for text in row.source)


def _cell_by_cell(cells: Sequence[str], lead: str, style: Style) -> Iterator[str]:
    """As many cells to a line as there is room for, and further lines indented."""
    current, indent = lead + cells[0], " " * (len(lead) + 2)
    for cell in cells[1:]:
        if len(current) + len(GAP) + len(cell) <= (style.width or 0):
            current += GAP + cell
        else:
            yield from style.fill(current.strip(), " " * (len(current) - len(current.lstrip())), indent)
            current = indent + cell
    yield from style.fill(current.strip(), " " * (len(current) - len(current.lstrip())), indent)


def _broken(before: str, last: str, indent: int, style: Style) -> list[str]:
    width = style.width or 0
    if len(before) <= width // 2 and " " in last:
        return style.fill(last, before, " " * len(before))
    return [*([before.rstrip()] if before.strip() else []), *style.fill(last, " " * indent)]


def _hints(hints: Sequence[Hint], style: Style) -> Iterator[str]:
    if len(hints) == 1:
        yield from _labelled("hint", f"{hints[0].text} (planned, and it works)", style)
        if hints[0].command:
            yield f"      {hints[0].command}"
    elif hints:
        yield "Each of these was planned and works:"
        for letter, hint in zip("abcdefghijklmnopqrstuvwxyz", hints, strict=False):
            yield from style.fill(hint.text, f"  {letter}. ", "     ")
            if hint.command:
                yield f"     {hint.command}"


def _labelled(label: str, text: str, style: Style) -> list[str]:
    """`error: …` with lines hung below the text; lines after the first are somebody's source and stay as they are."""
    first, *more = text.splitlines() or [""]
    indent = " " * (len(label) + 2)
    lines = style.fill(first, f"{label}: ", indent)
    return [lines[0].replace(label, style.paint(label, label), 1), *lines[1:], *(indent + line for line in more)]


def _notes(notes: Sequence[str], style: Style) -> str:
    return "".join(f"{line}\n" for note in notes for line in _labelled("note", note, style))


def _problems(problems: Sequence[Problem], style: Style) -> Iterator[str]:
    """One paragraph per kind of fault, with the places where it was met."""
    groups: dict[tuple[str, ...], list[Problem]] = {}
    for problem in problems:
        groups.setdefault((problem.severity, problem.type, problem.message, problem.hint or ""), []).append(problem)
    for (severity, _, message, hint), members in groups.items():
        subject = _subject(members[0]) if len(members) == 1 else "each of these"
        whole = f"{subject} {message}" if _is_predicate(message) else message
        lines = _labelled(severity, whole, style)
        shown = members[:PROBLEM_PLACES] if style.fold else members
        lines += _places(shown, style)
        if len(shown) < len(members):
            lines.append(f"  … and {len(members) - len(shown)} more; --all shows them")
        if hint:
            lines += _labelled("hint", hint, style)
        yield "".join(f"{line}\n" for line in lines)


def _is_predicate(message: str) -> bool:
    """Whether a message is the rest of a sentence that begins with its object."""
    return message.split(" ", 1)[0] in ("is", "asks", "has", "names", "cannot")


def _subject(problem: Problem) -> str:
    return problem.object or problem.file or "the input"


def _places(problems: Sequence[Problem], style: Style) -> list[str]:
    """Where each one was met; a field that does not fit goes below its object."""
    lines = columns([_place(one) for one in problems])
    if style.width is None or all(len(line) + 2 <= style.width for line in lines):
        return [f"  {line}" for line in lines]
    cells = [_place(one) for one in problems]
    return [f"  {text}" for row in cells for text in (*columns([row[:2]]), *(f"  {cell}" for cell in row[2:]))]


def _place(problem: Problem) -> tuple[str, ...]:
    cells = [location(problem.file, problem.line), problem.object, problem.field or ""]
    return tuple(cell for cell in cells if cell)
