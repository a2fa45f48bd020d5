"""What people find while they look: verdicts, tags, notes, review queues, saved views.

Kept in one SQLite file (:mod:`~inspector.findings.store`), in which every change is an event of a
log that only grows (:mod:`~inspector.findings.log`).
"""

from inspector.findings.columns import FindingsColumns, findings_columns
from inspector.findings.comparison import compare_with_now
from inspector.findings.evidence import RunEvidence
from inspector.findings.log import read_finding, read_findings, record
from inspector.findings.records import VERDICTS, Author, Evidence, Finding, Slot, dataset_key
from inspector.findings.store import Store, no_store, open_store

__all__ = [
    "VERDICTS", "Author", "Evidence", "Finding", "FindingsColumns", "RunEvidence", "Slot", "Store",
    "compare_with_now", "dataset_key", "findings_columns", "no_store", "open_store",
    "read_finding", "read_findings", "record",
]
