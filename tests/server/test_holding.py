"""What is open: other visitors' rules and reloads neither lock anybody out nor let him wait."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from fastapi.testclient import TestClient

from inspector.core.errors import UsageError
from inspector.findings import no_store
from inspector.server.app import create_app
from inspector.server.holding import MOST_RULES, Holder
from inspector.server.opened import GoneError
from inspector.server.rules import read_rules
from tests.building import make_workspace, score_strips

SOON = 10  # seconds; nothing here takes as long unless it hangs


@pytest.fixture
def workspace():
    return make_workspace(score_strips(("##..", "#..."), ("##..", "##..")))


def holder_of(workspace, reopen=None) -> Holder:
    return Holder(workspace, reopen, no_store("not here"))


def rules_of(workspace, threshold: float):
    return read_rules({"threshold": f"{threshold}"}, workspace)


class TestRules:
    def test_those_of_the_workspace_stay_whatever_others_choose(self, workspace):
        client = TestClient(create_app(workspace, page={}))
        version = client.get("/data/start").json()["version"]
        for number in range(2 * MOST_RULES):
            chosen = {"threshold": f"{0.1 + number / 100}"}
            assert client.get("/data/start", params=chosen).status_code == 200
        assert client.get(f"/data/{version}/ids").status_code == 200

    def test_of_others_the_last_are_kept_and_the_rest_is_closed(self, workspace):
        holder = holder_of(workspace)
        opened = [holder.under(rules_of(workspace, 0.1 + number / 100))
                  for number in range(MOST_RULES + 1)]
        assert holder.at(opened[-1].version) is opened[-1]
        with pytest.raises(GoneError, match="other visitors have switched the rules"):
            holder.at(opened[0].version)
        with pytest.raises(GoneError):
            opened[0].panel("failures", {})

    def test_the_same_rules_are_made_once(self, workspace):
        holder = holder_of(workspace)
        rules = rules_of(workspace, 0.25)
        assert holder.under(rules) is holder.under(rules)

    def test_the_own_threshold_is_taken_as_it_is(self, workspace):
        scores = workspace.scores[0]
        own = replace(scores, thresholds=replace(scores.thresholds, iou=0.0))
        assert read_rules({}, replace(workspace, scores=(own,)))[-1] == 0.0

    @pytest.mark.parametrize("written", ["0", "1.1", "half", "nan", "-1"])
    def test_another_threshold_must_be_one(self, workspace, written):
        with pytest.raises(UsageError, match=f"'{written}' is no IoU threshold"):
            read_rules({"threshold": written}, workspace)


class TestReload:
    def test_meanwhile_everybody_else_is_answered(self, workspace):
        begun, go = threading.Event(), threading.Event()

        def reopen(old):
            begun.set()
            assert go.wait(SOON)
            return replace(old, scores=())

        holder = holder_of(workspace, reopen)
        own = read_rules({}, workspace)
        opened = holder.under(own)
        reading = threading.Thread(target=holder.reload)
        reading.start()
        try:
            assert begun.wait(SOON)
            assert holder.under(own) is opened
            assert holder.at(opened.version) is opened
        finally:
            go.set()
            reading.join(SOON)
        assert holder.workspace.scores == ()
        with pytest.raises(GoneError, match="the files were read again"):
            holder.at(opened.version)

    def test_where_nothing_has_changed_all_stays(self, workspace):
        holder = holder_of(workspace, lambda old: old)
        switched = holder.under(rules_of(workspace, 0.25))
        holder.reload()
        assert holder.at(switched.version) is switched
