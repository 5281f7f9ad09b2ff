"""The API holds what its description promises, whatever is sent to it: schemathesis makes the requests."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from tests.web.chromium import serving
from tests.web.conftest import KEY, at_terminal

from matchledger.ledger import open_ledger
from matchledger.web.app import create_app
from matchledger.web.settings import Settings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of schemathesis's own imports
    import schemathesis
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

DESCRIPTION = create_app(":memory:").openapi()
API = schemathesis.openapi.from_dict(DESCRIPTION)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The address of a server with a round in progress, and the id of its tournament."""
    path = tmp_path_factory.mktemp("event") / "friday.ledger"
    _play(path)
    with open_ledger(path) as ledger:
        tournament = str(ledger.tournaments()[0])
    with serving(path, Settings(key=KEY)) as address:
        yield address, tournament


def _play(ledger: Path) -> None:
    terminal = at_terminal(ledger)
    terminal("open", "Friday", "--rulebook", "ashes-2022")
    for name in ("Ann", "Bo", "Cy", "Di", "Ed"):
        terminal("register", name)
    terminal("pair")
    terminal("report", "1", "a:9")


@API.parametrize()
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
def test_nothing_that_is_sent_breaks_the_server(case: Any, served: tuple[str, str]) -> None:
    address, tournament = served
    if "tournament" in (case.path_parameters or {}):
        case.path_parameters["tournament"] = tournament
    case.headers = {**(case.headers or {}), "authorization": f"Bearer {KEY}"}
    answer = case.call(base_url=address)
    case.validate_response(
        answer, checks=(not_a_server_error, status_code_conformance, response_schema_conformance)
    )
