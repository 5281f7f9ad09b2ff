"""Narration of a tournament as a whole: its structure, stages and postings."""

from __future__ import annotations

from collections.abc import Mapping

from matchledger.events import (
    BracketDrawn,
    CheckpointCosigned,
    CheckpointSigned,
    CopyMerged,
    CutMade,
    EventDescribed,
    FileImported,
    NewsPosted,
    PairingsPosted,
    PolicyChanged,
    PostingFact,
    PublicityFact,
    QualifierReplaced,
    StageFact,
    StandingsPosted,
    StructureAnnounced,
    TieResolved,
    TournamentClosed,
    TournamentFact,
    TournamentOpened,
)
from matchledger_projections.message import both, joined, numbered, sentence, word
from matchledger_projections.narration.names import (
    closed_after,
    departs,
    name_of,
    names_of,
    opened_under,
    round_of,
)
from matchledger_projections.record.desk_calls import round_said
from matchledger_projections.record.record import Record


def tell_tournament(_: Record, fact: TournamentFact) -> str:
    """Describe the opening, the source or the end of a tournament in one line."""
    match fact:
        case TournamentOpened():
            chosen = "".join(f", {flag}={value}" for flag, value in fact.policies.items())
            return opened_under(fact.name, fact.rulebook, chosen)
        case PolicyChanged():
            return sentence("policy %(flag)s changed to %(value)s", flag=fact.flag, value=fact.value)
        case FileImported():
            return sentence("imported from %(file)s (%(format)s)", file=fact.name, format=fact.format)
        case TournamentClosed():
            ended = "" if fact.ended is None else sentence(", which ended on %(date)s", date=fact.ended)
            return joined((closed_after(fact.round, ended), departs(fact.deviations)), "")


def tell_stage(record: Record, fact: StageFact) -> str:
    """Describe the structure, and what follows the Swiss rounds, in one line."""
    match fact:
        case CutMade():
            cut = sentence(
                "cut to %(size)s%(division)s after round %(round)s: %(seeds)s",
                size=len(fact.seeds),
                division=_of_division(fact.division),
                round=fact.round,
                seeds=names_of(record, fact.seeds),
            )
            return joined((cut, departs(fact.deviations)), "")
        case StructureAnnounced():
            return sentence("announced: %(structure)s", structure=tell_structure(fact))
        case QualifierReplaced():
            replaced = sentence(
                "%(by)s took the place of %(player)s in the cut",
                by=name_of(record, fact.by),
                player=name_of(record, fact.player),
            )
            return joined((replaced, departs(fact.deviations)), "")
        case BracketDrawn():
            games = (f"{number} {names_of(record, game, ' - ')}" for number, game in enumerate(fact.games, 1))
            return sentence(
                "bracket%(division)s drawn (%(method)s): %(games)s",
                division=_of_division(fact.division),
                method=word(fact.method.replace("-", " ")),
                games=", ".join(games),
            )


def tell_posting(record: Record, fact: PostingFact) -> str:
    """Describe an ordered tie or a posting after a round in one line."""
    match fact:
        case TieResolved():
            return sentence(
                "order after round %(round)s by %(method)s draw: %(players)s",
                round=fact.round,
                method=word(fact.method),
                players=names_of(record, fact.players),
            )
        case StandingsPosted():
            return sentence("standings after round %(round)s posted", round=fact.round)
        case PairingsPosted():
            return sentence("pairings of %(round)s posted", round=round_of(fact))
        case CheckpointSigned():
            return sentence("checkpoint signed with %(key)s", key=fact.key)
        case CheckpointCosigned():
            return sentence(
                "checkpoint in entry %(entry)s cosigned with %(key)s", entry=fact.checkpoint, key=fact.key
            )


def tell_merged_copy(_: Record, fact: CopyMerged) -> str:
    """One line about a copy that was merged."""
    said = sentence(
        ("%(merged)s, a copy that branched off after entry %(fork)s: tree head %(size)s:%(root)s"),
        merged=tell_merged_entries(fact),
        fork=fact.fork,
        size=fact.size,
        root=fact.root,
    )
    if not fact.set_aside:
        return said
    rounds = joined(round_said(each.stage, each.number) for each in fact.set_aside)
    return sentence("%(merged)s; set aside: %(rounds)s", merged=said, rounds=rounds)


def tell_merged_entries(fact: CopyMerged) -> str:
    """The number of merged entries and the file that they came from."""
    entries = numbered("%(count)s entry", "%(count)s entries", len(fact.entries))
    return sentence("%(entries)s merged from %(file)s", entries=entries, file=fact.source)


def tell_structure(fact: StructureAnnounced) -> str:
    """A structure in words, with the departures from the rulebook at the end."""
    rounds = numbered("%(count)s Swiss round", "%(count)s Swiss rounds", fact.rounds)
    parts: list[str] = [fact.format] if fact.format is not None else []
    parts += [sentence("single elimination") if fact.style == "elimination" else rounds]
    if set(fact.division_rounds.values()) - {fact.rounds}:
        parts += _by_division(fact.division_rounds)
    top = both(_by_division(fact.division_cuts)) if fact.division_cuts else str(fact.cut or "")
    parts += [sentence("then the top %(size)s", size=top)] if top else []
    parts += [sentence("a match for 3rd and 4th place")] if fact.playoff else []
    parts += [sentence("a final without a time limit")] if fact.untimed_final else []
    parts += [numbered("%(count)s prize", "%(count)s prizes", fact.prizes)] if fact.prizes is not None else []
    parts += [sentence("with deck lists")] if fact.deck_lists else []
    parts += [joined(fact.house_rules)] if fact.house_rules else []
    name = "" if fact.structure == "custom" else joined((" (", word(fact.structure), ")"), "")
    return joined((joined(parts), name, departs(fact.deviations)), "")


def _by_division(numbers: Mapping[str, int]) -> list[str]:
    return [
        sentence("%(number)s of %(division)s", number=number, division=division)
        for division, number in numbers.items()
        if number
    ]


def _of_division(division: str | None) -> str:
    return sentence(" of %(division)s", division=division) if division else ""


def tell_publicity(_: Record, fact: PublicityFact) -> str:
    """One line about the event's page."""
    match fact:
        case EventDescribed():
            said = [value for value in (fact.day and str(fact.day), fact.venue) if value]
            shown = joined((" (", joined(said), ")"), "") if said else ""
            if fact.name is None:
                return sentence("the event page was updated%(said)s", said=shown)
            return sentence("the event page of %(name)s was updated%(said)s", name=fact.name, said=shown)
        case NewsPosted():
            return sentence("news: %(text)s", text=fact.text)
