"""Tables of scores that were made before, or elsewhere: read once, then looked up on disk."""
