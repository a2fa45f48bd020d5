"""Two classical methods that read no sentence, for the demo's other runs.

``salient`` takes what stands out. ``from_box`` starts from a box that somebody else supplies.
"""

import cv2
import numpy as np

from inspector.live.classical import grow, otsu, shrink, tidy


def salient(image_rgb: np.ndarray) -> np.ndarray:
    """Mask bool (H, W) of what stands out most in an image uint8 (H, W, 3); no sentence needed."""
    image = shrink(image_rgb)
    lab = cv2.cvtColor(image, cv2.COLOR_RGB2LAB).astype(np.float32)
    # Frequency-tuned saliency (Achanta et al., 2009): distance to the mean colour of the picture.
    blurred = cv2.GaussianBlur(lab, (0, 0), 2)
    distance = np.linalg.norm(blurred - lab.mean(axis=(0, 1)), axis=2)
    mask = tidy(otsu(distance / max(float(distance.max()), 1e-6)))
    count, pieces, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    if count < 2:
        return np.zeros(image_rgb.shape[:2], bool)
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    return grow(pieces == largest, image_rgb.shape[:2])


def from_box(image_rgb: np.ndarray, box_xywh: list[float]) -> np.ndarray:
    """Mask bool (H, W) that GrabCut finds inside a box (x, y, w, h) of an image (H, W, 3)."""
    height, width = image_rgb.shape[:2]
    left, top = max(int(box_xywh[0]), 0), max(int(box_xywh[1]), 0)
    right = min(round(box_xywh[0] + box_xywh[2]), width)
    bottom = min(round(box_xywh[1] + box_xywh[3]), height)
    state = np.full((height, width), cv2.GC_BGD, np.uint8)
    state[top:bottom, left:right] = cv2.GC_PR_FGD
    if (state == cv2.GC_PR_FGD).all() or not (state == cv2.GC_PR_FGD).any():
        return state == cv2.GC_PR_FGD  # GrabCut needs pixels of both kinds
    cv2.setRNGSeed(1)
    models = np.zeros((1, 65)), np.zeros((1, 65))
    image = np.ascontiguousarray(image_rgb)
    cv2.grabCut(image, state, None, *models, 4, cv2.GC_INIT_WITH_MASK)
    return tidy((state == cv2.GC_FGD) | (state == cv2.GC_PR_FGD))
