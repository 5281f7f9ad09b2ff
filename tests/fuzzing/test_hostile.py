"""Hostile input at every entrance: arbitrary bytes, damaged samples, and input that breaks other programs."""

from __future__ import annotations

import json
import subprocess
import sys
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.budgets import NUMBERS, at_length
from tests.fuzzing.damage import damaged
from tests.fuzzing.mutation import mutated
from tests.fuzzing.seeds import COMMANDS, seeds
from tests.fuzzing.targets import TARGETS, UNGUARDED

from matchledger.formats.text import FormatError

_QUICKLY = settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.large_base_example])


@pytest.mark.parametrize("target", TARGETS)
@given(data=st.binary(max_size=200))
@_QUICKLY
def test_any_bytes_are_understood_or_refused(target: str, data: bytes) -> None:
    TARGETS[target](data)


@pytest.mark.parametrize("target", TARGETS)
@given(choices=st.data())
@_QUICKLY
def test_damaged_samples_are_understood_or_refused(target: str, choices: st.DataObject) -> None:
    TARGETS[target](damaged(choices.draw(st.sampled_from(seeds(target))), choices))


@given(sample=st.sampled_from(seeds("log")), random=st.randoms(use_true_random=False))
@settings(max_examples=300, suppress_health_check=list(HealthCheck))
def test_a_senseless_log_is_refused_and_any_other_log_can_be_shown(sample: bytes, random: Random) -> None:
    """The format and the tree head are right, but the contents are invented."""
    TARGETS["log"](mutated(sample, random))


def test_some_altered_logs_are_accepted_and_others_refused() -> None:
    """The test of altered logs needs both kinds: logs that the import accepts, and logs that it refuses."""
    taken = 0
    for number in range(100):
        try:
            UNGUARDED["log"](mutated(seeds("log")[number % len(seeds("log"))], Random(number)))
            taken += 1
        except FormatError:
            continue
    assert 5 < taken < 95


_VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from([1, 2, 3])


@given(
    command=st.sampled_from(COMMANDS),
    other=st.dictionaries(st.text(max_size=3), _VALUES, max_size=1),
    data=st.data(),
)
@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
def test_a_command_with_random_values_is_executed_or_refused(
    command: dict[str, object], other: dict[str, object], data: st.DataObject
) -> None:
    field = data.draw(st.sampled_from(sorted(command)))
    value = data.draw(_VALUES | st.lists(_VALUES, max_size=3))
    changed = command | ({} if field == "kind" else {field: value}) | other
    TARGETS["command"](json.dumps(changed).encode())


# -- bombs: small to send, large to read

MEMORY = 3 * 2**30  # bytes of address space. Python and its libraries take a third
SECONDS = 240  # seconds for all inputs together, on a busy machine

BOMBS = """
import resource, sys
from tests.fuzzing.seeds import seeds
from tests.fuzzing.targets import TARGETS

resource.setrlimit(resource.RLIMIT_AS, ({memory}, {memory}))
MEGABYTE = 2**20
xml = b"<tournament " + b" ".join(b'a%d=""' % number for number in range(6 * MEGABYTE)) + b"/>"
bombs = {{
    "a line of 100 MB": b"x" * (100 * MEGABYTE),
    "a line of 50 MB": b"x" * (50 * MEGABYTE),
    "50 million lines": b"\\n" * (50 * MEGABYTE),
    "50 million lines of an old Mac": b"\\r" * (50 * MEGABYTE),
    "millions of numbers": b"[" + b"0," * ({millions} * MEGABYTE) + b"0]",
    "depth": b"[" * MEGABYTE,
    "depth of objects": b'{{"a":' * MEGABYTE,
    "depth of elements": b"<a>" * MEGABYTE,
    "attributes": xml,
    "entities": b'<!DOCTYPE a [<!ENTITY b "' + b"x" * MEGABYTE + b'"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>',
    "a key of keys": b"a." * MEGABYTE + b"a = 1",
}}
for name, bomb in bombs.items():
    for target in {targets}:
        print(target, name, file=sys.stderr, flush=True)
        TARGETS[target](bomb)
"""
FILES = (
    "any-file",
    "sheet",
    "cobra",
    "tom",
    "pokedata",
    "melee",
    "aesops",
    "roster",
    "decklist",
    "card-data",
    "rulebook",
    "export",
    "key-ring",
    "bundle",
    "checkpoint",
    "token",
)


@pytest.mark.fuzzing
@pytest.mark.skipif(sys.platform == "win32", reason="memory is limited as POSIX does")
def test_no_bomb_exhausts_memory_or_time() -> None:
    script = BOMBS.format(memory=MEMORY, targets=FILES, millions=at_length(NUMBERS))
    done = subprocess.run(  # noqa: S603 - our own Python
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
