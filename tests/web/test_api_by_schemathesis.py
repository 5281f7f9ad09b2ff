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
from tests.budgets import ALIKE, REQUESTS, at_length
from tests.web.chromium import serving
from tests.web.conftest import KEY, at_terminal

from matchledger.ledger import open_ledger
from matchledger.web.app import create_app
from matchledger.web.settings import Settings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the imports of schemathesis itself warn
    import schemathesis
    from schemathesis.checks import not_a_server_error
    from schemathesis.generation.drivers import CoverageGenerator
    from schemathesis.generation.feedback import NO_FEEDBACK
    from schemathesis.generation.overrides import Override
    from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

DESCRIPTION = create_app(":memory:").openapi()
API = schemathesis.openapi.from_dict(DESCRIPTION)
API.config.phases.coverage.enabled = False  # another test makes these requests, and leaves most of them out


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str, requests.Session]]:
    """The address of a server whose round is in progress, the id of its tournament, and an open connection."""
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


def _way(case: Any) -> Hashable:
    """Return the kind of command, the scenario and the wrong field of a request."""
    about = case.meta.phase.data
    command = case.body.get("kind") if isinstance(case.body, dict) else type(case.body).__name__
    return str(command), getattr(about, "scenario", None), getattr(about, "parameter", None)


def _send(case: Any, served: tuple[str, str, requests.Session]) -> None:
    """Send a request to the tournament of the server. The API's description must name the status and the type of
    the answer.
    """
    address, tournament, connection = served
    if "tournament" in (case.path_parameters or {}):
        case.path_parameters["tournament"] = tournament
    case.headers = {**(case.headers or {}), "authorization": f"Bearer {KEY}"}
    answer = case.call(base_url=address, session=connection)
    case.validate_response(
        answer, checks=(not_a_server_error, status_code_conformance, response_schema_conformance)
    )


@API.parametrize()
@settings(max_examples=at_length(REQUESTS), suppress_health_check=list(HealthCheck))
def test_no_request_breaks_the_server(case: Any, served: tuple[str, str, requests.Session]) -> None:
    _send(case, served)


@pytest.mark.parametrize("found", list(API.get_all_operations()), ids=lambda found: found.ok().label)
def test_no_kind_of_wrong_or_right_request_breaks_the_server(
    found: Any, served: tuple[str, str, requests.Session]
) -> None:
    """The same code refuses invalid fields of every command, so one request of each kind is enough."""
    most = at_length(ALIKE)
    operation = found.ok()
    generation = API.config.generation_for(operation=operation, phase="coverage")
    sent: Counter[Hashable] = Counter()
    for case in CoverageGenerator(
        operation=operation,
        generation_modes=generation.modes,
        generation_config=generation,
        auth_storage=None,
        override=Override(),
        feedback=NO_FEEDBACK,
    ):
        sent[way := _way(case)] += 1
        if sent[way] <= most:
            _send(case, served)
