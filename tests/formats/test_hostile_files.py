"""Hostile and broken files: what the messages say. tests/fuzzing shows that a file is always either read or
refused.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.fuzzing.damage import damaged
from tests.fuzzing.seeds import COBRA, seeds

from matchledger.formats.reader import FORMATS, read_transcript
from matchledger.formats.text import MAX_FILE_BYTES, FormatError
from matchledger.formats.transcript import Transcript

SHEET = b"""rulebook l5r-2018
option POL-L5R-NOSHOW=bye
players A B "Ann Lee" C
round 1
  A > B modified-win
  "Ann Lee" 4-1 C rematch
drop B
late D 1 born=2001
round 2
  A > C (25-9)
  D bye (7)
correct 1 B > A
retract 1 A B
draw A C
cut 2
elimination 1
  A - C
close
"""


SAMPLES = {"sheet": SHEET, **{name: seeds(name)[0] for name in FORMATS if name != "sheet"}}


def _with_parts(values: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    keys = st.sampled_from(["id", "name", "players", "rounds", "player1", "table", "winner", "rank", "seed"])
    return st.lists(values, max_size=3) | st.dictionaries(keys, values, max_size=3)


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4), _with_parts, max_leaves=8
)


def read(data: bytes, name: str | None = None) -> Transcript | None:
    """Return the transcript, or None if the file is properly refused, in one printable line."""
    try:
        return read_transcript(data, name)
    except FormatError as error:
        message = str(error)
    assert message.isprintable()
    assert 0 < len(message) < 600
    return None


def refusal(data: bytes, name: str | None = None) -> str:
    with pytest.raises(FormatError) as caught:
        read_transcript(data, name)
    return str(caught.value)


@pytest.mark.parametrize("name", FORMATS)
def test_every_sample_is_read_and_its_format_is_guessed(name: str) -> None:
    assert read_transcript(SAMPLES[name]).format == name
    assert read_transcript(SAMPLES[name]) == read_transcript(SAMPLES[name], name)


def test_an_unknown_format_is_refused() -> None:
    assert refusal(SHEET, "pdf") == "there is no format 'pdf'; there are sheet, cobra, tom, pokedata, melee, aesops"


@given(value=ANY_JSON)
@settings(max_examples=100)
def test_json_of_any_shape_is_read_or_refused(value: object) -> None:
    read(json.dumps(value).encode(), "cobra")
    for key in ("name", "players", "rounds", "eliminationPlayers", "cutToTop"):
        read(json.dumps(COBRA | {key: value}).encode(), "cobra")


@given(choices=st.data())
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damaged_real_files_are_read_or_refused(real_events: Path, choices: st.DataObject) -> None:
    files = sorted([*real_events.glob("netrunner-cobra/*.json"), *real_events.glob("pokemon-tom/*.tdf")])
    file = choices.draw(st.sampled_from(files))
    read(damaged(file.read_bytes(), choices))


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_that_is_cut_off_anywhere_is_refused(name: str) -> None:
    data = SAMPLES[name].rstrip()
    for end in range(len(data)):
        read(data[:end], name)
    if name != "sheet":
        assert all(read(data[:end], name) is None for end in range(len(data)))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"rulebook a\nplayers A\xff\n", "line 2: byte 21 of the file (0xff) is not UTF-8; save the file as UTF-8"),
        (b"rulebook a\nplayers \0A\n", "line 2: byte 20 of the file is NUL, so it is not a text file"),
        ("rulebook a\n".encode("utf-16"), "the file is UTF-16; save it as UTF-8"),
        ("rulebook a\n".encode("utf-16-le"), "line 1: byte 2 of the file is NUL, so it is not a text file"),
        (b"rulebook a\n# " + b"x" * 10_000, "line 2: the line has 10002 characters; at most 10000 are read"),
        (b"\n" * 1_000_001, "the sheet has 1000001 lines; at most 1000000 are read"),
        (b'{\n  "a": }', "line 2: not valid JSON at column 8: Expecting value"),
        (b'{"a": NaN}', "the JSON has NaN where a number belongs"),
        (b'{"a": -Infinity}', "the JSON has -Infinity where a number belongs"),
        (b'{"a": 1, "a": 2}', 'the JSON has "a" twice in the same object'),
        (b'{"a": ' + b"1" * 5_000 + b"}", "the JSON has a number with thousands of digits"),
        (b"[" * 100_000, "the JSON is nested too deeply for the record of an event"),
        (b"[[]," * 1_000_001, "the JSON has millions of parts; is it really the record of one event?"),
        (b'{"rounds": [], "players": [' + b"0," * 100_000 + b"0]}", "players[0]: an object belongs here"),
        (b'{"a":' * 100_000, "the JSON is nested too deeply for the record of an event"),
        (b"<a><b></a>", "line 1: not valid XML at column 9: mismatched tag"),
        (b"<a>\n&x;</a>", "line 2: not valid XML at column 1: undefined entity"),
        (b"<a>" * 40, "line 1: the XML is nested too deeply for a tournament"),
        (b"<a>" + b"x" * 20_000 + b"</a>", "line 1: the text in <a> is too long for a tournament"),
        (
            b"<?xml version='1.0' encoding='utf-7'?><a/>",
            "line 1: the XML says that its encoding is 'utf-7'; save it as",
        ),
        (b"<a>\n\xe9</a>", "line 2: byte 5 of the file (0xe9) is not UTF-8; save the file as UTF-8"),
    ],
)
def test_the_error_about_an_unreadable_file_names_the_place(data: bytes, message: str) -> None:
    assert refusal(data).startswith(message)


@pytest.mark.parametrize(
    "declaration",
    [
        b'<!DOCTYPE tournament [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>',
        b'<!DOCTYPE tournament [<!ENTITY a SYSTEM "file:///etc/hostname">]>',
        b'<!DOCTYPE tournament SYSTEM "http://localhost:1/x.dtd">',
        b"<!DOCTYPE tournament>",
    ],
)
def test_document_types_and_entities_are_refused(declaration: bytes) -> None:
    data = SAMPLES["tom"].replace(b"<tournament", declaration + b"<tournament", 1)
    assert refusal(data) == "line 2: the XML has a DOCTYPE; files with document types or entities are not read"


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_above_64_megabytes_is_refused_before_it_is_parsed(name: str) -> None:
    data = SAMPLES[name][:1] + b" " * MAX_FILE_BYTES
    assert refusal(data, name) == "the file has more than 64 MB; is it really the record of one event?"


def test_text_in_a_file_cannot_steer_the_terminal() -> None:
    assert "\x1b" not in refusal(b'rulebook a\nplayers A\nround 1\nA > "\x1b[2J\x0b"\n')


def test_a_file_in_a_declared_older_encoding_is_read() -> None:
    declared = SAMPLES["tom"].replace(b"UTF-8", b"windows-1252").replace(b"<name>Cup", b"<name>\x93Caf\xe9")
    assert read_transcript(declared).name == "“Café"
