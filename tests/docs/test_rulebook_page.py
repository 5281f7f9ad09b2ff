"""The rulebook page explains every key of the files, and lists the grade of every rulebook."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args, get_origin

import pytest
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined
from tests.desk import RunCli, Terminal
from tests.golden import Golden

from matchledger.cli import run
from matchledger_projections.rulebook.rulebook import Rulebook, parse_rulebook, rulebook_text, shipped_rulebooks
from matchledger_projections.rulebook.sources import grade_of, open_points
from matchledger_projections.standings.tiebreakers import TIEBREAKERS
from matchledger_projections.views.catalogue import undecided

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "rulebooks.md"
MARK = "pytest --refresh-golden tests/docs -->\n"


def _models(kind: Any) -> Iterator[type[BaseModel]]:
    for inside in get_args(kind):
        yield from _models(inside)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        yield kind


def _sections(model: type[BaseModel], found: dict[type[BaseModel], None]) -> dict[type[BaseModel], None]:
    if model not in found:
        found[model] = None
        for field in model.model_fields.values():
            for inside in _models(field.annotation):
                _sections(inside, found)
    return found


PLAIN = {str: "text", int: "number", bool: "true or false", Fraction: "fraction"}
MOST_WORDS = 8


def _values(kind: Any) -> str:
    """Return the type of a value in words, or for a section a link to that section."""
    inside = [part for part in get_args(kind) if part not in (NoneType, ...)]
    origin = get_origin(kind)
    if origin is Literal:
        return ", ".join(f"`{word}`" for word in inside) if len(inside) <= MOST_WORDS else "name"
    if origin is tuple:
        return f"list: {_values(inside[0])}"
    if origin is dict:
        return f"table: {_values(inside[1])} for each {_values(inside[0]).replace('text', 'name')}"
    if inside:  # an optional field, or a field with bounds
        return _values(inside[0])
    return PLAIN.get(kind) or f"[{kind.__name__}](#{kind.__name__.lower()})"


def _default(field: FieldInfo) -> str:
    default = field.get_default(call_default_factory=True)
    if default is PydanticUndefined:
        return "needed"
    if isinstance(default, tuple):
        return ", ".join(str(getattr(one, "name", one)) for one in default)
    if isinstance(default, bool):
        return str(default).lower()
    return "" if default in (None, {}) or isinstance(default, BaseModel) else str(default)


def _page() -> Iterator[str]:
    for model in _sections(Rulebook, {}):
        yield f"### {model.__name__}\n\n{' '.join((model.__doc__ or '').split())}"
        rows = [
            f"| `{name}` | {field.description} | {_values(field.annotation)} | {_default(field)} |"
            for name, field in model.model_fields.items()
        ]
        yield "\n".join(["| key | meaning | values | default |", "|---|---|---|---|", *rows])
    yield "## Tiebreakers"
    rows = [
        f"| `{name}` | {tiebreaker.phrase} | {' '.join((type(tiebreaker).__doc__ or '').split())} |"
        for name, tiebreaker in TIEBREAKERS.items()
    ]
    yield "\n".join(["| name | in words | value |", "|---|---|---|", *rows])


def test_every_key_of_a_rulebook_is_explained(golden: Golden) -> None:
    for model in _sections(Rulebook, {}):
        assert [name for name, field in model.model_fields.items() if not field.description] == [], model
    head = PAGE.read_text("utf-8").partition(MARK)[0]
    golden.holds(PAGE, f"{head}{MARK}\n" + "\n\n".join(_page()) + "\n")


def _graded() -> Iterator[str]:
    yield from ("| rulebook | rules of | grade |", "|---|---|---|")
    for name in shipped_rulebooks():
        law = parse_rulebook(rulebook_text(name))
        grade = grade_of(law)
        assert grade is not None, name
        flags = [f"`{flag}`" for flag in open_points(law)]
        yield f"| `{name}` | {law.title} | {grade.words}{f'; {undecided(flags)}' if flags else ''} |"


def test_the_page_lists_every_rulebook_with_its_grade(golden: Golden) -> None:
    text = PAGE.read_text("utf-8")
    table = re.search(r"\| rulebook \| rules of \| grade \|\n(?:\|.*\n)*", text)
    assert table is not None
    golden.holds(PAGE, text.replace(table[0], "".join(f"{line}\n" for line in _graded())))


def test_a_house_rulebook_made_from_options_can_be_played_at_once(
    tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MATCHLEDGER_LEDGER", "house.ledger")
    chain = "head_to_head,opponents_win_percentage,game_win_percentage"
    made = ["rulebook", "new", "house.toml", "--win", "2", "--draw", "1", "--bye", "2", "--best-of", "5"]
    assert run([*made, "--tiebreaks", chain, "--floor", "1/5", "--minutes", "40"]) == 0
    law = parse_rulebook(Path("house.toml").read_text("utf-8"))
    assert law.tiebreaks == (*chain.split(","), "random_draw")
    assert (law.win_points, law.bye.points, law.clock.swiss) == (2, 2, 40)
    for line in (
        ["open", "Friday", "--rulebook", "house.toml"],
        ["register", "Ann"],
        ["register", "Bo"],
        ["pair", "--table", "Ann/Bo", "--reason", "two"],
        ["report", "1", "3-2"],
        ["standings"],
    ):
        assert run(line) == 0, capsys.readouterr().err
    assert run(made) == 2
    assert run(["rulebook", "new", "other.toml", "--tiebreaks", "luck"]) == 2
    plainly = ["rulebook", "new", "plain.toml", "--draw", "none", "--best-of", "none"]
    assert run([*plainly, "--tiebreaks", "head_to_head"]) == 0
    plain = parse_rulebook(Path("plain.toml").read_text("utf-8"))
    assert not plain.knows_draws
    assert plain.games is None
    assert run(["rulebook", "new", "Best of none.toml", "--best-of", "none"]) == 0
    assert parse_rulebook(Path("Best of none.toml").read_text("utf-8")).id == "best-of-none"
    for wrong in (["magic-mtr.toml"], ["three.toml", "--best-of", "three"], ["floor.toml", "--floor", "none"]):
        assert run(["rulebook", "new", *wrong]) == 2
        assert "int()" not in capsys.readouterr().err
    for wrong, why in (
        (["--loss", "4"], "loss: more than the 3 points of a win"),
        (["--bye", "99"], "bye: more than the 3 points of a win"),
        (["--win", "1000000000000"], "win: Input should be less than or equal to 1000"),
        (["--minutes", "99999999999"], "minutes: Input should be less than or equal to 10000"),
    ):
        assert run(["rulebook", "new", "odd.toml", *wrong]) == 2
        assert capsys.readouterr().err.strip() == f"matchledger: {why}"
        assert not Path("odd.toml").exists()


def test_answers_through_a_pipe_make_the_rulebook(tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    """Each line answers one question of `rulebook new`. An empty line takes the default, and a wrong answer gets
    a message.
    """
    monkeypatch.chdir(tmp_path)

    def piped(answers: str, *words: str) -> int:
        Path("answers").write_text(answers, "utf-8")
        with Path("answers").open(encoding="utf-8") as stream:
            monkeypatch.setattr("sys.stdin", stream)
            return run(["rulebook", "new", *words])

    assert piped("Chess club\n2\n0\n1\n\n1\n\n\n\n\n", "chess.toml") == 0
    law = parse_rulebook(Path("chess.toml").read_text("utf-8"))
    assert (law.title, law.win_points, law.bye.points) == ("Chess club", 2, 2)
    assert law.games is not None
    assert (law.games.best_of, law.games.draw_without_games) == (1, (0, 0, 1))
    assert piped("2\n", "titled.toml", "--title", "Titled") == 0
    assert parse_rulebook(Path("titled.toml").read_text("utf-8")).win_points == 2
    capsys.readouterr()
    assert piped("House\nmany\n", "odd.toml") == 2
    assert capsys.readouterr().err.startswith("matchledger: win: ")
    assert piped("x\n" * 20, "odd.toml") == 2
    assert "20 answers for 10 questions" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("made", "unfinished", "points"),
    [
        ([], "unfinished", [1, 1]),
        (["--unfinished", "double-loss"], "unfinished", [0, 0]),
        (["--draw", "none"], "1-0 unfinished", [0, 0]),
        ([], "1-0 unfinished", [3, 0]),
    ],
)
def test_a_house_rulebook_says_how_an_unfinished_match_counts(
    run_cli: RunCli, monkeypatch: Any, tmp_path: Path, made: list[str], unfinished: str, points: list[int]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MATCHLEDGER_LEDGER", "house.ledger")
    run_cli("rulebook", "new", "house.toml", *made)
    run_cli("open", "Friday", "--rulebook", "house.toml")
    run_cli("register", "Ann")
    run_cli("register", "Bo")
    run_cli("pair")
    run_cli("report", "1", *unfinished.split())
    rows = run_cli("standings", "--json").document["standings"]
    assert [row["points"] for row in rows] == points
    run_cli("rulebook", "new", "no.toml", "--draw", "none", "--unfinished", "draw", code=2)


def test_each_question_about_a_new_rulebook_is_repeated_until_answered(
    tmp_path: Path, monkeypatch: Any, run_cli: RunCli
) -> None:
    """After the answer "many" the question is asked again. The answers give 2 points for a draw, and an empty
    answer accepts the proposed value.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MATCHLEDGER_LEDGER", "kart.ledger")
    answers = ["Kart Racing", "many", "5", "", "2", "5", "none", "", "", "", "", ""]
    monkeypatch.setattr("sys.stdin", Terminal("\n".join(answers)))
    said = run_cli("rulebook", "new", "kart.toml")
    assert "win: write a whole or half number" in said.out + said.err
    assert said.out.count("Points for a won match [3]: ") == 2
    law = parse_rulebook(Path("kart.toml").read_text("utf-8"))
    assert (law.title, law.win_points, law.results["draw"].each, law.bye.points) == ("Kart Racing", 5, 2, 5)
    assert law.tiebreaks[:2] == ("opponents_match_win_percentage", "opponents_opponents_match_win_percentage")
    run_cli("open", "Friday", "--rulebook", "kart.toml")
    for name in ("Ann", "Bo", "Cy", "Di"):
        run_cli("register", name)
    for _ in range(2):
        run_cli("pair")
        run_cli("report", "1", "draw", "2", "a")
    points = [row["points"] for row in run_cli("standings", "--json").document["standings"]]
    assert sum(points) == 18
