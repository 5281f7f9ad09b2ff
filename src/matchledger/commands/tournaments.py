"""Open and close a tournament, and post its standings."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from matchledger.commands.command import Command, Deviating, Text, option
from matchledger.commands.context import Context
from matchledger.commands.draft import now
from matchledger.commands.refusal import Refusal, need_late_players_seated, need_open
from matchledger.commands.structures import need_complete, need_settled
from matchledger.events import AnyFact, Derivation, StandingsPosted, TournamentClosed, TournamentOpened
from matchledger_projections.divisions.ages import years_problem
from matchledger_projections.message import sentence
from matchledger_projections.record.chance import commitment
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import RulebookError, parse_rulebook, rulebook_text
from matchledger_projections.stages.postings import posted_rows
from matchledger_projections.text_line import is_printable

LONGEST_NAME = 200  # characters


def open_tournament(
    record: Record,
    *,
    name: str,
    law: str,
    policies: Mapping[str, str],
    secret: bytes,
    division_years: Mapping[str, int] | None = None,
    sealed: bool = True,
    derivation: Derivation = 1,
) -> list[AnyFact]:
    """Open a tournament under a rulebook's text.

    It commits to a secret that the closing reveals.

    `division_years` are the first years of birth of the divisions, if they differ from the rulebook. Personal
    data is stored `sealed` unless the caller asks for clear text, which can never be erased. A ledger uses
    the latest version of the `derivation` of draws. A draft has no stored bytes to derive draws from.
    """
    if record.opening is not None:
        raise Refusal(sentence("the tournament %(name)r is open already", name=record.opening.name))
    if not name.strip() or len(name) > LONGEST_NAME or not is_printable(name):
        raise Refusal(
            sentence(
                "a tournament needs a name of 1 to %(count)s printable characters",
                count=LONGEST_NAME,
            )
        )
    try:
        rulebook = parse_rulebook(law)
        rulebook.under(policies)
    except RulebookError as error:
        raise Refusal(error.said) from None
    years = dict(division_years or {})
    if years and (problem := years_problem(rulebook, years)):
        raise Refusal(problem)
    return [
        TournamentOpened(
            name=name,
            rulebook=rulebook.id,
            law=law,
            policies=dict(policies),
            division_years=years,
            commitment=commitment(secret),
            sealed=sealed,
            derivation=derivation,
        )
    ]


def close(
    record: Record,
    *,
    secret: bytes,
    unfinished: bool = False,
    ended: date | None = None,
    deviating: bool = False,
) -> list[AnyFact]:
    """End the tournament and reveal the secret, so that anyone can check every draw.

    Fewer rounds than announced, a missing cut and undecided places need `deviating`. `unfinished` closes it with
    open tables, as some foreign records do. `ended` is the last day of the event.
    """
    need_open(record)
    if record.opening is not None and record.opening.commitment != commitment(secret):
        raise Refusal(sentence("this secret does not belong to the tournament"))
    need_late_players_seated(record)
    latest = record.latest_round()
    closed = TournamentClosed(round=latest.number if latest else 0, secret=secret.hex(), ended=ended)
    rules = need_complete(record, closed, deviating=deviating or unfinished)
    return [closed.model_copy(update={"deviations": rules})]


class PostStandings(Command):
    """Post the standings after the last finished round; `deviating` posts them despite open questions."""

    signed: ClassVar = True
    kind: Literal["post-standings"] = "post-standings"
    deviating: Deviating = False

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        need_open(record)
        through = record.finished_rounds
        if through == 0:
            raise Refusal(sentence("no round is finished: there are no standings to post"))
        need_settled(record, deviating=self.deviating)
        return [StandingsPosted(round=through, rows=tuple(posted_rows(record, through)))]


class CloseTournament(Command):
    """End the tournament and reveal the secret behind its draws. To end it early, add a --reason."""

    shown_first: ClassVar = True
    asks: ClassVar = "always"
    kind: Literal["close-tournament"] = "close-tournament"
    ended: Annotated[date | None, option("--ended", "The last day of the event, 2026-05-02; by default today.")] = (
        None
    )
    deviating: Deviating = False

    def decide(self, record: Record, context: Context) -> list[AnyFact]:
        ended = self.ended or now().astimezone().date()
        return close(record, secret=context.secret(), ended=ended, deviating=self.deviating)


LONGEST_LAW = 100_000  # characters; the longest shipped rulebook has 8,000


class OpenTournament(BaseModel):
    """A new tournament: its name and its rulebook, a shipped `rulebook` or the text of a `house` one.

    `policies` are the flags with another value than the rulebook's own. `division_years` has the first year
    of birth of each division, if it differs from the rulebook's. With `names_in_clear`, no player can ever be
    erased.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Text
    rulebook: Text
    house: Annotated[str, Field(max_length=LONGEST_LAW)] | None = None
    policies: dict[Text, Text] = Field(default={})
    division_years: dict[Text, Annotated[int, Field(ge=1900, le=2100)]] = Field(default={})
    names_in_clear: bool = False

    @property
    def law(self) -> str:
        """The text of the rulebook. Raises RulebookError for an unknown id."""
        return self.house if self.house is not None else rulebook_text(self.rulebook)
