"""`dravite completion SHELL`: a script made from the tables of commands and flags."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from dravite.cli import COMMANDS, flags
from dravite.cli.dispatch import UsageError
from dravite.cli.exit_codes import ExitCode


def run(given: list[str]) -> int:
    """Print the script for one shell."""
    if given and given[0] in ("-h", "--help"):
        from dravite.cli.arguments import parse

        parse("completion", given)
    if len(given) != 1 or given[0] not in SCRIPTS:
        message = "completion takes one shell: bash, zsh or fish"
        raise UsageError(message)
    sys.stdout.write(SCRIPTS[given[0]]())
    return ExitCode.YES


def _words(command: str) -> str:
    return " ".join(name for flag in flags.COMMAND_FLAGS[command] for name in flag.names)


def _choices() -> dict[str, list[str]]:
    """Fixed values → the flags that take them, each behind its command: `plan -o`."""
    found: dict[str, list[str]] = {}
    for command, mine in flags.COMMAND_FLAGS.items():
        for flag in mine:
            if flag.choices:
                found.setdefault(" ".join(flag.choices), []).extend(f"{command} {name}" for name in flag.names)
    return found


def bash() -> str:
    """Completes commands, flags, values of flags with fixed ones, and paths."""
    commands = " ".join(COMMANDS)
    values = "".join(
        f'    {"|".join(map(_bash, places))}) COMPREPLY=($(compgen -W "{words}" -- "$word")); return ;;\n'
        for words, places in _choices().items()
    )
    words = "".join(f'    {command}) words="{_words(command)}" ;;\n' for command in COMMANDS if _words(command))
    return f"""\
# bash completion for dravite; source it: source <(dravite completion bash)
_dravite() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{commands} --help --version" -- "$word")); return
  fi
  case "${{COMP_WORDS[1]}} $before" in
{values}    "completion completion") COMPREPLY=($(compgen -W "bash zsh fish" -- "$word")); return ;;
  esac
  case "${{COMP_WORDS[1]}}" in
{words}  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$words --help" -- "$word")) ;;
    *) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}}
complete -F _dravite dravite
"""


def _bash(text: str) -> str:
    return f'"{text}"'


def zsh() -> str:
    """Completes commands with what they do, flags with their help, and paths."""
    commands = "".join(f"    '{name}:{_quoted(text)}'\n" for name, (text, _) in COMMANDS.items())
    cases = "".join(
        f"    {command}) _arguments -s {' '.join(map(_zsh_flag, mine))} '*:path:_files' ;;\n"
        for command, mine in flags.COMMAND_FLAGS.items()
        if mine
    )
    return f"""\
#compdef dravite
# zsh completion for dravite; put it on your $fpath as _dravite, or: source <(dravite completion zsh)
_dravite() {{
  local -a commands
  commands=(
{commands}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local chosen=$words[2]
  shift words; (( CURRENT-- ))
  case "$chosen" in
{cases}    completion) _values shell bash zsh fish ;;
  esac
}}
compdef _dravite dravite
"""


def _quoted(text: str) -> str:
    return text.replace("'", "'\\''").replace(":", "\\:").replace("[", "\\[").replace("]", "\\]")


def _zsh_flag(flag: flags.Flag) -> str:
    spelled = f"'{{{','.join(flag.names)}}}'" if len(flag.names) > 1 else flag.names[0]
    star = "*" if flag.repeat else ""
    after = (
        ""
        if flag.metavar is None
        else f":{flag.metavar}:" + (f"({' '.join(flag.choices)})" if flag.choices else "_files")
    )
    return f"'{star}{spelled}[{_quoted(flag.help)}]{after}'"


def fish() -> str:
    """Completes commands with what they do, flags with their help and values, and paths."""
    lines = ["# fish completion for dravite; put it into ~/.config/fish/completions/dravite.fish"]
    for name, (text, _) in COMMANDS.items():
        lines.append(f"complete -c dravite -n __fish_use_subcommand -f -a {name} -d {_fish(text)}")
    for command in COMMANDS:
        lines += [_fish_flag(command, flag) for flag in flags.COMMAND_FLAGS[command]]
    lines.append("complete -c dravite -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'")
    return "\n".join(lines) + "\n"


def _fish(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _fish_flag(command: str, flag: flags.Flag) -> str:
    parts = [f"complete -c dravite -n '__fish_seen_subcommand_from {command}'"]
    parts += [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in flag.names]
    if flag.metavar is not None:
        parts.append(f"-x -a {_fish(' '.join(flag.choices))}" if flag.choices else "-r")
    return " ".join([*parts, f"-d {_fish(flag.help)}"])


SCRIPTS: Final[Mapping[str, Callable[[], str]]] = MappingProxyType({"bash": bash, "zsh": zsh, "fish": fish})
