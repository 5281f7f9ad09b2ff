"""The command that explains a place in the standings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Annotated

import typer

from matchledger.cli.files import other_rulebook
from matchledger.cli.options import JsonOption, RulebookOption
from matchledger.cli.pairing import say_why_they_meet
from matchledger.cli.session import Moment, Session, UsageProblem, find_player, reading, show, window_of
from matchledger.cli.tables import columns
from matchledger.events import Entry
from matchledger.service.window import look
from matchledger.text.columns import who_and_when
from matchledger.text.labels import HEADINGS, decimal_text, percent_text
from matchledger_projections.fractions import as_halves, as_text
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.games import games_text
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.rulebook.scoring import points_text, unit_name, unit_of
from matchledger_projections.standings.standings import StepName
from matchledger_projections.standings.tiebreaker import Term
from matchledger_projections.views.explanation import Comparison, Derivation, Explanation, PointsLine, explanation
from matchledger_projections.views.sight import Sight


@reading
def explain(
    session: Session,
    moment: Moment,
    player: Annotated[str | None, typer.Argument(help="Name, beginning of a name, or #number.")] = None,
    pairing: Annotated[
        str | None,
        typer.Option("--pairing", metavar="TABLE", help="Explain why two players meet; 'bye' explains the bye."),
    ] = None,
    rulebook: RulebookOption = None,
    as_json: JsonOption = False,
) -> None:
    """Explain a player's place: slips, tiebreakers, and the neighbours.

    With --pairing, show why two players meet: their group, the player left over, earlier meetings, and the draw.
    """
    if (player is None) == (pairing is None):
        raise UsageProblem("name one thing: a PLAYER, or --pairing TABLE")
    if pairing is not None:
        say_why_they_meet(session, moment, pairing, as_json=as_json)
    if player is None:
        return
    number = find_player(moment.record, player).number
    window = window_of(session, moment)
    found = look(window, explanation, player=number, rulebook=other_rulebook(rulebook))
    show(window, found, _explanation(window, found), as_json=as_json)


def _explanation(sight: Sight, found: Explanation) -> Iterator[str]:
    record, law = sight.record, found.law
    cited = {line.entry for line in found.rounds} | {part.entry for part in found.neighbours}
    entries = {entry.position: entry for entry in sight.entries() if entry.position in cited}
    yield f"{found.tournament}, {found.rulebook}"
    yield f"After round {found.round}, {found.clock.replace('-', ' ')}, entry {found.position}"
    if found.hypothetical:
        yield f"HYPOTHETICAL: the tournament was played under {record.rulebook.id}."
    yield ""
    yield _headline(record, found, law)
    yield ""
    yield f"{unit_name(law.unit)}, round by round"
    yield from _indented(_points(record, found, law, entries))
    for derivation in found.tiebreaks:
        yield ""
        yield from _derivation(record, derivation, law)
    if found.neighbours:
        yield ""
        yield "Neighbours"
        for comparison in found.neighbours:
            yield from _indented(_comparison(record, found.player, comparison, law, entries))


def _headline(record: Record, explanation: Explanation, law: Rulebook) -> str:
    name = record.players[explanation.player].name
    points = f"{points_text(explanation.points, law.unit)} {unit_of(explanation.points, law.unit)}"
    if explanation.rank is None:
        return f"{name} is not ranked: {explanation.status}, with {points}"
    level = ", tied with others until a draw is recorded" if explanation.tied else ""
    status = "" if explanation.status == "active" else f" ({explanation.status})"
    return f"{name}{status}: place {explanation.rank} of {explanation.of} with {points}{level}"


def _points(record: Record, explanation: Explanation, law: Rulebook, entries: dict[int, Entry]) -> Iterator[str]:
    rows = [_points_row(record, line, law.unit, entries) for line in explanation.rounds]
    if rows:
        rows.append(["", "", "", "sum", points_text(explanation.points, law.unit), "", ""])
        yield from columns(["Round", "Table", "Opponent", "Result", "", "Entry", ""], rows, right=[0, 1, 4, 5])
        for line in explanation.rounds:
            yield from (f"round {line.round}: {text} ({rule})" for text, rule in line.why)
    else:
        yield "nothing on record"


def _points_row(record: Record, line: PointsLine, unit: str, entries: dict[int, Entry]) -> list[str]:
    return [
        str(line.round),
        "-" if line.table is None else str(line.table),
        "-" if line.opponent is None else record.players[line.opponent].name,
        _result(line) + (f" ({line.rule})" if line.rule else ""),
        points_text(line.points, unit),
        "" if line.entry is None else str(line.entry),
        _source(line, entries),
    ]


_WORDS = {"win": "won", "loss": "lost", "draw": "drew", "bye": "bye", "absence": "absent", "": ""}


def _result(line: PointsLine) -> str:
    words = _WORDS[line.outcome]
    if line.scores is not None:
        words += f" {line.scores[0]}-{line.scores[1]}"
    if line.games is not None:
        words += f" {games_text(line.games)}"
    return words if line.kind in (None, "win", "draw", "score") else f"{words}, {line.kind}"


def _source(line: PointsLine, entries: dict[int, Entry]) -> str:
    parts = [] if line.entry not in entries else [who_and_when(entries[line.entry])]
    if line.replaced:
        count = "count" if len(line.replaced) > 1 else "counts"
        parts.append(f"{', '.join(map(str, line.replaced))} no longer {count}")
    return ", ".join(parts)


# -- the derivation of each tiebreaker


def _derivation(record: Record, derivation: Derivation, law: Rulebook) -> Iterator[str]:
    method = {"mean": "mean over opponents", "sum": "sum", "own": ""}[derivation.method]
    head = [_step(derivation.name, law), method]
    title = ": ".join(part for part in head if part)
    yield title[0].upper() + title[1:]
    if derivation.terms:
        yield from _indented(_terms(record, derivation))
    if derivation.method == "mean" and derivation.terms and derivation.total is not None:
        count = "1 opponent" if derivation.divisor == 1 else f"{derivation.divisor} opponents"
        if derivation.divisor != len(derivation.terms):
            count = f"{derivation.divisor}"
        yield f"  sum {derivation.total} over {count}: {_number(derivation, derivation.value, law)}"
    elif derivation.method == "sum":
        yield f"  sum {_number(derivation, derivation.value, law)}"
    for note in derivation.notes:
        yield f"  {note}"


def _terms(record: Record, derivation: Derivation) -> Iterator[str]:
    rows = [
        [
            str(term.round),
            "-" if term.opponent is None else record.players[term.opponent].name,
            _made_of(term),
            _number(derivation, term.value),
            "; ".join(term.notes),
        ]
        for term in derivation.terms
    ]
    yield from columns(["Round", "Opponent", "", "", ""], rows, right=[0, 2, 3])


def _made_of(term: Term) -> str:
    if term.made_of is None:
        return ""
    part, whole = term.made_of
    return f"{part} of {whole}"


def _number(derivation: Derivation, value: Fraction | None, law: Rulebook | None = None) -> str:
    """Return an exact number, with a decimal form if it is not whole. `law` is the rulebook that rounds the decimal
    form.
    """
    if value is None:
        return ""
    decimals = None if law is None else law.decimals(derivation.name)
    if "percentage" in derivation.name:
        return f"{as_text(value)} = {percent_text(value, decimals)} %"
    return str(value) if value.denominator == 1 else f"{as_text(value)} = {decimal_text(value, decimals)}"


# -- neighbours


def _comparison(
    record: Record, player: int, comparison: Comparison, law: Rulebook, entries: dict[int, Entry]
) -> Iterator[str]:
    name = record.players[comparison.player].name
    own_name = record.players[player].name
    rank_ = "" if comparison.rank is None else f"{comparison.rank} "
    yield f"{comparison.side}: {rank_}{name}, {_decision(comparison, law, own_name, name)}"
    if comparison.equal:
        level = ", ".join(
            f"{_short(part.step, law)} {_value(part.step, part.mine, law)}" for part in comparison.equal
        )
        yield f"  equal in {level}"
    if comparison.entry in entries:
        entry = entries[comparison.entry]
        yield f"  entry {entry.position}, {who_and_when(entry)}"
    if comparison.decided is not None and comparison.decided.step == "head_to_head":
        yield f"  they met in round {', '.join(map(str, comparison.met))}"


def _decision(comparison: Comparison, law: Rulebook, own_name: str, name: str) -> str:
    decided = comparison.decided
    if decided is None:
        return "tied: no order is recorded yet, `tie` draws it"
    what = _step(decided.step, law)
    if decided.mine is None or decided.theirs is None:
        return f"by {what}"
    theirs, mine = (_value(decided.step, value, law) for value in (decided.theirs, decided.mine))
    return f"by {what}: {name} {theirs}, {own_name} {mine}"


_PLACES = {"random_draw", "rock_paper_scissors", "standing_of_last_opponent"}
_ANSWERS: dict[StepName, tuple[str, str]] = {
    "head_to_head": ("lost", "won"),
    "tardiness": ("on time", "late"),
    "dropped": ("in", "out"),
}


def _value(step: StepName, value: Fraction | None, law: Rulebook) -> str:
    if value is None:
        return "-"
    if step in _ANSWERS:
        return _ANSWERS[step][bool(value)]
    if step in _PLACES:
        return f"place {value}"
    if step == "points":
        return as_halves(value)
    decimals = law.decimals(step)
    if "percentage" in step:
        return f"{as_text(value)} ({percent_text(value, decimals)} %)"
    return str(value) if value.denominator == 1 else f"{as_text(value)} ({decimal_text(value, decimals)})"


def _step(step: StepName, law: Rulebook) -> str:
    match step:
        case "points":
            return unit_name(law.unit)
        case "dropped":
            about = (flag for flag, policy in law.policies.items() if policy.reading == "dropped_percentages")
            return f"who has left ({next(about, 'POLICY')})"
        case _:
            rule = law.tiebreak_rules.get(step)
            return step.replace("_", " ") + (f" ({rule})" if rule else "")


def _short(step: StepName, law: Rulebook) -> str:
    if step == "points":
        return unit_name(law.unit)
    return "left" if step == "dropped" else HEADINGS[step]


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)
