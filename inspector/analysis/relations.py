"""Whether a sentence finds its target through another thing: next to, on a horse, holding."""

from __future__ import annotations

from inspector.analysis import words as w
from inspector.analysis.language import (
    Tokens,
    after_articles,
    is_of_a_thing,
    noun_phrase,
    word_at,
)

_PLACES = w.LOCATION | w.DEPTH | w.SIDES | w.PICTURE | {
    "edge", "most", "outside", "inside", "total", "general", "closest", "nearest", "between",
    "first", "last", "second", "third", "row", "order", "shade", "color", "colour", "focus",
    "half", "two", "one", "motion", "profile", "full", "all", "way", "stripes", "lower",
    "action", "mid", "air", "midair", "behind", "partly", "partially",
}
_NEAR = ("close", "closer", "closest", "near", "nearer", "nearest", "next", "adjacent", "connected",
         "attached", "chained", "tied", "belonging", "parallel")
_FROM = ("away", "across", "hanging", "coming", "drinking", "eating", "protruding", "far", "out",
         "farthest", "furthest", "feet", "down", "up")
_NOBODY = w.PICTURE | {"", "ground", "itself", "himself", "herself", "each"}


def says_relation(tokens: Tokens) -> bool:
    """Says where or what the target is through another thing or person, or acts on one."""
    return any(_relates(tokens, place) for place in range(len(tokens)))


def _relates(tokens: Tokens, place: int) -> bool:
    token, after = tokens[place], word_at(tokens, place + 1)
    if token in w.PREPOSITIONS:
        return _is_thing(tokens, place + 1)
    if token in ("closer", "nearer", "further", "farther") and "than" in tokens[place:]:
        return True
    if token in _NEAR and after == "to" or token in _FROM and after == "from":
        return _is_thing(tokens, place + 2)
    if token in ("left", "right", "front", "top", "side", "middle", "corner", "edge", "back",
                 "bottom", "center", "ahead", "end"):
        return is_of_a_thing(tokens, place) and _is_beside(tokens, place)
    if token in ("in", "on", "at", "by"):
        return _is_at_thing(tokens, place)
    if token == "out" and after == "of":
        return _is_thing(tokens, place + 2) and word_at(tokens, place + 2) != "focus"
    if token in ("down", "up") and after in w.ARTICLES:
        return _is_thing(tokens, place + 1)
    if token in ("to", "with") and after in ("other", "another", "others"):
        return True
    return _acts(tokens, place)


def _is_beside(tokens: Tokens, place: int) -> bool:
    """Left of a thing, in front of it, on top of it; the back of a chair is a part of it."""
    token = tokens[place]
    if token in ("front", "top", "middle", "center", "back", "bottom", "corner", "edge",
                 "end"):
        before = [t for t in tokens[max(place - 2, 0) : place] if t not in w.ARTICLES]
        if token == "top" and "with" in tokens[max(place - 4, 0) : place]:
            return False
        return bool(before) and before[-1] in ("in", "on", "at", "is")
    return True


def _is_thing(tokens: Tokens, place: int) -> bool:
    """Whether another thing or person is named there, not the camera or a part of the picture."""
    place = after_articles(tokens, place)
    token = word_at(tokens, place)
    if token in ("left", "right", "top", "bottom", "front", "back", "middle", "center"):
        return word_at(tokens, place + 1) not in w.FUNCTION | w.SIDES | w.LOCATION | w.DEPTH | {""}
    if token in w.FUNCTION - w.PRONOUNS - w.ARTICLES | _NOBODY | {"side", "corner", "edge"}:
        return token in ("him", "them", "it", "her") or word_at(tokens, place - 1) == "her"
    return token not in ("there", "here", "picture")


def _is_at_thing(tokens: Tokens, place: int) -> bool:
    token = tokens[place]
    if token == "on" and word_at(tokens, place + 1) in ("it", "them", "top"):
        return word_at(tokens, place + 1) != "top" and not w.MARKINGS & set(tokens[:place])
    if token == "in" and word_at(tokens, place + 1) in ("it", "them"):
        return True
    phrase = [t for t in noun_phrase(tokens, place + 1)]
    if not phrase and token == "on" and word_at(tokens, place + 1) in ("its", "his", "her"):
        return True
    if w.CLOTHES & set(phrase) or not phrase:
        return False
    if word_at(tokens, place + 1) in ("its", "his", "her") and token == "on":
        return "turned" not in tokens and "with" not in tokens[:place] or "standing" in tokens
    rest = [t for t in phrase if t not in w.COLOURS | w.PATTERNS | {"very", "all", "dark"}]
    while rest and rest[0] in _PLACES:
        rest = rest[1:]
    if not rest or rest[0] in w.PICTURE:
        return False
    if token == "on" and w.MARKINGS & set(tokens[:place]) and rest[-1] in ("side", "it"):
        return False
    return not (token == "in" and rest[-1] in ("hair", "top", "hoodie", "sleeves"))


def _acts(tokens: Tokens, place: int) -> bool:
    """Whether a verb acts on another thing: holding a bat, eating grass, looking at the dog."""
    token, after = tokens[place], word_at(tokens, place + 1)
    goes_on = after_articles(tokens, place + 1)
    noun = word_at(tokens, goes_on)
    away = w.PICTURE - {"camera", "screen"} | w.LOCATION | w.DEPTH | {
        "", "away", "forward", "each", "other", "same", "opposite", "down", "up"}
    if token.startswith(("fac", "look", "star", "smil", "point")):
        away |= {"camera"}
    if token in w.TRANSITIVE and not after and word_at(tokens, place - 1) in ("is", "are"):
        return len(tokens) > 4
    if token in w.TRANSITIVE:
        if token in ("cutting", "walking", "working", "flying") and after not in w.ARTICLES:
            return False
        return noun not in away | (w.FUNCTION - w.ARTICLES)
    if token.endswith("ing") and token not in w.INTRANSITIVE:
        return after in w.ARTICLES | {"another"} and noun not in away
    if token in ("looking", "looks", "staring", "pointing", "smiling") and after == "at":
        return word_at(tokens, after_articles(tokens, place + 2)) not in away | {"it"}
    return False
