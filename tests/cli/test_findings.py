"""Faults that an organizer found on the command line stay fixed."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
from tests.cli.conftest import Desk


@pytest.fixture
def field(desk: Desk) -> Desk:
    """Six players after two rounds, without a tie at the edge of a cut to four."""
    Path("field.sheet").write_text(
        "rulebook l5r-2018\nevent Final\nplayers A B C D E F\n"
        "round 1\n  A > B\n  C > D\n  E > F\nround 2\n  A > C\n  B > E\n  D > F\ndraw C B\ndraw E D\n",
        "utf-8",
    )
    assert desk("import field.sheet").code == 0
    assert desk("announce --rounds 2 --cut 4 --structure custom --reason short").code == 0
    return desk


@pytest.mark.finding("C-D2", "C-D3", "C-D4")
def test_open_questions_stop_the_next_step(played: Desk) -> None:
    assert played("announce --rounds 1 --cut 2 --structure custom --reason short").code == 0
    assert played("call Ann").code == 0
    for step in ("pair", "cut", "post", "close --yes"):
        assert "has no answer" in played(step).refused, step
    [call] = played("calls --json").document["calls"]
    for line in (f"answer {call['position']}", "tie", "cut", "pair"):
        assert played(line).code == 0, line
    assert played("close --yes").code == 3
    assert played("close --yes --reason fire").code == 0
    assert "departure from the structures" in played("integrity").out


@pytest.mark.finding("C-D9")
def test_the_final_places_are_printed_and_written_as_csv_with_the_champion_first(field: Desk) -> None:
    assert field("print places --out early.pdf").code == 0
    early = pypdfium2.PdfDocument(Path("early.pdf"))[0].get_textpage().get_text_bounded()
    assert "Champion" not in early, "the cut is to come"
    for line in ("cut", "pair", "report 1 a 2 a", "pair", "report 1 a", "close --yes"):
        assert field(line).code == 0, line
    [_, champion, *others] = field("places --csv").lines
    assert (champion[:4], champion[-9:]) == ("1,A,", ",champion")
    assert all(line.endswith(",") for line in others)
    assert [line.split()[1] for line in field("places").lines if line.endswith(" champion")] == ["A"]
    assert field("print places --out places.pdf").out == "places.pdf is written.\n"
    text = pypdfium2.PdfDocument(Path("places.pdf"))[0].get_textpage().get_text_bounded()
    assert "Champion: A" in text
    assert "Final places" in text
    assert field("publish pages").code == 0
    for name in ("event", "standings", "tables"):
        _, champions = Path("pages", f"{name}.html").read_text("utf-8").split('<section class="champions"')
        assert "<b>A</b>" in champions.split("</section>")[0]


@pytest.mark.finding("C-D14")
def test_cut_names_the_qualifiers(field: Desk) -> None:
    assert "  D: would get into the cut" in field("drop A --preview").lines
    assert "  A: would be out of the cut" in field("drop A --preview").lines
    assert field("cut").code == 0
    told = {one["player"]: one["cut"] for one in field("drop A --preview --json").document["to_tell"]}
    assert told == {"A": "out", "D": "in"}
    assert "replace gives the place to D." in field("drop A").out


@pytest.mark.finding("C-D17")
def test_a_policy_is_explained_and_can_be_changed_with_a_reason(field: Desk) -> None:
    assert "Yes, until play has begun." in field("rules POL-ALL-REPAIR").out
    known = field("policies").out
    assert ["POL-ALL-REPAIR", "before-start"] in [line.split()[:2] for line in known.splitlines()]
    change = "change-policy POL-ALL-REPAIR never"
    assert field(f"{change} --role organizer").problem == (
        "a changed policy needs a reason in the log: give one; use --reason"
    )
    assert field(f"{change} --reason agreed").refused == (
        "a scorekeeper may not change a policy of the event: the organizer may (POLICY)"
    )
    assert "PREVIEW" in field(f"{change} --reason agreed --role organizer --preview").out
    assert field(f"{change} --reason agreed --role organizer").code == 0
    assert "policy changed during the event (POL-ALL-REPAIR)" in field("integrity").out
    for back in ("undo --role organizer", "retract 20 --role organizer"):
        assert field(back).refused == "a changed policy needs a reason in the log: give one; use --reason"
    assert field("undo --role organizer --reason 'asked back'").code == 0
    assert field("policies").out == known
    shown = field("integrity").lines
    [at] = [at for at, line in enumerate(shown) if "retraction (POL-ALL-REPAIR)" in line]
    assert shown[at + 2].strip() == "asked back"
    assert field("redo --yes --role organizer").refused.startswith("a changed policy needs a reason")


@pytest.mark.finding("C-D18")
def test_a_roster_names_columns_that_no_rule_uses(desk: Desk) -> None:
    assert desk("open Friday -b l5r-2018").code == 0
    Path("roster.csv").write_text("name,DCI,shoe\nAnn,12,44\n", "utf-8")
    assert desk("register --csv roster.csv").err == "note: columns that no rule uses, kept with the players: shoe\n"


@pytest.mark.parametrize(
    "line",
    [
        "export {}",
        "export {} --format sheet",
        "bundle 1 1 {}",
        "draw bracket {}",
        "print standings {}",
        "erase F --role organizer --reason asked --yes {}",
        "rulebook new {} --title Open",
    ],
)
def test_every_command_names_its_file_with_out(field: Desk, line: str) -> None:
    for before in ("post", "cut", "pair"):
        assert field(before).code == 0
    file = "made.toml" if "rulebook" in line else "made.file"
    assert field(line.format(f"--out {file}")).code == 0
    assert Path(file).stat().st_size > 0


def test_a_file_name_can_be_given_only_once(field: Desk) -> None:
    assert field("export").problem == "name the file to write: --out FILE"
    assert field("export one --out other").problem == "name one file to write, by --out"


@pytest.mark.finding("C-D3", "C-D4")
def test_a_forced_close_names_what_stays_open(played: Desk) -> None:
    """The preview and the integrity report name the tables, the calls and the slips, and the rule."""
    for line in ("tie", "cut 4 --reason short", "pair", "report 1 a"):
        assert played(line).code == 0, line
    first = played("pairings --elimination --json").document["pairings"][0]["players"][0]
    assert played(f"call {first} --elimination").code == 0
    assert played("report 1 b").code == 4
    slip = played("calls --json").document["contradictions"][0]["position"]
    left = [
        f"call {slip - 1} about table 1 of elimination round 1 has no answer",
        f"slip {slip} contradicts the result of table 1 of elimination round 1",
        "table 2 of elimination round 1 has no result",
        "places 1 to 4 are not decided",
    ]
    shown = played("close --reason fire --preview")
    assert [line for line in shown.lines if line.startswith("Open: ")] == [f"Open: {said}" for said in left]
    assert played("close --reason fire --preview --json").document["left_open"] == left
    assert played("close --reason fire --yes").code == 0
    found = [line.removeprefix("      open: ") for line in played("integrity").lines if "      open: " in line]
    assert found == left
    [over, structure] = played("integrity --json").document["items"][-2:]
    assert (over["over"], structure["over"]) == (left, [])


@pytest.mark.finding("C-D18")
def test_an_undefeated_player_has_no_first_loss(desk: Desk) -> None:
    for line in (
        "open Friday -b street-warriors-2004",
        *(f"register {name}" for name in ("Ann", "Bo", "Cy", "Di")),
        "pair --table Ann/Bo --table Cy/Di --reason paper",
        "report 1 a 2 draw",
    ):
        assert desk(line).code == 0, line
    assert desk("standings").lines[2].endswith("Won until round")
    for player, said in (("Ann", "no loss and no draw so far"), ("Bo", "first loss or draw in round 1")):
        lines = desk(f"explain {player}").lines
        assert lines[lines.index("First loss or draw (SWR-TB)") + 1].strip() == said


@pytest.mark.finding("C-D18")
def test_a_structure_shows_which_division_each_cut_is_for(desk: Desk) -> None:
    assert desk("open Friday -b pokemon-2009").code == 0
    field = [f"J{number},junior" for number in range(3)] + [f"M{number},masters" for number in range(9)] + ["O,"]
    Path("field.csv").write_text("\n".join(["name,division", *field]), "utf-8")
    assert desk("register --csv field.csv").code == 0
    [line] = [line for line in desk("structure").lines if line.startswith("swiss ")]
    assert "others none, junior none, masters none" in line
