"""What was meant by a selector that does not compile: the usual slips mended, where the result does compile.

Text in, text out. Whether devices match then is not known here. Slips that compile as well, and fail on a device, are
mended by the same functions for those who can try the result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

from dravite.api.near import nearest
from dravite.cel.compile import compile_selector
from dravite.cel.environment import STORED
from dravite.cel.errors import CelError
from dravite.cel.types import DEVICE

Mend: TypeAlias = Callable[[str], str]

_LONGEST: Final = 2_000
_ROUNDS: Final = 4

_STRING: Final = r"\"[^\"\\\n]*+\"|'[^'\\\n]*+'"
_NAME: Final = r"[A-Za-z_][A-Za-z0-9_]*+"
_PATH: Final = rf"device\.(?:attributes|capacity)\[(?:{_STRING})\](?:\.{_NAME}(?!\()|\[(?:{_STRING})\])"
_CALL: Final = rf"(?:quantity|semver)\((?:{_STRING})\)"
_AMOUNT: Final = r"[0-9]++(?:\.[0-9]++)?(?:[KMGTPE]i|[kMGTPE])?(?![A-Za-z0-9_.])"
_ORDER: Final = r"(==|!=|<=|>=|<|>)"

_CURLY: Final = str.maketrans(dict.fromkeys("\u201c\u201d\u201e", '"') | dict.fromkeys("\u2018\u2019", "'"))
_OPERATORS: Final[Mapping[str, str]] = {
    "===": "==",
    "!==": "!=",
    "=": "==",
    "&": "&&",
    "|": "||",
    "and": "&&",
    "or": "||",
    "not ": "!",
}
_OTHER_LANGUAGES: Final[Mapping[str, str]] = {
    "toLower": "lowerAscii",
    "toLowerCase": "lowerAscii",
    "toUpper": "upperAscii",
    "toUpperCase": "upperAscii",
    "hasPrefix": "startsWith",
    "hasSuffix": "endsWith",
    "len": "size",
    "length": "size",
    "compare": "compareTo",
}
"""What other languages call a function that CEL has."""

_FUNCTIONS: Final = (
    *("all", "compareTo", "contains", "endsWith", "exists", "has", "includes", "isGreaterThan", "isLessThan"),
    *("lowerAscii", "matches", "orValue", "quantity", "semver", "size", "split", "startsWith", "upperAscii"),
)
"""What selectors of devices call."""

_OPERATOR: Final = re.compile(
    rf"({_STRING})|(===|!==|(?<![=!<>])=(?!=)|(?<!&)&(?!&)|(?<!\|)\|(?!\|)"
    r"|(?<=[\s)\]\"'])(?:and|or)(?=\s)|\bnot (?=\S))",
    re.IGNORECASE,
)
_QUALIFIED_KEY: Final = re.compile(rf"(device\.(?:attributes|capacity))\[([\"'])([^\"'/\n]++)/({_NAME})\2\]")
_DOTTED_DOMAIN: Final = re.compile(rf"(device\.(?:attributes|capacity))((?:\.{_NAME}){{2,}})\.({_NAME})(?!\()")
_BARE_CONSTANT: Final = re.compile(r"\b(quantity|semver)\(\s*+([0-9][A-Za-z0-9.]*+)\s*+\)")
_SHORT_VERSION: Final = re.compile(r"\bsemver\(([\"'])v?([0-9]++)(\.[0-9]++)?+\1\)")
_BYTES: Final = re.compile(r"\bquantity\(([\"'])([0-9.]++)[ ]?([kKMGTPE]i?)[bB]?\1\)")
_LITERAL_ORDER: Final = re.compile(rf"({_PATH})\s*+{_ORDER}\s*+({_STRING}|{_AMOUNT})")
_TYPED_ORDER: Final = re.compile(rf"({_PATH}|{_CALL})\s*+{_ORDER}\s*+({_PATH}|{_CALL})(?!\.)")
_DOTTED: Final = r"[A-Za-z][A-Za-z0-9_-]*+(?:\.[A-Za-z0-9_-]++)++"
_BARE_KEY: Final = re.compile(rf"(device\.(?:attributes|capacity)\[)({_DOTTED})\]")
_BARE_TEXT: Final = re.compile(rf"(==|!=)\s*+(?!device\.)({_DOTTED})(?=\s|\)|\Z)")
_HAS_KEY: Final = re.compile(rf"\bhas\((device\.(?:attributes|capacity)\[(?:{_STRING})\])\[([\"'])({_NAME})\2\]\)")
_SET: Final = re.compile(rf"\bin\s++(?:\(([^()\n]*+)\)|((?:{_STRING})(?:\s*+,\s*+(?:{_STRING}))++))")
_GLOB: Final = re.compile(r"\.matches\(([\"'])(\*[^\"'\n]*+)\1\)")
_VALUE: Final = re.compile(rf"(device\.capacity\[(?:{_STRING})\]\.{_NAME})\.value\b(?!\()")
_WORD_BETWEEN: Final = re.compile(rf"({_PATH})\s++(contains|matches|startsWith|endsWith)\s++({_STRING})")
_LITERAL: Final = rf"(?:{_STRING}|[0-9]++)(?!\s*+[=.!<>])"
_ALTERNATIVES: Final = re.compile(rf"({_PATH})\s*+==\s*+({_LITERAL}(?:\s*+\|\|\s*+{_LITERAL})++)")
_OR: Final = re.compile(r"\s*+\|\|\s*+")
_METHOD: Final = re.compile(rf"(device\.capacity\S*?\.(?:compareTo|isGreaterThan|isLessThan)\()({_STRING})\)")
_UNDEFINED: Final = re.compile(r"undefined field '([^']++)'|undeclared reference to '([^']++)'")


def mended(expression: str) -> str | None:
    """The expression as it was probably meant, if it compiles then; None where nobody can tell."""
    if len(expression) > _LONGEST:
        return None
    others = (candidate for candidate in dict.fromkeys(_candidates(expression)) if candidate != expression)
    return next((candidate for candidate in others if _compiles(candidate)), None)


def with_domain(expression: str) -> str | None:
    """`device.attributes.gpu.example.com.model` with its domain in brackets; it compiles without, and fails."""
    return _other(expression, _dotted_domain(expression))


def with_constants(expression: str) -> str | None:
    """`quantity("40 GB")` and `semver("8.0")` as constants that can be read; they compile without, and fail."""
    return _other(expression, _constants(expression))


def _other(expression: str, better: str) -> str | None:
    return better if better != expression and _compiles(better) else None


def _compiles(expression: str) -> bool:
    return len(expression) <= _LONGEST and not isinstance(compile_selector(expression), CelError)


def _candidates(expression: str) -> Iterator[str]:
    """One slip mended, then all of them, with names put right on the way."""
    for mend in _MENDS:
        yield _constants(mend(expression))
    text = expression
    for mend in _MENDS:
        text = mend(text)
    yield text
    for _ in range(_ROUNDS):
        named = _other_name(text)
        if named is None:
            return
        text = named
        yield text


def _straight_quotes(text: str) -> str:
    return text.translate(_CURLY)


def _operators(text: str) -> str:
    """`=`, `and` and the like as CEL writes them; what stands in quotes stays."""
    return _OPERATOR.sub(lambda found: found[1] or _OPERATORS[found[2].lower()], text)


def _constants(text: str) -> str:
    """`quantity(40Gi)` and `semver("8.0")` with quotes and all three numbers, `40GB` without its bytes."""
    text = _BARE_CONSTANT.sub(r'\1("\2")', text)
    text = _SHORT_VERSION.sub(lambda found: f'semver("{found[2]}{found[3] or ".0"}.0")', text)
    return _BYTES.sub(lambda found: f'quantity("{found[2]}{_unit(found[3])}")', text)


def _unit(text: str) -> str:
    return "k" if text == "K" else text


def _bare_words(text: str) -> str:
    """A domain or a text without its quotes."""
    return _BARE_TEXT.sub(r'\1 "\2"', _BARE_KEY.sub(r'\1"\2"]', text))


def _presence(text: str) -> str:
    """`has(map["name"])`: it asks for a field, `has(map.name)`."""
    return _HAS_KEY.sub(r"has(\1.\3)", text)


def _globs(text: str) -> str:
    """`matches("*H100*")`: a pattern of CEL has `.*` where a shell has `*`."""
    return _GLOB.sub(lambda found: f".matches({found[1]}{found[2].replace('*', '.*')}{found[1]})", text)


def _sets(text: str) -> str:
    """`path in ("a", "b")`: a list has square brackets."""
    return _SET.sub(lambda found: f"in [{found[1] if found[1] is not None else found[2]}]", text)


def _qualified_key(text: str) -> str:
    """`device.attributes["domain/name"]`: domain and name are two keys."""
    return _QUALIFIED_KEY.sub(r"\1[\2\3\2].\4", text)


def _dotted_domain(text: str) -> str:
    """`device.attributes.gpu.example.com.model`: a domain with dots stands in brackets and quotes."""
    return _DOTTED_DOMAIN.sub(lambda found: f'{found[1]}["{found[2][1:]}"].{found[3]}', text)


def _values(text: str) -> str:
    return _VALUE.sub(r"\1", text)


def _comparisons(text: str) -> str:
    """Quantities and versions are compared by a method: `path.compareTo(quantity("40Gi")) >= 0`."""
    text = _METHOD.sub(r"\1quantity(\2))", _LITERAL_ORDER.sub(_with_quantity, text))
    return _TYPED_ORDER.sub(_with_method, text)


def _with_quantity(found: re.Match[str]) -> str:
    path, order, literal = found.groups()
    amount = literal.strip("\"'")
    is_amount = path.startswith("device.capacity") or not (literal[0] in "\"'" or amount.replace(".", "").isdigit())
    return f'{path} {order} quantity("{amount}")' if is_amount else found[0]


def _with_method(found: re.Match[str]) -> str:
    left, order, right = found.groups()
    both = left.startswith("device.attributes") and right.startswith("device.attributes")
    return found[0] if both else f"{left}.compareTo({right}) {order} 0"


def _words_between(text: str) -> str:
    return _WORD_BETWEEN.sub(r"\1.\2(\3)", text)


def _alternatives(text: str) -> str:
    """`path == "a" || "b"`: one of several values is `path in ["a", "b"]`."""
    return _ALTERNATIVES.sub(lambda found: f"{found[1]} in [{_OR.sub(', ', found[2])}]", text)


def _other_name(text: str) -> str | None:
    """The text with the first name that does not exist put right; None where there is none, or none like it."""
    error = compile_selector(text)
    found = _UNDEFINED.search(error.message) if isinstance(error, CelError) else None
    if found is None:
        return None
    wrong = found[1] or found[2]
    fields = STORED.fields(DEVICE.name) or {}
    if found[2] in fields:
        return re.sub(rf"(?<![.\w]){re.escape(wrong)}\b", f"device.{wrong}", text, count=1)
    right = _OTHER_LANGUAGES.get(wrong) or nearest(wrong, fields if found[1] else _FUNCTIONS)
    return re.sub(rf"(?<![\"'\w]){re.escape(wrong)}\b", right, text, count=1) if right else None


_MENDS: Final[tuple[Mend, ...]] = (
    _straight_quotes,
    _operators,
    _constants,
    _bare_words,
    _presence,
    _globs,
    _sets,
    _qualified_key,
    _dotted_domain,
    _values,
    _alternatives,
    _words_between,
    _comparisons,
)
