"""The next round under many secrets: the possible byes and opponents."""

from __future__ import annotations

from functools import partial

import pytest

from matchledger.commands import swiss as rounds
from matchledger.events import RoundPaired
from matchledger.formats.reader import read_transcript
from matchledger.service.importing import transcribe

SECRETS = [bytes([number]) * 32 for number in range(24)]
BLOOD = " (9)"

# In NINE, B and F have lost twice, but B met better players. The group with the fewest points has only B and F.
NINE = """
players A B C D E F G H I
round 1
  A > B
  C > D
  E > F
  G > H
  I bye
round 2
  A > C
  E > G
  I > B
  D > F
  H bye
"""
# Four players have won once. D and E have already had a bye.
FIVE = """
players A B C D E
round 1
  A > B
  C > D
  E bye
round 2
  A > E
  B > C
  D bye
"""
# B and D have the fewest points, and both have already had a bye. A and C have more points than B and D, and A has
# already had a bye too.
PASSED_UP = """
players A B C D E
round 1
  C > D
  E > B
  A bye
round 2
  C > A
  E > D
  B bye
round 3
  E > C
  A > B
  D bye
"""
# A and B have won twice. X, Y and Z have won once.
FIVE_LEFT = """
players A B X Y Z P Q R
round 1
  X > Y
  Z > P
  A > Q
  B > R
round 2
  A > X
  Y > P
  B > Z
  Q > R
drop P
drop Q
drop R
"""


def next_rounds(rulebook: str, sheet: str) -> list[tuple[set[str], str]]:
    """Return the next round of a sheet for each secret: its tables ("AB") and its bye."""
    if rulebook == "ashes-2022":
        sheet = "\n".join(line + BLOOD if ">" in line else line for line in sheet.splitlines())
    found = []
    for secret in SECRETS:
        data = f"rulebook {rulebook}{sheet}".encode()
        draft = transcribe(read_transcript(data, "sheet"), data=data, source="event.sheet", secret=secret).draft
        draft.decide(partial(rounds.pair_round, secret=secret, deviating=True))
        [paired] = [entry.fact for entry in draft.entries[-2:] if isinstance(entry.fact, RoundPaired)]
        name = {number: player.name for number, player in draft.record.players.items()}
        tables = {"".join(sorted(map(name.__getitem__, seating.players))) for seating in paired.tables}
        found.append((tables, "".join(name[bye.player] for bye in paired.byes)))
    return found


@pytest.mark.parametrize("rulebook", ["street-warriors-2004", "pokemon-2009", "ashes-2022"])
def test_chance_gives_the_bye_to_a_player_with_the_fewest_points(rulebook: str) -> None:
    """The bye never depends on wins, rank or number: a draw gives it to B or F, who have the fewest points."""
    assert {bye for _, bye in next_rounds(rulebook, NINE)} == {"B", "F"}


@pytest.mark.parametrize("rulebook", ["street-warriors-2004", "pokemon-2009", "ashes-2022", "l5r-2018"])
def test_no_player_has_two_byes_or_a_rematch(rulebook: str) -> None:
    drawn = next_rounds(rulebook, FIVE)
    assert {bye for _, bye in drawn} <= {"B", "C"}
    assert set().union(*(tables for tables, _ in drawn)).isdisjoint({"AB", "CD", "AE", "BC"})


@pytest.mark.parametrize("rulebook", ["street-warriors-2004", "pokemon-2009"])
def test_the_bye_goes_up_a_group_before_a_player_has_a_second_bye(rulebook: str) -> None:
    """A second bye for D would also leave a legal pairing."""
    assert all(drawn == ({"AE", "BD"}, "C") for drawn in next_rounds(rulebook, PASSED_UP))


@pytest.mark.parametrize("rulebook", ["ashes-2022"])
def test_any_player_can_have_the_first_bye(rulebook: str) -> None:
    byes = {bye for _, bye in next_rounds(rulebook, "\nplayers A B C D E\n")}
    assert len(byes) > 2


@pytest.mark.parametrize("rulebook", ["street-warriors-2004", "pokemon-2009"])
def test_round_1_is_drawn_by_lot(rulebook: str) -> None:
    """Six players have 15 possible first rounds, and the secrets draw many of them. The order of registration
    would give only one of these rounds.
    """
    drawn = {frozenset(tables) for tables, _ in next_rounds(rulebook, "\nplayers A B C D E F\n")}
    assert len(drawn) > 5


@pytest.mark.parametrize("rulebook", ["street-warriors-2004", "pokemon-2009"])
def test_after_the_bye_players_with_equal_records_can_still_meet(rulebook: str) -> None:
    """X and Y have met. If Z had the bye, X and Y would have to meet A and B, who have more points."""
    drawn = next_rounds(rulebook, FIVE_LEFT)
    assert {bye for _, bye in drawn} == {"X", "Y"}
    assert all("AB" in tables for tables, _ in drawn)
