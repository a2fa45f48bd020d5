"""A handle on a page that is served from a notebook or a script."""

from __future__ import annotations

import atexit
import os
import threading
from typing import TYPE_CHECKING, Self

from inspector.core.errors import UsageError
from inspector.views import FilterValue, write_view

if TYPE_CHECKING:
    from inspector.findings import Store
    from inspector.live import Desk
    from inspector.workspace import Workspace

_ELSEWHERE = ("JUPYTERHUB_USER", "SSH_CONNECTION", "COLAB_RELEASE_TAG", "CODESPACES")
"""Environment variables that say that the notebook's browser is on another machine."""


class Handle:
    """One page, served from a thread of this program. Made by ``inspector.open``.

    As a context manager it closes the page at its end; else the page is there until
    :meth:`close`, or the end of the program. Several handles serve several pages.

    Args:
        workspace: What is shown.
        port: Port of the page; None takes any that is free.
        desk: A live model, which is closed with the page.
        findings: Where findings are kept; closed with the page too.

    Attributes:
        url: Where the page is; for this machine only.
        workspace: The data set and its scores as they were opened.

    Raises:
        UsageError: If the port cannot be used.
    """

    def __init__(
        self, workspace: Workspace, *, port: int | None = None, desk: Desk | None = None,
        findings: Store | None = None,
    ) -> None:
        from inspector.server.access import Access
        from inspector.server.panels import PANELS
        from inspector.server.pointer import Pointer
        from inspector.ui.background import BackgroundServer
        from inspector.ui.mount import build_app
        from inspector.workspace import reload_runs

        self.workspace = workspace
        self._views = ("findings", *(panel.key for panel in PANELS))
        self._pointer = Pointer()
        self._desk, self._findings = desk, findings
        self._closing = threading.Lock()
        app = build_app(
            workspace, access=Access(framed_locally=True), live=desk, pointer=self._pointer,
            findings=findings, reopen=reload_runs if workspace.opening is not None else None,
        )
        self._server = BackgroundServer(app, port=port)
        self.url = self._server.url
        atexit.register(self.close)

    def select(
        self, example: str | int | None = None, *, run: str | None = None,
        view: str | None = None, **filters: FilterValue,
    ) -> Self:
        """Send every open page to a view; a page that is opened later begins there.

        The view is what is named here and nothing else: ``select()`` shows everything again.

        Args:
            example: Id of an example to go to. With filters, it must pass them.
            run: Name of a run.
            view: ``inspect`` (one example at a time), ``gallery``, ``table``, ``scatter``,
                ``findings`` or the key of an analysis.
            filters: As in the page's address, such as ``category="dog"``, ``iou=(0, 0.5)``,
                ``failure=["part", "spill"]``; also ``sort`` and ``reverse``.

        Returns:
            The handle itself.

        Raises:
            UsageError: If there is no such example, run, view or filter, or the page is closed.
        """
        self._check_open()
        query = write_view(
            self.workspace, example=example, run=run, view=view, filters=filters,
            further_views=self._views,
        )
        if example is not None and filters and str(example) not in self._pointer.order(query):
            raise UsageError(
                f"Example '{example}' is not among the examples that these filters leave. Leave "
                "filters out."
            )
        self._pointer.point(query)
        return self

    def selection(self) -> list[str]:
        """Give the ids of the examples that the page shows, in its order.

        These are all examples that pass the filters of the page that was last moved, whichever of
        them is on show. Before a page has followed :meth:`select`, they are those it will show.

        Raises:
            UsageError: If the page is closed.
        """
        self._check_open()
        return self._pointer.order(self._pointer.current)

    @property
    def example(self) -> str | None:
        """Id of the example on show; None as long as no page has said it."""
        return self._pointer.current.get("example")

    def close(self) -> None:
        """End the page and its model; a second time does nothing."""
        with self._closing:
            self._server.close()
            if self._desk is not None:
                self._desk.close()
            if self._findings is not None:
                self._findings.close()
        atexit.unregister(self.close)

    def __enter__(self) -> Self:
        """Give the handle."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the page."""
        self.close()

    def __repr__(self) -> str:
        """Name the address, the data set and its runs."""
        runs = ", ".join(scores.run.name for scores in self.workspace.scores) or "no run"
        where = self.url if self._server.is_running else "closed"
        return f"<inspector at {where}: {self.workspace.dataset.name}, {runs}>"

    def _repr_html_(self) -> str:
        """Show the page in a notebook, where its browser can reach this machine."""
        if not self._server.is_running:
            return "<p>This page of the inspector is closed.</p>"
        link = f'<a href="{self.url}" target="_blank" rel="noopener">{self.url}</a>'
        if any(os.environ.get(name) for name in _ELSEWHERE):
            port = self.url.rstrip("/").rpartition(":")[2]
            return (
                f"<p>The inspector is at {link} of the machine that runs this notebook. To see it "
                f"on yours: <code>ssh -L {port}:127.0.0.1:{port} HOST</code></p>"
            )
        return (
            f"<p>{link}</p>"
            f'<iframe src="{self.url}" title="Inspector" width="100%" height="720" '
            'style="border: 1px solid #8888; border-radius: 6px"></iframe>'
        )

    def _check_open(self) -> None:
        if not self._server.is_running:
            raise UsageError("This page of the inspector is closed. Open it again.")
