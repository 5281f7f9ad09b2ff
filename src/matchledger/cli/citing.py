"""Commands that explain rule ids and rulebooks."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer

from matchledger.cli.files import piped_lines, read_text, write_file
from matchledger.cli.options import OUT, JsonOption
from matchledger.cli.session import Moment, Session, only_shown, reading, show, window_of
from matchledger.cli.tables import columns, fitted
from matchledger.notation.problems import UsageProblem
from matchledger.service.window import look
from matchledger_projections.document import document
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.catalogue import PolicyFlag, Rule
from matchledger_projections.rulebook.house import HouseRules, house_rulebook, house_rules
from matchledger_projections.rulebook.policies import Readings
from matchledger_projections.rulebook.rulebook import (
    Rulebook,
    RulebookError,
    parse_rulebook,
    rulebook_text,
    shipped_rulebooks,
)
from matchledger_projections.rulebook.scoring import points_text, unit_name
from matchledger_projections.rulebook.sections import UNWRITTEN
from matchledger_projections.views.catalogue import (
    EventPolicy,
    PoliciesPage,
    cited,
    grade_line,
    policy_asked,
    rulebook_lines,
    rules_asked,
    source_grade,
)
from matchledger_projections.views.catalogue import policies as policies_of


@only_shown()
def rules(
    id_: Annotated[
        str | None,
        typer.Argument(metavar="[RULE]", help="The id of a rule, or a policy such as POL-ALL-REPAIR."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Explain a rule id, or list every rule of the documents."""
    if as_json:
        typer.echo(json.dumps(document(cited(id_), Record()), ensure_ascii=False))
        return
    if (flag := policy_asked(id_)) is not None:
        for line in _policy_lines(flag):
            typer.echo(line)
        return
    found = rules_asked(id_)
    for title, of_it in groupby(found, key=lambda rule: rule.document):
        typer.echo(title)
        for line in columns(["Rule", "Says", ""], [[rule.id, rule.says, _state(rule)] for rule in of_it]):
            typer.echo(line)


def _policy_lines(flag: PolicyFlag) -> Iterator[str]:
    yield f"{flag.id} ({', '.join(flag.rules)})"
    yield flag.says
    rows = [
        [value, meaning, ", ".join(law for law, default in flag.defaults.items() if default == value)]
        for value, meaning in flag.values.items()
    ]
    yield from columns(["Value", "Means", "Default in"], rows)


def _state(rule: Rule) -> str:
    return {
        "applied": "applied",
        "recorded": f"recorded as {rule.about}",
        "outside": f"outside: {rule.about}",
    }[rule.state]


@only_shown()
def rulebook(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[RULEBOOK|new]",
            help="The id of a rulebook, or a .toml file. The word new writes a house rulebook.",
        ),
    ] = None,
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="New rulebook: the same as --out.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(*OUT, help="The file for a new rulebook, or for a copy of a shipped one.", show_default=False),
    ] = None,
    as_json: JsonOption = False,
    title: Annotated[str | None, typer.Option(help="New rulebook: the name of the game and its rules.")] = None,
    win: Annotated[str | None, typer.Option(help="New rulebook: points for a won match.")] = None,
    loss: Annotated[str | None, typer.Option(help="New rulebook: points for a lost match.")] = None,
    draw: Annotated[
        str | None, typer.Option(help="New rulebook: points for a drawn match; none if there are no draws.")
    ] = None,
    bye: Annotated[str | None, typer.Option(help="New rulebook: points for a bye.")] = None,
    best_of: Annotated[
        str | None, typer.Option(help="New rulebook: best of 1, 3 or 5 games; none if slips have no games.")
    ] = None,
    tiebreaks: Annotated[str | None, typer.Option(help="New rulebook: tiebreakers in order, with commas.")] = None,
    floor: Annotated[str | None, typer.Option(help="New rulebook: the lowest percentage that counts: 1/3.")] = None,
    minutes: Annotated[
        str | None, typer.Option(help="New rulebook: minutes of a Swiss round; none for no limit.")
    ] = None,
    unfinished: Annotated[
        str | None, typer.Option(help="New rulebook: the result of a match at time: draw, double-loss.")
    ] = None,
) -> None:
    """Show how a rulebook scores, ranks and pairs; list the rulebooks, or write a house rulebook."""
    if name == "new":
        answers = {
            "title": title,
            "win": win,
            "loss": loss,
            "draw": draw,
            "bye": bye,
            "best_of": best_of,
            "tiebreaks": tiebreaks,
            "floor": floor,
            "minutes": minutes,
            "unfinished": unfinished,
        }
        _write_new(file or out, {key: answer for key, answer in answers.items() if answer is not None})
        return
    if name is None:
        known = rulebook_lines()
        if as_json:
            typer.echo(json.dumps(document(known, Record())))
            return
        for line in columns(["Rulebook", "Document", "Edition", "Grade"], known):
            typer.echo(line)
        return
    text = _text_of(name)
    law = parse_rulebook(text)
    if out is not None:
        write_file(out, text.encode())
        typer.echo(f"{out} is written. To play by it: matchledger open NAME --rulebook {out}")
        return
    if as_json:
        typer.echo(law.model_dump_json())
        return
    for line in _lines(law):
        typer.echo(line)


@reading
def policies(session: Session, moment: Moment, as_json: JsonOption = False) -> None:
    """Show the policies of the event, and which were changed."""
    window = window_of(session, moment)
    page = look(window, policies_of)
    show(window, page, fitted(_policies_of_event(page)), as_json=as_json)


def _policies_of_event(page: PoliciesPage) -> Iterator[str]:
    rows = [
        [one.policy, one.value, "" if one.value == one.default else one.default, _changed(one), one.means]
        for one in page.policies
    ]
    yield from columns(["Policy", "Value", "Else", "Changed", "Means"], rows)
    yield "To change one: change-policy POLICY VALUE --reason TEXT; rules POLICY lists its values."


def _changed(policy: EventPolicy) -> str:
    return "" if policy.changed is None else f"entry {policy.changed}"


def _write_new(file: Path | None, answers: dict[str, object]) -> None:
    """Write a house rulebook from options.

    Ask for missing options at a terminal, or read them line by line from a pipe.

    If a question gets no answer, its default counts.
    """
    if file is None or file.suffix != ".toml":
        raise UsageProblem("name the file to write: rulebook new house.toml")
    if file.exists():
        raise UsageProblem(f"{file} exists already: name another file")
    id_ = re.sub(r"[^a-z0-9]+", "-", file.stem.lower()).strip("-")
    if id_ in shipped_rulebooks():
        raise UsageProblem(f"{id_} is a rulebook of matchledger: name another file")
    left = [key for key in HouseRules.model_fields if key not in answers and key != "id"]
    if sys.stdin.isatty():
        for key in left:
            answers[key] = _asked(key, str(HouseRules.model_fields[key].description), answers)
    else:
        piped = piped_lines() if left else []
        if len(piped) > len(left):
            raise UsageProblem(f"{len(piped)} answers for {len(left)} questions: {', '.join(left)}")
        answers |= {key: answer for key, answer in zip(left, piped, strict=False) if answer}
    try:
        text = house_rulebook(house_rules(**answers, id=id_))
    except RulebookError as problem:
        raise UsageProblem(str(problem)) from None
    write_file(file, text.encode())
    typer.echo(f"{file} is written. To play by it: matchledger open NAME --rulebook {file}")


def _asked(key: str, question: str, answers: dict[str, object]) -> object:
    """Ask one question until its answer is usable. The Enter key alone takes the default."""
    default = getattr(house_rules(**answers, id="house"), key)
    shown = ", ".join(default) if isinstance(default, tuple) else "none" if default is None else str(default)

    def checked(answer: str) -> str:
        try:
            house_rules(**answers | {key: answer}, id="house")
        except RulebookError as problem:
            raise typer.BadParameter(str(problem)) from None
        return answer

    return typer.prompt(question[0].upper() + question[1:], default=shown, value_proc=checked)


def _text_of(name: str) -> str:
    if not name.endswith(".toml"):
        return rulebook_text(name)
    return read_text(Path(name))


def _lines(law: Rulebook) -> Iterator[str]:
    yield f"{law.title}, {law.edition}" + (f" ({law.scope})" if law.scope else "")
    yield f"Grade: {grade_line(law)}"
    yield ""
    results = [[name, _worth(law, name), kind.rule] for name, kind in law.results.items()]
    yield from columns(
        ["Result", unit_name(law.unit), "Rule"],
        [*results, ["bye", points_text(law.bye.points, law.unit), law.bye.rule]],
    )
    yield ""
    ties = [[name.replace("_", " "), law.tiebreak_rules.get(name, "")] for name in law.tiebreaks]
    yield from columns(["Ties, in order", "Rule"], ties)
    yield ""
    pairing = [
        [step.replace("_", " "), rule] for step, rule in law.pairing.model_dump().items() if rule != UNWRITTEN
    ]
    if pairing:
        yield from columns(["Pairing", "Rule"], pairing)
        yield ""
    facts = [[what, value, rule] for what, value, rule in _facts(law) if value]
    if facts:
        yield from columns(["Match and round", "", "Rule"], facts)
        yield ""
    if law.sources:
        rows = [[id_, source_grade(law, id_), one.title, one.says] for id_, one in law.sources.items()]
        yield from columns(["Source", "Grade", "Where", "What it gives"], rows)
        yield ""
    policies = [
        [flag, policy.default, ", ".join(policy.values) or "a number", policy.rule]
        for flag, policy in law.policies.items()
    ]
    yield from columns(["Policy (open --policy FLAG=VALUE)", "As it stands", "Can be", "Rule"], policies)
    for flag, policy in law.policies.items():
        yield ""
        yield f"{flag}: {Readings.decides(policy.reading)}"
        for value, meaning in policy.values.items():
            yield f"  {value}: {meaning}"


def _facts(law: Rulebook) -> Iterator[tuple[str, str, str]]:
    """Yield the rulebook's numbers for matches, rounds, penalties and structures: name, value and rule."""
    if law.games is not None:
        yield "best of", str(law.games.best_of), law.games.rule
    for name, part in (("match", law.match_win_percentage), ("game", law.game_win_percentage)):
        if part is not None:
            yield f"floor of {name} %", str(part.floor), part.rule
    if law.win_percentage is not None:
        yield "floor of win %", str(law.win_percentage.floor), law.win_percentage.rule
        yield "cap after leaving", str(law.win_percentage.cap_if_dropped), law.win_percentage.rule
    for mark in law.clock.marks:
        if mark.unfinished is not None:
            yield f"unfinished at {mark.title.lower()}", mark.unfinished, mark.rule
    yield "minutes of a round", "" if law.clock.swiss is None else str(law.clock.swiss), law.clock.rule
    if law.clock.untimed_final is not None:
        yield "final", "untimed, if announced", law.clock.untimed_final
    yield "penalties", ", ".join(law.conduct.penalties), law.conduct.penalties_rule or ""
    tables = {} if law.structures is None else law.structures.tables
    for name, table in tables.items():
        for players, row in table.rows.items():
            rounds, cuts = " or ".join(map(str, row.rounds)), " or ".join(str(cut) for cut in row.cut if cut)
            yield f"{name}, {players} players", f"{rounds} rounds" + (f", top {cuts}" if cuts else ""), table.rule


def _worth(law: Rulebook, name: str) -> str:
    kind = law.results[name]
    if kind.as_written:
        return "as written"
    winner, loser, each = (points_text(count or 0, law.unit) for count in (kind.winner, kind.loser, kind.each))
    return f"{each} each" if kind.each is not None else f"{winner} / {loser}"
