"""What a sentence speaks of, by rule: position, colour, relation …; the tables are in ``words``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from inspector.analysis import words as w

Tokens = tuple[str, ...]

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)?(?:/[^\W_]+)?")
_APOSTROPHE = re.compile(r"\s+['’]\s+(?=(?:s|t|re|ve|ll|d)\b)")


@lru_cache(maxsize=200_000)
def tokens_of(sentence: str) -> Tokens:
    """Split a sentence into words in lower case, without punctuation.

    RefCOCOg's separate apostrophes are put back, and ``w/o`` stays one word.

    Example:
        >>> tokens_of("the lady ' s T-shirt, w/o sleeves")
        ('the', "lady's", 't', 'shirt', 'w/o', 'sleeves')
    """
    return tuple(_TOKEN.findall(_APOSTROPHE.sub("'", sentence.casefold()).replace("’", "'")))


def _stem(token: str) -> str:
    """Take a possessive ending off."""
    return token[:-2] if token.endswith("'s") else token


def word_at(tokens: Tokens, place: int) -> str:
    """Give the word at a place; empty before the first and after the last."""
    return tokens[place] if 0 <= place < len(tokens) else ""


def after_articles(tokens: Tokens, place: int) -> int:
    """Give the place of the next word that is no article or possessive."""
    while word_at(tokens, place) in w.ARTICLES:
        place += 1
    return place


def is_of_a_thing(tokens: Tokens, place: int) -> bool:
    """Whether the word at a place is part of ``left of the car``, not ``left of the picture``."""
    place += 1
    while word_at(tokens, place) in w.SIDES:
        place += 1
    if word_at(tokens, place) != "of":
        return False
    place = after_articles(tokens, place + 1)
    return word_at(tokens, place) not in w.PICTURE | {"", "whole", "entire"}


def _is_location_use(tokens: Tokens, place: int) -> bool:
    """Whether a location word is used as one: not right behind, a blue top, a right foot."""
    token, before, after = tokens[place], word_at(tokens, place - 1), word_at(tokens, place + 1)
    if token == "right":
        if after in w.AS_AN_ADVERB or before == "all":
            return False
        if after == "in" and word_at(tokens, place + 2) in ("front", "the", "between"):
            return False
        if after == "side" and word_at(tokens, place + 2) == "up":
            return False
    if token in ("left", "right") and after in w.BODY_SIDES:
        return False
    if token in ("left", "right") and after == "hand":
        is_place = before in ("on", "upper", "far")
        return is_place or word_at(tokens, place + 2) not in w.FUNCTION | {""}
    if token == "top":
        worn = w.COLOURS | w.PATTERNS | {"tank", "crop", "halter", "sleeveless", "wearing"}
        at_once = w.LOCATION | w.SIDES | w.FUNCTION
        if before in worn and (after in w.FUNCTION | {""} or after not in at_once):
            return False
        if before in w.WITH_A_TOP or after == "of" and before == "on" or after == "hat":
            return False
    if token in ("upper", "lower") and after in ("body", "arm", "lip", "half"):
        return False
    return not (token == "center" and after in ("piece", "field"))


def uses_location_word(tokens: Tokens) -> bool:
    """Left, right, top, bottom, middle, corner …, absolute or of another thing.

    RefCOCO+ was collected under the rule that such words are forbidden.
    """
    return any(
        token in w.LOCATION and _is_location_use(tokens, place)
        for place, token in enumerate(tokens)
    )


def says_position(tokens: Tokens) -> bool:
    """Says where in the picture, or how near to the camera; not relative to another thing."""
    return any(
        token in w.LOCATION and _is_location_use(tokens, place)
        and not is_of_a_thing(tokens, place) and not _is_facing(tokens, place)
        for place, token in enumerate(tokens)
    ) or any(_says_depth(tokens, place) for place in range(len(tokens)))


def _is_facing(tokens: Tokens, place: int) -> bool:
    before = [t for t in tokens[max(place - 3, 0) : place] if t not in ("the", "to", "towards")]
    return bool(before) and before[-1] in ("facing", "looking", "faces", "turned", "pointing")


def _says_depth(tokens: Tokens, place: int) -> bool:
    token, before, after = tokens[place], word_at(tokens, place - 1), word_at(tokens, place + 1)
    if token in ("close", "closer", "closest", "near", "nearer", "nearest", "nearst"):
        if after == "to":
            return word_at(tokens, after_articles(tokens, place + 2)) in w.PICTURE | w.DEPTH | {
                "bottom", "top", "left", "right", "edge"}
        if token in ("closest", "nearest"):
            return True
        return word_at(tokens, after_articles(tokens, place + 1)) in w.PICTURE
    if token == "behind":
        return place == len(tokens) - 1 and place > 0 or after in ("standing", "sitting")
    if token not in w.DEPTH:
        return False
    if token == "far" and after == "from" or token in ("furthest", "farthest") and after == "from":
        return word_at(tokens, after_articles(tokens, place + 2)) in w.PICTURE
    if token in ("front", "back", "rear", "far"):
        if is_of_a_thing(tokens, place):
            return False
        if after in w.PARTS or token == "far" and is_of_a_thing(tokens, place + 1):
            return False
    if token == "back":
        is_on_the = before == "the" and word_at(tokens, place - 2) in ("on", "with")
        return after not in w.AFTER_A_BACK and before not in w.BEFORE_A_BACK and not is_on_the
    return not (token == "front" and before in ("his", "her", "its", "on"))


def says_number(tokens: Tokens) -> bool:
    """Names a rank, a quantity or digits: second, last, two, 79."""
    return any(
        token in w.ORDINALS
        or any(letter.isdigit() for letter in token) and token not in ("mp3", "3d")
        for token in tokens
    )


def says_colour(tokens: Tokens) -> bool:
    """Names a colour or shade; an orange and a cream cheese are none."""
    return any(token in w.COLOURS and _is_colour(tokens, place)
               for place, token in enumerate(tokens)) or _says_light(tokens)


def _says_light(tokens: Tokens) -> bool:
    shades = w.COLOURS | {"colored", "coloured", "color", "skinned", "haired", "hair"}
    return any(token == "light" and word_at(tokens, place + 1) in shades
               for place, token in enumerate(tokens))


def _is_colour(tokens: Tokens, place: int) -> bool:
    token, before, after = tokens[place], word_at(tokens, place - 1), word_at(tokens, place + 1)
    if token == "cream":
        return before not in ("ice", "whipped", "sour", "whip") and after not in (
            "cheese", "filled", "cake")
    if token == "orange":
        if before in ("in", "wearing", "and") and after in w.FUNCTION | {""}:
            return True
        if before in w.COLOURS - {"orange"} and after in w.FUNCTION | {""}:
            return place >= 2 and tokens[place - 2] in ("in", "wearing")
        fruit = w.FUNCTION | w.LOCATION | w.DEPTH | w.SIDES | {
            "", "slice", "slices", "half", "piece", "juice", "peel", "closest", "wedge", "segment"}
        return after not in fruit and not after.endswith(("ing", "est"))
    return not (token == "dark" and before in ("the", "after"))


def says_size(tokens: Tokens) -> bool:
    """Names size, height, length or thickness of anything: big, tall, long hair."""
    return any(
        token in w.SIZES
        and word_at(tokens, place + 1) not in {"little": ("bit",), "long": ("distance", "as")}.get(
            token, ())
        for place, token in enumerate(tokens)
    )


def says_comparison(tokens: Tokens) -> bool:
    """Compares: closest, taller, leftmost, more, than."""
    return any(
        token in w.COMPARATIVES
        or len(token) > 4 and token.endswith("est") and token not in w.NOT_SUPERLATIVE
        or len(token) > 6 and token.endswith("most") and token != "almost"
        for token in tokens
    )


def says_negation(tokens: Tokens) -> bool:
    """Excludes something: not, no, without, can't, except; ``no 49`` is a number."""
    return any(
        (token in w.NEGATIONS or token.endswith("n't"))
        and not (token == "no" and word_at(tokens, place + 1).isdigit())
        or token == "other" and word_at(tokens, place + 1) == "than"
        for place, token in enumerate(tokens)
    )


def says_person(tokens: Tokens) -> bool:
    """Names a person by kind or role; a pronoun, a baby elephant or an mp3 player is none."""
    return any(_is_person(tokens, place) for place in range(len(tokens)))


def _is_person(tokens: Tokens, place: int) -> bool:
    token = _stem(tokens[place])
    before, after = word_at(tokens, place - 1), word_at(tokens, place + 1)
    if token not in w.PERSONS:
        return False
    animal = w.ANIMALS | {"phant", "chair", "carrot", "carrots", "carriage"}
    if token in ("baby", "mother", "mom", "adult", "male", "female", "father"):
        return _stem(after) not in animal
    if token == "player":
        return before not in ("mp3", "dvd", "cd", "record", "music", "media")
    if token == "pitcher":
        return after not in ("of",) and before not in ("water", "beer", "glass", "milk")
    return not (token in ("fan", "chick", "cook") and before in ("ceiling", "baby", "to"))


def says_clothing(tokens: Tokens) -> bool:
    """Names something worn, or says a person is in a colour."""
    for place, token in enumerate(tokens):
        if token in ("in", "wearing") and _is_in_colour(tokens, place):
            return True
        if _stem(token) in w.CLOTHES and _is_worn(tokens, place):
            return True
    return any(
        token == "top" and not _is_location_use(tokens, place)
        and word_at(tokens, place - 1) not in w.WITH_A_TOP | {"on"}
        for place, token in enumerate(tokens)
    )


def _is_worn(tokens: Tokens, place: int) -> bool:
    token = _stem(tokens[place])
    before, after = word_at(tokens, place - 1), word_at(tokens, place + 1)
    if token == "glasses":
        drinks = {"wine", "water", "beer", "drinking", "champagne", "empty", "tall", "two", "of",
                  "three", "between", "the"}
        return before not in drinks and after != "of" and (
            says_person(tokens) or before in ("with", "wearing", "sun"))
    if token == "watch":
        return before in ("a", "wrist", "his", "her", "wearing", "silver", "gold") and after != "tv"
    if token in ("belt", "crown", "mask", "tie", "ties") and after in ("of", "down", "up"):
        return False
    if token == "trunks":
        return before in ("swim", "swimming", "swimsuit") or before in w.COLOURS
    if token == "suit" and after in ("case", "cases"):
        return False
    return not (token in ("boot", "cap", "hood", "worn") and not says_person(tokens))


def _is_in_colour(tokens: Tokens, place: int) -> bool:
    phrase = noun_phrase(tokens, place + 1)
    return bool(phrase) and phrase[-1] in w.COLOURS | {"plaid", "stripes", "camo"} and all(
        token in w.COLOURS | w.PATTERNS | {"all", "and"} for token in phrase
    )


def noun_phrase(tokens: Tokens, place: int) -> Sequence[str]:
    """Give the words after a preposition up to the next function word or verb, at most five."""
    place = after_articles(tokens, place)
    end = place
    while end < len(tokens) and end < place + 5 and not _ends_phrase(tokens, end):
        end += 1
    return tokens[place:end]


def _ends_phrase(tokens: Tokens, place: int) -> bool:
    token = tokens[place]
    is_joined = token == "and" and word_at(tokens, place + 1) in w.COLOURS
    return token in w.FUNCTION and not is_joined or token.endswith("ing") and token not in (
        "living", "dining", "cutting", "parking", "building", "swimming", "skiing")


def is_bare(tokens: Tokens) -> bool:
    """A kind of thing or person, or a pronoun, and nothing that tells one from another."""
    rest = [token for token in tokens if token not in w.ARTICLES | {"of", "is", "it's"}]
    kinds = w.KINDS | w.PERSONS | w.PRONOUNS
    if not rest:  # the article was the pronoun: this, that
        return bool(w.PRONOUNS & set(tokens))
    return len(rest) <= 3 and rest[-1] in kinds and all(
        token in kinds | w.KIND_PARTS for token in rest
    ) and not w.CLOTHES & set(rest)


def is_generic(tokens: Tokens) -> bool:
    """Bare, and no role such as bride or batter, which one person of a picture may have alone."""
    return is_bare(tokens) and not any(
        token in w.PERSONS - w.ANYBODY or token in w.KIND_PARTS for token in tokens
    )
