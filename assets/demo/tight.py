"""Tight masks: GrabCut seeded by the coarse polygon, cleaned, and hand-drawn where that fails."""

import cv2
import numpy as np

from fine import FINE, NESTED, RECIPES


def fill(polygon: list[float], shape: tuple[int, int]) -> np.ndarray:
    """Polygon (x1, y1, x2, y2, ...) as a bool mask (H, W)."""
    mask = np.zeros(shape, np.uint8)
    points = np.round(np.array(polygon, np.float64).reshape(-1, 2)).astype(np.int32)
    cv2.fillPoly(mask, [points], 1)
    return mask.astype(bool)


def disc(radius: int) -> np.ndarray:
    """Round structuring element, uint8 (2r+1, 2r+1)."""
    return cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))


def clean(mask: np.ndarray, *, radius: int) -> np.ndarray:
    """Smooth, keep the largest piece and fill its holes; bool (H, W) in and out."""
    # A frame that repeats the border keeps objects cut off by the picture's edge uneroded there.
    work = cv2.copyMakeBorder(mask.astype(np.uint8), 20, 20, 20, 20, cv2.BORDER_REPLICATE)
    work = cv2.morphologyEx(work, cv2.MORPH_CLOSE, disc(radius))
    work = cv2.morphologyEx(work, cv2.MORPH_OPEN, disc(radius))
    contours, _ = cv2.findContours(work, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return np.zeros_like(mask)
    filled = np.zeros_like(work)
    cv2.drawContours(filled, [max(contours, key=cv2.contourArea)], -1, 1, cv2.FILLED)
    return filled[20:-20, 20:-20].astype(bool)


def grabcut(
    image: np.ndarray, polygon: np.ndarray, *, taken: np.ndarray, core: float, smooth: int
) -> np.ndarray:
    """GrabCut inside a polygon mask (H, W); ``taken`` is what neighbours surely own.

    ``core`` is the share of the polygon's inner radius that is surely object.
    """
    depth = cv2.distanceTransform(
        cv2.copyMakeBorder(polygon.astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_REPLICATE),
        cv2.DIST_L2,
        5,
    )[1:-1, 1:-1]
    state = np.full(polygon.shape, cv2.GC_BGD, np.uint8)
    state[polygon] = cv2.GC_PR_FGD
    state[depth > (1 - core) * depth.max()] = cv2.GC_FGD
    # The polygon was drawn outside the border, so its outermost pixel is more likely background.
    state[polygon & (depth <= 1.5)] = cv2.GC_PR_BGD
    state[taken] = cv2.GC_BGD
    # Work on a window: the colours of what lies near are the ones to tell apart.
    ys, xs = np.nonzero(polygon)
    pad = 14
    window = (
        slice(max(ys.min() - pad, 0), ys.max() + pad + 1),
        slice(max(xs.min() - pad, 0), xs.max() + pad + 1),
    )
    crop = np.ascontiguousarray(image[window])
    part = np.ascontiguousarray(state[window])
    cv2.setRNGSeed(1)
    cv2.grabCut(crop, part, None, np.zeros((1, 65)), np.zeros((1, 65)), 6, cv2.GC_INIT_WITH_MASK)
    result = np.zeros(polygon.shape, bool)
    result[window] = (part == cv2.GC_FGD) | (part == cv2.GC_PR_FGD)
    return clean(result, radius=smooth)


def tight_masks(image: np.ndarray, name: str, *, polygons: list[list[float]]) -> list[np.ndarray]:
    """Tight masks of one picture's objects, in order; image uint8 (H, W, 3), masks bool (H, W)."""
    coarse = [fill(polygon, image.shape[:2]) for polygon in polygons]
    masks = []
    for number, polygon in enumerate(coarse, start=1):
        key = f"{name}-{number}"
        if key in FINE:
            masks.append(fill(FINE[key], image.shape[:2]))
            continue
        taken = np.zeros_like(polygon)
        for other, mask in enumerate(coarse, start=1):
            if other != number and f"{name}-{other}" not in NESTED.get(key, ()):
                taken |= cv2.erode(mask.astype(np.uint8), disc(6)).astype(bool)
        recipe = RECIPES.get(key, RECIPES.get(name, {}))
        masks.append(
            grabcut(
                image,
                polygon,
                taken=taken & ~cv2.erode(polygon.astype(np.uint8), disc(8)).astype(bool),
                core=recipe.get("core", 0.4),
                smooth=recipe.get("smooth", 3),
            )
        )
    return masks
