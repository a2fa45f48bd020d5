"""Sentences that may fit several objects, and predictions that took another of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from inspector.analysis.language import is_generic, tokens_of
from inspector.analysis.pictures import count_same_category
from inspector.core.dataset import Dataset
from inspector.core.failures import FAILURE_ROWS
from inspector.core.scores import Scores

_WRONG_REFERENT = FAILURE_ROWS["wrong_referent"]


@dataclass(frozen=True, slots=True, eq=False)
class Ambiguity:
    """``n`` examples in one run.

    Attributes:
        maybe: ``(n,)`` bool, the sentence may fit several objects.
        took_another: ``(n,)`` bool, ``maybe``, and the prediction fits another object of the
            target's category (failure mode ``wrong_referent``): the ones to look at first.
        other: ``(n,)`` int32, row of that object; -1 elsewhere.
    """

    maybe: np.ndarray
    took_another: np.ndarray
    other: np.ndarray


def maybe_ambiguous(dataset: Dataset) -> np.ndarray:
    """Say which sentences name a kind that the picture has several of, and nothing else.

    The sentence is a pronoun or a bare kind (attribute ``bare``) without a role such as bride or
    batter, and the picture has at least one other object of the target's category that is
    neither a crowd region nor part of the target. Whether man or boy tells two persons apart is
    not known: hence *maybe*. Where the data set lists only the referred objects, only those are
    known, and ambiguous sentences are missed.

    Returns:
        ``(n,)`` bool.
    """
    sentences = dataset.expressions.sentences
    bare = {sentence: is_generic(tokens_of(sentence)) for sentence in set(sentences)}
    found: np.ndarray = np.array([bare[sentence] for sentence in sentences], bool)
    return found & (count_same_category(dataset) > 0)


def triage(scores: Scores) -> Ambiguity:
    """Find the failures that may be the sentence's fault rather than the model's."""
    maybe = maybe_ambiguous(scores.dataset)
    took = maybe & (scores.failure == _WRONG_REFERENT)
    return Ambiguity(maybe, took, np.where(took, scores.other, -1).astype(np.int32))
