"""Two ground truths of the same referents: what was changed, and what it does to the numbers.

Works on loaded data sets and scores, so that it knows no file: ``matching`` finds who is who,
``shape`` measures two masks of one referent, ``effects`` splits the change of each score,
``results`` holds what was found.
"""
