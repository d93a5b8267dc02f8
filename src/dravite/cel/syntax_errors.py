"""What to say about a text that is no expression.

People search for Kubernetes' messages, so this reader fails the way Kubernetes' generated parser fails: it looks ahead
as far, drops or invents a token where that mends the text, and skips to where the rules around can go on. What was
read is still looked at for faults in its meaning, because they are reported together. Speed is no concern here.
"""

from __future__ import annotations

from typing import Final

from dravite.cel.choices import Fork, choose
from dravite.cel.errors import Fault
from dravite.cel.grammar import END, RULE_END, Call, Edge, State, grammar, in_words
from dravite.cel.lexer import LexicalFault, Token
from dravite.cel.parse_tree import Node, meaning_faults
from dravite.cel.recursion import MAX_DEPTH, make_room

TOO_DEEP: Final = f"expression recursion limit exceeded: {MAX_DEPTH}"
_SHALLOW: Final = 15
"""Levels of nesting that this reader can take without extra room."""
_MAX_REPORTS: Final = 100
_MAX_RECOVERIES: Final = 30
_MAX_SKIPPED: Final = 256
_KEYWORD_VALUES: Final = ("true", "false", "null")
_WRAPPING: Final = frozenset({"relation", "calc", "suffix"})
"""Loops whose every round makes a new node of what was read so far."""
_BRANCHING: Final = frozenset({"unary", "member", "primary", "literal"})


class _Rejected(Exception):  # noqa: N818 - it never leaves this module
    """The rule at hand cannot go on; `message` is what to say, at `token`."""

    def __init__(self, token: Token, message: str) -> None:
        super().__init__(message)
        self.token = token
        self.message = message


class _Enough(Exception):  # noqa: N818 - it never leaves this module
    """The reader gives up."""


def explain(source: str, tokens: tuple[Token, ...], lexical: tuple[LexicalFault, ...]) -> list[Fault]:
    """Every fault of the syntax, at least one, and the faults in what could be read."""
    reader = _Reader(source, tokens, lexical)
    try:
        for fault in lexical:
            reader.report(fault.offset, f"token recognition error at: '{fault.text}'")
        tree = reader.rule(Call("start", 0))
    except _Enough:
        return reader.faults
    return reader.faults + meaning_faults(tree)


class _Reader:
    """Walks the grammar's graph along the tokens.

    `follows` says where the rules around go on, `state` where in the grammar the reader stands, and `recovering` that
    the last fault has not been overcome, so that nothing is reported.
    """

    def __init__(self, source: str, tokens: tuple[Token, ...], lexical: tuple[LexicalFault, ...]) -> None:
        self.source = source
        self.tokens = tokens
        self.lexical = lexical
        self.grammar = grammar()
        self.faults: list[Fault] = []
        self.position = 0
        self.follows: list[State] = []
        self.depths: dict[str, int] = {}
        self.state = self.grammar.starts["start"]
        self.recovering = False
        self.error_position = -1
        self.error_states: set[State] = set()
        self.recoveries = 0

    def ahead(self, distance: int = 1) -> Token:
        return self.tokens[min(self.position + distance - 1, len(self.tokens) - 1)]

    def consume(self) -> Token:
        token = self.ahead()
        if token.kind != END:
            self.position += 1
        return token

    def report(self, offset: int, message: str) -> None:
        if len(self.faults) >= _MAX_REPORTS:
            self.faults.append(Fault(offset, f"Syntax error: More than {_MAX_REPORTS} syntax errors"))
            raise _Enough
        self.faults.append(Fault(offset, f"Syntax error: {message}"))

    def report_once(self, message: str) -> None:
        """Report a fault at the next token, unless the reader is still busy with another one."""
        if not self.recovering:
            self.recovering = True
            self.report(self.ahead().offset, message)

    def matched(self) -> None:
        self.recovering = False
        self.error_states.clear()
        self.error_position = -1

    # Rules

    def rule(self, call: Call) -> Node:
        name = call.rule
        depth = self.depths[name] = self.depths.get(name, 0) + 1
        if depth > _SHALLOW:
            make_room()
        if depth > MAX_DEPTH:
            self.faults.append(Fault(None, TOO_DEEP))
            raise _Enough
        invoking = self.state
        progress = [Node(name, self.ahead())]
        try:
            state = self.grammar.starts[name]
            while state.edges:
                state = self.step(state, call.precedence, progress).target
        except _Rejected as rejected:
            if not self.recovering:
                self.recovering = True
                self.report(rejected.token.offset, rejected.message)
            self.recover()
        self.depths[name] = depth - 1
        self.state = invoking
        return progress[-1]

    def step(self, state: State, precedence: int, progress: list[Node]) -> Edge:
        """Go along one edge; the last node of `progress` takes what is read."""
        self.state = state
        node = progress[-1]
        if state.kind != "plain":
            self.sync(state)
            choice = self.choose(state, precedence)
            if choice == 0 and state.decision in _WRAPPING:
                progress.append(Node(node.rule, node.start, [(node.rule, node)]))
            elif state.decision in _BRANCHING:
                node.choice = choice
            return state.edges[choice]
        edge = state.edges[0]
        if isinstance(edge.label, Call):
            self.follows.append(edge.target)
            node.parts.append((edge.label.rule, self.rule(edge.label)))
            self.follows.pop()
        elif edge.label is not None:
            node.parts.append(self.match(edge))
        return edge

    def choose(self, state: State, precedence: int) -> int:
        choice = choose(state, precedence, self.ahead)
        if isinstance(choice, Fork):
            raise self.no_choice(choice)
        return choice

    def match(self, edge: Edge) -> tuple[str, Token]:
        token = self.ahead()
        if isinstance(edge.label, frozenset) and token.kind in edge.label:
            self.matched()
            self.consume()
            return token.kind, token
        return self.mend(edge)

    # Recovery

    def expected(self) -> frozenset[str]:
        return self.grammar.expected(self.state, self.follows)

    def sync(self, state: State) -> None:
        """Before a choice: see that the next token fits, or drop what does not."""
        possible = self.grammar.next_tokens(state)
        if self.recovering or RULE_END in possible or self.ahead().kind in possible:
            return
        if state.kind == "choice":
            if not self.drop_one():
                raise self.mismatch()
            return
        self.report_unwanted()
        self.skip_to(self.expected() | self.recovery_set(), _MAX_SKIPPED * 1000)

    def mend(self, edge: Edge) -> tuple[str, Token]:
        """The wanted token, found behind a superfluous one or made up where it is missing."""
        self.count_recovery()
        if self.drop_one():
            token = self.consume()
            return token.kind, token
        token = self.ahead()
        if token.kind not in self.grammar.expected(edge.target, self.follows):
            raise self.mismatch()
        wanted = self.expected()
        self.report_once(f"missing {in_words(wanted)} at {_quoted(token.text)}")
        place = self.tokens[self.position - 1] if token.kind == END and self.position else token
        kind = min(wanted)
        return kind, Token(kind, f"<missing {in_words(wanted)}>", place.offset)

    def drop_one(self) -> bool:
        """Drop the next token if the one behind it fits."""
        if self.ahead(2).kind not in self.expected():
            return False
        self.report_unwanted()
        self.consume()
        self.matched()
        return True

    def report_unwanted(self) -> None:
        shown = _quoted(self.ahead().text)
        self.report_once(f"extraneous input {shown} expecting {in_words(self.expected())}")

    def mismatch(self) -> _Rejected:
        token = self.ahead()
        wanted = in_words(self.expected())
        return _Rejected(token, f"mismatched input {_quoted(token.text)} expecting {wanted}")

    def no_choice(self, fork: Fork) -> _Rejected:
        """No way fits the tokens of the fork."""
        start, token = fork
        if start.kind == END:
            return _Rejected(token, f"no viable alternative at input '{END}'")
        text = self.text_between(start.offset, token.offset + (0 if token.kind == END else len(token.text)))
        if text[1:] in _KEYWORD_VALUES:
            return _Rejected(token, f"mismatched input '{text[1:]}' expecting IDENTIFIER")
        return _Rejected(token, f"no viable alternative at input {_quoted(text)}")

    def text_between(self, start: int, end: int) -> str:
        """The source without what is no token."""
        pieces: list[str] = []
        for fault in self.lexical:
            if start <= fault.offset < end:
                pieces.append(self.source[start : fault.offset])
                start = fault.offset + len(fault.text)
        return "".join(pieces) + self.source[start:end]

    def count_recovery(self) -> None:
        if self.recoveries == _MAX_RECOVERIES:
            self.report(self.ahead().offset, f"error recovery attempt limit exceeded: {_MAX_RECOVERIES}")
            raise _Enough
        self.recoveries += 1

    def recover(self) -> None:
        """Skip to a token with which some rule around can go on."""
        self.count_recovery()
        allowed = _MAX_SKIPPED
        if self.error_position == self.position and self.state in self.error_states:
            self.consume()
            allowed -= 1
        self.error_position = self.position
        self.error_states.add(self.state)
        self.skip_to(self.recovery_set(), allowed)

    def recovery_set(self) -> frozenset[str]:
        tokens = {token for follow in self.follows for token in self.grammar.next_tokens(follow)}
        return frozenset(tokens - {RULE_END})

    def skip_to(self, kinds: frozenset[str], allowed: int) -> None:
        while self.ahead().kind != END and self.ahead().kind not in kinds:
            if allowed == 0:
                self.faults.append(Fault(None, f"error recovery token lookahead limit exceeded: {_MAX_SKIPPED}"))
                raise _Enough
            allowed -= 1
            self.consume()


def _quoted(text: str) -> str:
    return "'" + text.replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r") + "'"
