"""A classical segmentation method, with numpy and cv2 only and without any training.

``segment`` reads colour, size and position words and works on any photograph and sentence.
"""

import re

import cv2
import numpy as np

WORK_SIDE = 320  # the methods look at a small copy of the picture; the mask is scaled back

# Colour word -> hue ranges (OpenCV: 0 to 179), saturation range, value range.
COLOURS: dict[str, tuple[list[tuple[int, int]], tuple[int, int], tuple[int, int]]] = {
    "red": ([(0, 8), (171, 179)], (110, 255), (60, 255)),
    "orange": ([(6, 20)], (120, 255), (120, 255)),
    "yellow": ([(20, 34)], (70, 255), (110, 255)),
    "green": ([(33, 88)], (60, 255), (40, 255)),
    "blue": ([(92, 134)], (80, 255), (50, 255)),
    "purple": ([(130, 165)], (70, 255), (40, 255)),
    "pink": ([(150, 179), (0, 6)], (35, 150), (100, 255)),
    "brown": ([(0, 20), (165, 179)], (60, 255), (20, 140)),
    "black": ([(0, 179)], (0, 255), (0, 75)),
    "white": ([(0, 179)], (0, 85), (190, 255)),
    "gray": ([(0, 179)], (0, 50), (60, 190)),
}
SYNONYMS = {
    "grey": "gray", "silver": "gray", "golden": "yellow", "gold": "yellow", "violet": "purple",
    "navy": "blue", "crimson": "red", "beige": "yellow",
}  # fmt: skip
# Things that nearly always have one colour; used only when the sentence names no colour.
TYPICAL = {
    "lime": "green", "leaf": "green", "leaves": "green", "grass": "green", "tree": "green",
    "bush": "green", "kiwi": "green", "lemon": "yellow", "banana": "yellow", "sky": "blue",
    "sea": "blue", "snow": "white", "cloud": "white", "carrot": "orange", "tomato": "red",
    "strawberry": "red", "wood": "brown", "branch": "brown", "trunk": "brown",
}  # fmt: skip
# Word -> where it points, as (x, y) in shares of the picture; None leaves that axis free.
PLACES: dict[str, tuple[float | None, float | None]] = {
    "left": (0.0, None), "leftmost": (0.0, None), "right": (1.0, None), "rightmost": (1.0, None),
    "top": (None, 0.0), "upper": (None, 0.0), "above": (None, 0.0), "back": (None, 0.0),
    "bottom": (None, 1.0), "lower": (None, 1.0), "below": (None, 1.0), "front": (None, 1.0),
    "under": (None, 1.0), "middle": (0.5, 0.5), "center": (0.5, 0.5), "centre": (0.5, 0.5),
}  # fmt: skip
BIG = {"big", "bigger", "biggest", "large", "larger", "largest", "huge", "tall", "whole"}
SMALL = {"small", "smaller", "smallest", "little", "tiny", "thin", "short"}


def shrink(image: np.ndarray) -> np.ndarray:
    """Copy of an image (H, W, 3) uint8 whose longer side is at most ``WORK_SIDE``."""
    scale = WORK_SIDE / max(image.shape[:2])
    if scale >= 1:
        return np.ascontiguousarray(image)
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA)


def grow(mask: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """Mask (h, w) bool scaled to ``shape`` (H, W) bool with smooth borders."""
    soft = cv2.resize(mask.astype(np.float32), shape[::-1], interpolation=cv2.INTER_LINEAR)
    return soft > 0.5


def tidy(mask: np.ndarray, *, radius: int = 2) -> np.ndarray:
    """Open and close a mask (h, w) bool, so that specks and pinholes go."""
    side = 2 * radius + 1
    element = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    work = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, element)
    return cv2.morphologyEx(work, cv2.MORPH_CLOSE, element).astype(bool)


def otsu(values: np.ndarray) -> np.ndarray:
    """Values (h, w) float in 0..1 to bool (h, w): above Otsu's threshold."""
    scaled = (values.clip(0, 1) * 255).astype(np.uint8)
    _, mask = cv2.threshold(scaled, 0, 1, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    return mask.astype(bool)


def colour_mask(image: np.ndarray, colour: str) -> np.ndarray:
    """Pixels of a named colour; image (h, w, 3) uint8, mask (h, w) bool."""
    hsv = cv2.cvtColor(cv2.GaussianBlur(image, (3, 3), 0), cv2.COLOR_RGB2HSV)
    hues, (s_low, s_high), (v_low, v_high) = COLOURS[colour]
    mask = np.zeros(image.shape[:2], bool)
    for low, high in hues:
        lower = np.array([low, s_low, v_low], np.uint8)
        upper = np.array([high, s_high, v_high], np.uint8)
        mask |= cv2.inRange(hsv, lower, upper).astype(bool)
    return mask


def named_colours(words: list[str]) -> list[str]:
    """The first colour that a sentence names, with those joined to it ("white and red")."""
    colours: list[str] = []
    for word in (SYNONYMS.get(word, word) for word in words):
        if word in COLOURS:
            colours.append(word)
        elif colours and word != "and":
            break
    return colours or [TYPICAL[word] for word in words if word in TYPICAL][:1]


def layers(image: np.ndarray) -> list[np.ndarray]:
    """Ways to split an image (h, w, 3) uint8 into bool masks (h, w) without any colour word."""
    lab = cv2.cvtColor(cv2.GaussianBlur(image, (5, 5), 0), cv2.COLOR_RGB2LAB).astype(np.float32)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 15, 1.0)
    found = []
    for count in (k for k in (3, 5, 8) if k < lab[:, :, 0].size):
        cv2.setRNGSeed(1)
        _, labels, _ = cv2.kmeans(lab.reshape(-1, 3), count, None, stop, 1, cv2.KMEANS_PP_CENTERS)
        grid = labels.reshape(lab.shape[:2])
        found += [grid == cluster for cluster in range(count)]
    # Uneven light (a shadow over half the table) splits one surface: compare with the surroundings.
    light = lab[:, :, 0]
    around = cv2.GaussianBlur(light, (0, 0), max(light.shape) / 10)
    spread = max(float(np.abs(light - around).max()), 1.0)
    found += [otsu((light - around) / spread), otsu((around - light) / spread)]
    return found


def pieces(layer: np.ndarray) -> list[np.ndarray]:
    """Connected pieces of a mask (h, w) bool, holes filled, without specks and backgrounds."""
    height, width = layer.shape
    contours, _ = cv2.findContours(
        tidy(layer).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
    )
    found = []
    for contour in contours:
        canvas = np.zeros(layer.shape, np.uint8)
        cv2.drawContours(canvas, [contour], -1, 1, cv2.FILLED)
        left, top, wide, high = cv2.boundingRect(contour)
        sides = (left <= 1) + (top <= 1) + (left + wide >= width - 1) + (top + high >= height - 1)
        # A thing that somebody writes about is hardly smaller than a 500th of the picture, and
        # what reaches three of the picture's sides is rather the ground than a thing.
        if layer.size / 500 <= canvas.sum() <= layer.size * 0.6 and sides < 3:
            found.append(canvas.astype(bool))
    return found


def thingness(lab: np.ndarray, piece: np.ndarray) -> float:
    """How much a piece (h, w) bool of a Lab image (h, w, 3) looks like one thing, about 0 to 1."""
    contour = max(
        cv2.findContours(piece.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0],
        key=cv2.contourArea,
    )
    solid = float(piece.sum()) / max(cv2.contourArea(cv2.convexHull(contour)), 1.0)
    ring = cv2.dilate(piece.astype(np.uint8), np.ones((9, 9), np.uint8)).astype(bool) & ~piece
    if not ring.any():
        return 0.0
    # What runs along the picture's edge is rather the ground that things stand on.
    edge = sum(int(side.sum()) for side in (piece[0], piece[-1], piece[:, 0], piece[:, -1]))
    inner = max(0.0, 1 - 2 * edge / max(cv2.arcLength(contour, True), 1.0))
    step = float(np.linalg.norm(lab[piece].mean(axis=0) - lab[ring].mean(axis=0)))
    return min(solid, 1.0) * inner * min(step / 60, 1.0)


def choose(lab: np.ndarray, found: list[np.ndarray], *, words: list[str]) -> np.ndarray:
    """The piece (h, w) bool that the place and size words point at; the Lab image is (h, w, 3)."""
    height, width = lab.shape[:2]
    largest = max(float(piece.sum()) for piece in found)
    best, best_score = found[0], -np.inf
    for piece in found:
        ys, xs = np.nonzero(piece)
        x, y = xs.mean() / width, ys.mean() / height
        size = float(np.sqrt(piece.sum() / largest))
        thing = thingness(lab, piece)
        score = thing + 0.35 * size
        for word in words:
            place_x, place_y = PLACES.get(word, (None, None))
            score -= abs(x - place_x) if place_x is not None else 0.0
            score -= abs(y - place_y) if place_y is not None else 0.0
            # A big stretch of ground is not a big thing.
            score += 2 * thing * size if word in BIG else 0.0
            score -= size if word in SMALL else 0.0
        if score > best_score:
            best, best_score = piece, score
    return best


def refine(image: np.ndarray, piece: np.ndarray) -> np.ndarray:
    """Let GrabCut move the border of a piece (h, w) bool a little; returns the same shape."""
    reach = max(2, round(0.12 * float(np.sqrt(piece.sum()))))
    element = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    wide = cv2.dilate(piece.astype(np.uint8), element).astype(bool)
    core = cv2.erode(piece.astype(np.uint8), element).astype(bool)
    state = np.full(piece.shape, cv2.GC_BGD, np.uint8)
    state[wide] = cv2.GC_PR_BGD
    state[piece] = cv2.GC_PR_FGD
    state[core] = cv2.GC_FGD
    cv2.setRNGSeed(1)
    models = np.zeros((1, 65)), np.zeros((1, 65))
    cv2.grabCut(image, state, None, *models, 2, cv2.GC_INIT_WITH_MASK)
    better = (state == cv2.GC_FGD) | (state == cv2.GC_PR_FGD)
    return tidy(better) if better.any() else piece


def segment(image_rgb: np.ndarray, sentence: str) -> np.ndarray:
    """Mask bool (H, W) of what a sentence seems to mean in an image uint8 (H, W, 3).

    Colour words (or the usual colour of a few things) select pixels; without any, the picture is
    split by colour and by local contrast. Place and size words then choose one connected piece,
    and GrabCut corrects its border. The mask is empty when nothing has the colour. Nothing here
    knows what a cup or a squirrel is.
    """
    image = shrink(image_rgb)
    words = re.findall(r"[a-z]+", sentence.lower())
    colours = named_colours(words)
    if colours:
        layer = np.logical_or.reduce([colour_mask(image, colour) for colour in colours])
        found = pieces(layer)
    else:
        found = [piece for layer in layers(image) for piece in pieces(layer)]
    if not found:
        return np.zeros(image_rgb.shape[:2], bool)
    lab = cv2.cvtColor(image, cv2.COLOR_RGB2LAB).astype(np.float32)
    return grow(refine(image, choose(lab, found, words=words)), image_rgb.shape[:2])
