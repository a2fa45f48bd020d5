"""Scoring in pieces, here or on a cluster: the same numbers as in one go.

Predictions are shards; a shard is read in pieces. A first pass over all pieces reads the keys
alone, so that one place decides which prediction belongs to which example; a second one decodes the
masks and scores them, each piece against its own examples, by the function that scores a whole run
on one machine. Only numbers come back.
"""
