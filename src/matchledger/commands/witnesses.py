"""Witnesses: storing a witness's cosignature under a checkpoint of this log."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from matchledger.commands.command import Command, Context, Text
from matchledger.commands.refusal import Refusal
from matchledger.events import AnyFact, CheckpointCosigned
from matchledger.notation.problems import UsageProblem
from matchledger.proof.checkpoint import SignedNote
from matchledger.proof.keys import COSIGNATURE, CheckpointError, VerificationKey
from matchledger.proof.witness import line_of, sighting
from matchledger_projections.message import sentence
from matchledger_projections.record.record import Record


class KeepCosignature(Command):
    """Store a witness's cosignature of a checkpoint of this log."""

    note: Annotated[str, Field(min_length=1, max_length=10_000, description="the cosigned checkpoint")]
    key: Annotated[Text, Field(description="the verification key of the witness")]

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        try:
            note = SignedNote.typed(self.note)
            key = VerificationKey.parse(self.key, types=(COSIGNATURE,))
        except CheckpointError as problem:
            raise UsageProblem(sentence("%(problem)s", problem=problem)) from None
        line = line_of(note, key)
        if line is None or sighting(note, key) is None:
            raise Refusal(sentence("%(key)s did not cosign this checkpoint", key=key.name))
        signed = [at for at, fact in record.checkpoints if SignedNote.parse(fact.note).text == note.text]
        if not signed:
            raise Refusal(sentence("this checkpoint is not one of this log"))
        kept = CheckpointCosigned(checkpoint=signed[-1], key=str(key), line=str(line))
        for at, fact in record.cosignatures:
            if (fact.checkpoint, fact.key) == (kept.checkpoint, kept.key):
                raise Refusal(
                    sentence("%(key)s cosigned this checkpoint already: entry %(entry)s", key=key.name, entry=at)
                )
        return [kept]
