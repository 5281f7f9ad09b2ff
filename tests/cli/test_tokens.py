"""Station tokens on the command line: which are admitted, for which role, and which are refused."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from freezegun import freeze_time
from tests.cli.conftest import Desk

from matchledger.cli import COMMANDS
from matchledger.commands import access
from matchledger.commands.draft import Draft
from matchledger.commands.refusal import Refusal
from matchledger.events import TokenKeyTrusted
from matchledger.ledger import open_ledger
from matchledger.proof.keys import SigningKey
from matchledger_projections.conduct.access import tokens_demanded, trusted_keys

DEMANDED = (
    "this tournament records nothing without a station token: ask the organizer for one; use --token or "
    "MATCHLEDGER_TOKEN"
)


def issued(desk: Desk, role: str, name: str, *more: str) -> str:
    said = desk(f"token issue --key org.key --role {role} --name {name}", *more)
    assert said.code == 0, said.err
    [text] = said.lines
    return text


def entries(desk: Desk) -> list[dict[str, Any]]:
    return [json.loads(line) for line in desk("log --json").lines]


@pytest.fixture
def guarded(four: Desk) -> Desk:
    """Four players at two tables. From now on every recording command needs a token."""
    assert four("token key org.key").code == 0
    assert four("token trust --key org.key --demand").code == 0
    return four


def test_a_ledger_that_demands_tokens_refuses_to_record_without_one(guarded: Desk) -> None:
    before = guarded("log --json").out
    said = guarded("report 1 a")
    assert (said.code, said.problem) == (3, DEMANDED)
    assert guarded("log --json").out == before
    assert guarded("standings").code == guarded("verify").code == 0


def test_the_token_gives_the_actor_the_role_and_the_station(guarded: Desk) -> None:
    text = issued(guarded, "scorekeeper", "Mo", "--station", "Desk1")
    assert guarded("report 1 a", "--token", text).code == 0
    *_, came_in, reported = entries(guarded)
    assert came_in["fact"]["kind"] == "token-admitted"
    assert (reported["actor"], reported["role"], reported["station"]) == ("Mo", "scorekeeper", "Desk1")
    assert reported["token"] == came_in["fact"]["token"] == came_in["token"]


def test_a_station_is_admitted_once_and_can_record_often(guarded: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MATCHLEDGER_TOKEN", issued(guarded, "scorekeeper", "Mo"))
    assert guarded("report 1 a").code == guarded("report 2 a").code == 0
    kinds = [entry["fact"]["kind"] for entry in entries(guarded)]
    assert kinds.count("token-admitted") == 1


@pytest.mark.parametrize(
    ("option", "problem"),
    [
        ("--role organizer", "the token says role 'scorekeeper', not 'organizer'"),
        ("--actor Cheat", "the token says actor 'Mo', not 'Cheat'"),
        ("--station north", "the token says station 'Mo', not 'north'"),
    ],
)
def test_options_that_contradict_the_token_are_refused(guarded: Desk, option: str, problem: str) -> None:
    said = guarded(f"report 1 a {option}", "--token", issued(guarded, "scorekeeper", "Mo"))
    advice = "a token fixes actor, role and station; leave --actor, --role and --station out"
    assert (said.code, said.problem) == (3, f"{problem}: {advice}")
    assert entries(guarded)[-1]["fact"]["kind"] == "token-key-trusted", "nothing was recorded"
    same = guarded("report 1 a --role scorekeeper --actor Mo", "--token", issued(guarded, "scorekeeper", "Mo"))
    assert same.code == 0


def test_a_token_can_expire_during_the_event(guarded: Desk) -> None:
    with freeze_time("2026-05-02 09:00"):
        text = issued(guarded, "scorekeeper", "Mo", "--hours", "2")
        assert guarded("report 1 a", "--token", text).code == 0
    with freeze_time("2026-05-02 11:00"):
        said = guarded("report 2 a", "--token", text)
    assert (said.code, said.problem) == (
        3,
        "this token expired at 2026-05-02 11:00 UTC: ask the organizer for a new one",
    )


def test_a_token_is_refused_before_it_becomes_valid(guarded: Desk) -> None:
    text = issued(guarded, "scorekeeper", "Mo", "--starting-in", "3")
    assert guarded("report 1 a", "--token", text).problem.startswith("this token is not valid before ")


def test_a_revoked_token_is_refused(guarded: Desk) -> None:
    text, organizer = issued(guarded, "scorekeeper", "Mo"), issued(guarded, "organizer", "Org")
    id_ = guarded("token show --json", "--token", text).document["id"]
    assert guarded(f"token revoke {id_}", "--token", organizer).code == 0
    said = guarded("report 1 a", "--token", text)
    assert (said.code, said.problem) == (3, "this token was revoked (entry 9): ask the organizer for a new one")
    again = guarded(f"token revoke {id_}", "--token", organizer)
    assert (again.code, again.problem) == (3, f"token {id_} is revoked already (entry 9)")
    shown = guarded("token show", "--token", text)
    assert (shown.code, shown.lines) == (1, [f"Not taken: {said.problem}"])


def test_an_older_token_is_refused_after_a_newer_token_was_used(guarded: Desk) -> None:
    """A person must not keep using an earlier token with a higher role."""
    older, newer = issued(guarded, "organizer", "Mo"), issued(guarded, "scorekeeper", "Mo")
    assert guarded("report 1 a", "--token", older).code == 0
    assert guarded("report 2 a", "--token", newer).code == 0
    said = guarded("drop Ann", "--token", older)
    assert (said.code, said.problem) == (
        3,
        "this token was replaced: Mo logged in at Mo with a later one (entry 10)",
    )


def test_a_single_use_token_is_refused_the_second_time(guarded: Desk) -> None:
    text = issued(guarded, "judge", "Jo", "--once")
    assert guarded("report 1 a", "--token", text).code == 0
    said = guarded("report 2 a", "--token", text)
    assert (said.code, said.problem) == (
        3,
        "this single-use token was used (entry 8): ask the organizer for a new one",
    )


def test_a_token_for_one_tournament_is_refused_at_another(guarded: Desk) -> None:
    text = issued(guarded, "scorekeeper", "Mo")
    assert guarded("open Saturday -b l5r-2018 --ledger other.ledger").code == 0
    assert guarded("token trust --key org.key --ledger other.ledger").code == 0
    said = guarded("register Ed --ledger other.ledger", "--token", text)
    assert (said.code, said.problem) == (
        3,
        "this token is for another tournament: ask the organizer for one of this tournament",
    )


def test_a_repeated_command_is_recorded_once(guarded: Desk) -> None:
    text = issued(guarded, "scorekeeper", "Mo")
    for _ in range(2):
        assert guarded("report 1 a --command-id slip-1", "--token", text).code == 0
    assert [entry["command"] for entry in entries(guarded)].count("slip-1") == 1


def test_a_forged_token_is_refused(guarded: Desk) -> None:
    text = issued(guarded, "scorekeeper", "Mo")
    assert guarded("token key other.key").code == 0
    foreign = guarded("token issue --key other.key --role organizer --name Mo").lines[0]
    for false, problem in (
        (text[:-4] + ("AAAA" if text[-4:] != "AAAA" else "BBBB"), "this token is damaged: "),
        (foreign, "this tournament does not trust the key of this token"),
        ("let-me-in", "this is not a station token: "),
    ):
        said = guarded("report 1 a", "--token", false)
        assert said.code == 3
        assert said.problem.startswith(problem)


def test_a_read_only_token_records_nothing(guarded: Desk) -> None:
    said = guarded("report 1 a", "--token", issued(guarded, "read-only", "Wall"))
    assert (said.code, said.problem) == (3, "this token may only read: nothing was recorded")


@pytest.mark.parametrize(
    "line", ["token trust --key mine.key", "token distrust --key org.key", "token revoke 0123456789ab"]
)
def test_only_the_organizer_manages_token_keys(guarded: Desk, line: str) -> None:
    assert guarded("token key mine.key").code == 0
    said = guarded(line, "--token", issued(guarded, "judge", "Jo"))
    assert (said.code, said.problem) == (
        3,
        "a judge cannot decide who may use tokens: use a token of the organizer",
    )


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("token-key-trusted", "station tokens signed with "),
        ("token-revoked", "token 0123456789ab revoked)"),
        ("token-admitted", "Org (organizer) logged in at Org with token "),
    ],
)
def test_admissions_and_trusted_keys_are_never_retracted(guarded: Desk, kind: str, told: str) -> None:
    organizer = issued(guarded, "organizer", "Org")
    assert guarded("token revoke 0123456789ab", "--token", organizer).code == 0
    position = next(entry["position"] for entry in entries(guarded) if entry["fact"]["kind"] == kind)
    said = guarded(f"retract {position}", "--token", organizer)
    assert said.refused.startswith(f"entry {position} ({told}")
    assert said.refused.endswith("cannot be taken back")


def test_a_distrusted_key_admits_nobody_and_demands_nothing(guarded: Desk) -> None:
    text = issued(guarded, "organizer", "Org")
    assert guarded("token distrust --key org.key", "--token", text).code == 0
    assert guarded("report 1 a", "--token", text).problem.startswith("this tournament accepts no tokens yet")
    assert guarded("report 1 a").code == 0


@pytest.mark.finding("A-7")
def test_a_single_use_token_is_for_one_tournament_and_a_revoked_token_is_revoked_in_each(guarded: Desk) -> None:
    said = guarded("token issue --key org.key --role judge --name Jo --once --ledger ''")
    assert said.problem == "a token that works once is for one tournament: name its ledger with --ledger"
    organizer = guarded("token issue --key org.key --role organizer --name Org --ledger ''").lines[0]
    assert guarded("token revoke 0123456789aa -t Friday", "--token", organizer).err == ""
    assert guarded("open Saturday -b l5r-2018").code == 0
    assert guarded("token trust --key org.key -t Saturday --role organizer").code == 0
    revoked = guarded("token revoke 0123456789ab -t Friday", "--token", organizer)
    assert revoked.err == "note: Saturday trusts the same key: revoke a token for every tournament there too\n"


@pytest.mark.finding("A-3")
def test_another_key_does_not_end_the_demand_for_tokens(guarded: Desk) -> None:
    """A stolen key is replaced: the demand passes to the new key, which is trusted without `--demand`."""
    text = issued(guarded, "organizer", "Org")
    again = guarded("token trust --key org.key", "--token", text)
    assert again.refused == "this key is trusted already"
    assert guarded("token key new.key").code == 0
    said = guarded("token trust --key new.key", "--token", text)
    assert said.out.endswith("Nothing is recorded without one from here on.\n")
    own = guarded("token distrust --key org.key", "--token", text)
    assert own.refused.startswith("this command's own token is signed with that key: use a token of another")
    [newer] = guarded("token issue --key new.key --role organizer --name Olga").lines
    distrusted = guarded("token distrust --key org.key", "--token", newer)
    assert (distrusted.code, distrusted.err) == (0, "")
    assert guarded("report 1 a").problem == DEMANDED
    last = guarded("token distrust --key new.key", "--token", newer)
    assert last.err == "From here on, entries need no token: token trust --demand demands tokens again.\n"


@pytest.mark.finding("A-3")
@pytest.mark.usefixtures("guarded")
def test_the_last_key_that_demands_tokens_cannot_be_distrusted_before_another() -> None:
    """Earlier versions trusted a second key without the demand."""
    key = SigningKey.generate("second").verification
    with open_ledger("event.ledger") as ledger:
        [tournament] = ledger.tournaments()
        record = ledger.record(tournament)
        [(first, _)] = trusted_keys(record).items()
        draft = Draft(tournament, ledger.record_as_of(tournament, record.position))
        draft.decide(lambda _: [TokenKeyTrusted(key=str(key), demanded=False, signed=True, chained=True)])
        with pytest.raises(Refusal, match="first trust another key with a demand for tokens"):
            access.distrust_key(draft.record, role="organizer", key=first)
        draft.decide(partial(access.trust_key, role="organizer", key=str(key), demanded=False))
        draft.decide(partial(access.distrust_key, role="organizer", key=first))
        assert tokens_demanded(draft.record)


def test_a_key_that_others_can_read_is_not_used(guarded: Desk) -> None:
    assert Path("org.key").stat().st_mode & 0o777 == 0o600
    Path("org.key").chmod(0o640)
    said = guarded("token issue --key org.key --role judge --name Jo")
    assert (said.code, said.problem) == (
        2,
        "others can read the key org.key: chmod 600 it, or make a new one if they may have",
    )


def test_no_token_is_issued_for_a_missing_ledger(desk: Desk) -> None:
    """People often make tokens before they open the event, when the environment already names its ledger."""
    desk("token key org.key --name example.org/desk")
    said = desk("token issue --key org.key --role judge --name Jo")
    assert (said.code, said.out) == (2, "")
    assert said.problem.startswith("a token is for a tournament, and there is no ledger ")
    assert said.problem.endswith(
        "event.ledger: open or import a tournament into it first; --ledger '' is for every "
        "tournament that trusts the key"
    )
    everywhere = desk("token issue --key org.key --role judge --name Jo --ledger ''")
    assert (everywhere.code, everywhere.out[:5]) == (0, "mlt2.")
    assert "for every tournament that trusts its key" in everywhere.err
    assert desk("open Friday -b l5r-2018").code == 0
    assert "for tournament " in desk("token issue --key org.key --role judge --name Jo").err


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (
            "--role boss --name Mo",
            "there is no role 'boss': there are organizer, marshal, judge, scorekeeper, player, ",
        ),
        ("--role judge --name ''", "--name: String should have at least 1 character"),
        ("--role judge --name Mo --hours 0", "a token is valid for some time, 744 hours at the most"),
    ],
)
def test_a_refusal_to_issue_a_token_gives_its_reason(guarded: Desk, options: str, problem: str) -> None:
    said = guarded(f"token issue --key org.key {options}")
    assert said.code == 2
    assert said.problem.startswith(problem)


def test_token_list_shows_the_admitted_tokens_and_their_state(guarded: Desk) -> None:
    assert guarded("report 1 a", "--token", issued(guarded, "scorekeeper", "Mo")).code == 0
    organizer = issued(guarded, "organizer", "Org")
    id_ = guarded("token list --json").document["tokens"][0]["id"]
    assert guarded(f"token revoke {id_}", "--token", organizer).code == 0
    document = guarded("token list --json").document
    assert (document["demanded"], len(document["keys"])) == (True, 1)
    assert [(found["actor"], found["revoked"]) for found in document["tokens"]] == [("Mo", 11), ("Org", None)]
    assert guarded("token list").lines[1] == "Nothing is recorded without a token."


def test_every_command_that_records_takes_a_token(guarded: Desk) -> None:
    recording = [name for name in COMMANDS if "--command-id" in guarded(f"{name} --help").out]
    assert len(recording) > 20
    for name in recording:
        assert "--token" in guarded(f"{name} --help").out, name


def test_tokens_of_a_key_that_is_not_here_are_demanded_only_after_a_question(four: Desk) -> None:
    """Before the fix, the key of somebody else was pasted, and nothing could be recorded any more."""
    vkey = four("token key foreign.key").lines[0]
    problem = four(f"token trust {vkey} --demand").problem
    assert problem.endswith("nothing can be recorded any more: name your own key file with --key, or add --yes")
    assert four("register Eve --station east").code != 2
    assert four(f"token trust {vkey} --demand --yes").code == 0
    assert four("news late").code != 0
