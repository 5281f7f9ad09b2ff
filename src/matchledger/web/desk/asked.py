"""The parameters after the `?` of the desk's pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar
from urllib.parse import urlencode

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from matchledger.events import Stage
from matchledger.notation.problems import UsageProblem, wrong_value

Number = Annotated[int, Field(ge=1, le=999_999)]
Wanted = Annotated[str, Field(max_length=200)]
# These parameters are about the last recorded entry, so a link to the page leaves them out.
SAID_ONCE = {"done", "form"}


class Asked(BaseModel):
    """The parameters after the `?` of a page. `done` is the last entry that `form` recorded from this page."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    kept: ClassVar[bool] = False  # the address keeps these parameters after a form on the page was recorded

    done: Annotated[int, Field(ge=1, le=10**9)] | None = None
    form: Wanted = ""

    @classmethod
    def of(cls, given: Mapping[str, str]) -> Asked:
        """Return the parameters of a page's address. Empty fields are left out. Raises UsageProblem for invalid
        values.
        """
        try:
            return cls.model_validate({name: value for name, value in given.items() if value})
        except ValidationError as error:
            raise UsageProblem(wrong_value(error.errors()[0])) from None

    @property
    def address(self) -> str:
        """Return the page's parameters as a query string, without the recorded entry, which is shown only once."""
        kept = self.model_dump(mode="json", exclude=SAID_ONCE, exclude_defaults=True)
        return urlencode({name: "yes" if value is True else value for name, value in kept.items()})


class AskedPlayers(Asked):
    """The parameters of the players page: a search `q` for names or numbers, the chip above the list, and the
    chosen player.
    """

    q: Wanted = ""
    show: Wanted = ""
    player: Number | None = None


class AskedRounds(Asked):
    """The parameters of the rounds page: whether the next round may repeat a match, and the selected table."""

    rematch: bool = False
    table: Number | None = None


class AskedHand(Asked):
    """The parameter of the page for pairing by hand: whether its rows begin with the result of the draw."""

    drawn: bool = False


class AskedMatch(Asked):
    """The parameters of the match page: a match, or a round whose matches are listed. A list of rounds to choose
    from has one value for a round with its stage: `elimination-2`.
    """

    round: Number | None = None
    table: Number | None = None
    stage: Stage = "swiss"

    @model_validator(mode="before")
    @classmethod
    def _with_stage(cls, given: Any) -> Any:
        stage, dash, number = str(given.get("round", "")).partition("-")
        return given | {"stage": stage, "round": number} if dash else given


class AskedLog(Asked):
    """The parameters of the log page: the search in the log, and the position at which the page continues."""

    kept = True
    q: Wanted = ""
    player: Wanted = ""
    round: Number | None = None
    table: Number | None = None
    stage: Stage = "swiss"
    about: Wanted = ""
    kind: Wanted = ""
    role: Wanted = ""
    station: Wanted = ""
    before: Annotated[int, Field(ge=1, le=10**9)] | None = None

    def toggled(self, **share: object) -> str:
        """Return the query string of a chip: it selects a share of the log, or all entries if that share is shown
        already.
        """
        is_shown = all(getattr(self, name) == value for name, value in share.items())
        chosen = {name: AskedLog.model_fields[name].default if is_shown else value for name, value in share.items()}
        return self.model_copy(update={"before": None, **chosen}).address

    def continued(self, before: int) -> str:
        """Return the query string of the log's next page."""
        return self.model_copy(update={"before": before}).address


class AskedConduct(Asked):
    """The parameter of the conduct page: a player, by number or name."""

    player: Number | None = None
    name: Wanted = ""
