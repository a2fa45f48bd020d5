"""What was read and scored, kept for the next opening of the same files."""

from inspector.snapshots.memory import Memory, digest_of, program_digest
from inspector.snapshots.witness import overlooked

__all__ = ["Memory", "digest_of", "overlooked", "program_digest"]
