"""Questions over scores: which sentences fail, and is one run really better than another.

Pure functions over a data set, its scores and numpy: no files, no page. An interval always comes
from resampling whole pictures, since the sentences of one picture are not independent.
"""
