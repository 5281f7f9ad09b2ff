"""Open and close a tournament, change its policies, post standings and news, and send the overview."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Annotated, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from matchledger.commands.command import Command, Context, Count, Deviating, Text, Words, argument, option
from matchledger.commands.draft import now
from matchledger.commands.refusal import Refusal, need_late_players_seated, need_open
from matchledger.commands.staff import need_tier_for_leaders
from matchledger.commands.structures import need_complete, need_settled
from matchledger.events import (
    AnyFact,
    Derivation,
    NewsPosted,
    OverviewFiled,
    PolicyChanged,
    StandingsPosted,
    TournamentClosed,
    TournamentOpened,
)
from matchledger.events.postings import LOGO, Accent
from matchledger.notation.problems import UsageProblem
from matchledger_projections.divisions.grouping import years_problem
from matchledger_projections.message import Sentence, is_printable, sentence
from matchledger_projections.record.chance import commitment
from matchledger_projections.record.erasures import description
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import RulebookError, parse_rulebook, rulebook_text
from matchledger_projections.stages.postings import posted_rows
from matchledger_projections.views.rating import rating

LONGEST_NAME = 200  # characters


def _need_name(name: str) -> None:
    if not name.strip() or len(name) > LONGEST_NAME or not is_printable(name):
        raise Refusal(
            sentence("a tournament needs a name of 1 to %(count)s printable characters", count=LONGEST_NAME)
        )


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

    The opening entry commits to a secret. The closing entry reveals the secret.

    `division_years` are the first years of birth of the divisions, if they differ from the rulebook. Personal data
    are encrypted (`sealed`), or stored unencrypted and can then never be erased. `derivation` is the version of the
    draws. A ledger uses the latest version.
    """
    if record.opening is not None:
        raise Refusal(sentence("the tournament %(name)r is open already", name=record.name))
    _need_name(name)
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

    Fewer rounds than announced, a missing cut and undecided places need `deviating`. `unfinished` closes the
    tournament with open tables, as some foreign records do. `ended` is the last day of the event.
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
    """Post the standings after the last finished round. `deviating` posts them despite open questions."""

    signed: ClassVar = True
    deviating: Deviating = False

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        need_open(record)
        through = record.finished_rounds
        if through == 0:
            raise Refusal(sentence("no round is finished: there are no standings to post"))
        need_settled(record, deviating=self.deviating)
        return [StandingsPosted(round=through, rows=tuple(posted_rows(record, through)))]


class CloseTournament(Command):
    """End the tournament and reveal the secret behind its draws. To end the tournament early, add a --reason."""

    shown_first: ClassVar = True
    asks: ClassVar = "always"
    lasting: ClassVar = sentence(
        "The tournament ends. The secret behind its draws is shown to everybody, and nothing more can be recorded."
    )
    ended: Annotated[date | None, option("--ended", "The last day of the event, 2026-05-02; by default today.")] = (
        None
    )
    deviating: Deviating = False

    def decide(self, record: Record, context: Context) -> list[AnyFact]:
        ended = self.ended or now().astimezone().date()
        return close(record, secret=context.secret(), ended=ended, deviating=self.deviating)


LONGEST_LAW = 100_000  # characters. The longest shipped rulebook has 8,000


class OpenTournament(BaseModel):
    """Open a tournament: its name and its rulebook, which is a shipped `rulebook` or the text of a `house`
    rulebook.

    `policies` are the policies that differ from the rulebook. `division_years` has the first year of birth of each
    division, if the years differ from the rulebook's. With `names_in_clear`, no player can ever be erased.
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
        """Return the text of the rulebook. Raises RulebookError for an unknown id."""
        return self.house if self.house is not None else rulebook_text(self.rulebook)


class ChangePolicy(Command):
    """Change a policy during the event: only the organizer, with a --reason.

    Standings and future rounds follow the new value. Paired rounds and postings do not change.
    """

    shown_first: ClassVar = True
    asks: ClassVar = "terminal"
    flag: Annotated[Text, argument("The policy, such as POL-ALL-REPAIR.")]
    value: Annotated[Text, argument("The policy's new value; `rules POLICY` lists the values.")]

    def needs_reason(self) -> Sentence:
        return sentence("a changed policy needs a reason in the log: give one")

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        need_open(record)
        flag = self.flag.upper()
        try:
            changed = record.rulebook_with({flag: self.value})
        except RulebookError as error:
            raise Refusal(error.said) from None
        if changed.readings == record.rulebook.readings:
            raise UsageProblem(
                sentence("%(flag)s is %(value)s already: nothing would change", flag=flag, value=self.value)
            )
        need_tier_for_leaders(record, changed)
        return [PolicyChanged(flag=flag, value=self.value)]


class DescribeEvent(Command):
    """Write the event's page; parts that you leave out stay as they were.

    `name` corrects the name of the event: every page then shows the new name. `logo` names a picture that the desk
    has uploaded. An empty text removes the logo.
    """

    name: Annotated[Text | None, option("--name", "The name of the event, if it was wrong.")] = None
    day: Annotated[date | None, option("--date", "The first day, 2026-05-02.")] = None
    venue: Annotated[Words | None, option("--venue", "The place of the event.")] = None
    schedule: Annotated[Words | None, option("--schedule", "The schedule, one line for each item.")] = None
    prizes: Annotated[Words | None, option("--prizes", "The prizes, one line for each.")] = None
    staff: Annotated[Words | None, option("--staff", "The organizer, as shown to everybody.")] = None
    accent: Annotated[Accent | None, option("--accent", "The colour of the event's pages: {known}.")] = None
    logo: Annotated[str, Field(pattern=f"^$|{LOGO}")] | None = None

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        need_open(record)
        said = self.model_dump(exclude={"kind"}, exclude_none=True)
        if said.get("name", record.name) != record.name:
            _need_name(said["name"])
        else:
            said.pop("name", None)
        if not said.get("logo", True):
            said["logo"] = None
        described = description(record).model_copy(update=said)
        if described == description(record):
            raise UsageProblem(sentence("the page would have nothing new: give a date, a venue, or something else"))
        return [described]


class PostNews(Command):
    """Post news on the event's page."""

    text: Annotated[Words, argument("The news for everybody.")]

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        need_open(record)
        return [NewsPosted(text=self.text)]


class FileOverview(Command):
    """Record that you sent the overview and the score cards."""

    sent: Annotated[date | None, option("--sent", "The day, 2026-05-09; by default today.")] = None
    cards: Annotated[Count | None, option("--cards", "The number of score cards sent; by default all.")] = None

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        """Record the overview even if it is late or has too few score cards. The command `rating` shows the
        consequences (SWR-RATING).
        """
        sent = self.sent or now().astimezone().date()
        rule = record.rulebook.rating
        if rule is None:
            raise Refusal(
                sentence("%(rulebook)s asks for no overview: there is nothing to send", rulebook=record.rulebook.id)
            )
        if record.closing is None:
            raise Refusal(sentence("the tournament is not closed: close it, then send the overview"), rule.rule)
        if (filed := record.overview_filed) is not None:
            raise Refusal(
                sentence(
                    "the overview was sent on %(sent)s (entry %(entry)s): retract that entry first",
                    sent=filed[1].sent,
                    entry=filed[0],
                )
            )
        took_part = len(rating(record).participants)
        count = took_part if self.cards is None else self.cards
        if not 0 <= count <= took_part:
            raise Refusal(
                sentence(
                    "%(count)s score cards are too many: %(took_part)s players took part",
                    count=count,
                    took_part=took_part,
                ),
                rule.rule,
            )
        if record.closing.ended is not None and sent < record.closing.ended:
            raise Refusal(
                sentence(
                    "the event ended on %(ended)s, so the overview cannot have been sent on %(sent)s",
                    ended=record.closing.ended,
                    sent=sent,
                ),
                rule.rule,
            )
        return [OverviewFiled(sent=sent, cards=count)]
