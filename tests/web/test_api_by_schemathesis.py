"""The API follows its description for every request. schemathesis makes the requests."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Hashable, Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from hypothesis import HealthCheck, settings
from tests.budgets import REQUESTS, at_length
from tests.web.chromium import serving
from tests.web.conftest import KEY, at_terminal

from matchledger.ledger import open_ledger
from matchledger.web.app import create_app
from matchledger.web.settings import Settings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of schemathesis's own imports
    import schemathesis
    from schemathesis.checks import not_a_server_error
    from schemathesis.generation.meta import TestPhase
    from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

DESCRIPTION = create_app(":memory:").openapi()
API = schemathesis.openapi.from_dict(DESCRIPTION)


ALIKE = 3  # requests that are wrong, or right, in the same way


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str, requests.Session]]:
    """The address of a server with a round in progress, the id of its tournament, and an open connection."""
    path = tmp_path_factory.mktemp("event") / "friday.ledger"
    _play(path)
    with open_ledger(path) as ledger:
        tournament = str(ledger.tournaments()[0])
    with serving(path, Settings(key=KEY)) as address, requests.Session() as connection:
        yield address, tournament, connection


def _play(ledger: Path) -> None:
    terminal = at_terminal(ledger)
    terminal("open", "Friday", "--rulebook", "ashes-2022")
    for name in ("Ann", "Bo", "Cy", "Di", "Ed"):
        terminal("register", name)
    terminal("pair")
    terminal("report", "1", "a:9")


class Sent:
    """The number of requests for each way to be wrong or right. hypothesis records the way with each request."""

    def __init__(self) -> None:
        self._ways: Counter[Hashable] = Counter()

    def is_enough_of(self, way: Hashable) -> bool:
        self._ways[way] += 1
        return self._ways[way] > ALIKE

    def __repr__(self) -> str:
        return f"Sent({len(self._ways)} ways)"  # strategies with all kinds would be longer than hypothesis allows


@pytest.fixture(scope="module")
def sent() -> Sent:
    return Sent()


def _way(case: Any) -> Hashable:
    """The way in which a request is wrong or right: the route, the kind of command, and the wrong field."""
    about = case.meta.phase.data
    command = case.body.get("kind") if isinstance(case.body, dict) else type(case.body).__name__
    wrong = getattr(about, "scenario", None), getattr(about, "parameter", None)
    return case.path, case.method, str(command), case.meta.phase.name, *wrong


@API.parametrize()
@settings(max_examples=at_length(REQUESTS), suppress_health_check=list(HealthCheck))
def test_no_request_breaks_the_server(case: Any, served: tuple[str, str, requests.Session], sent: Sent) -> None:
    # Every command's fields get the same invalid values, and one line of code refuses them all: a few requests are
    # enough.
    if case.meta.phase.name == TestPhase.COVERAGE and sent.is_enough_of(_way(case)):
        return
    address, tournament, connection = served
    if "tournament" in (case.path_parameters or {}):
        case.path_parameters["tournament"] = tournament
    case.headers = {**(case.headers or {}), "authorization": f"Bearer {KEY}"}
    answer = case.call(base_url=address, session=connection)
    case.validate_response(
        answer, checks=(not_a_server_error, status_code_conformance, response_schema_conformance)
    )
