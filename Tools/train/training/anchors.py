"""The anchors of the detectors' predictions."""
import numpy as np


def grid(side: int, copies: int) -> np.ndarray:
    """Returns the centers (x, y) of a grid's cells, row by row, repeated for each anchor of a cell."""
    centers = (np.arange(side, dtype=np.float32) + 0.5) / side
    y, x = np.meshgrid(centers, centers, indexing='ij')
    return np.repeat(np.stack([x, y], -1).reshape(-1, 2), copies, 0)


def faces() -> np.ndarray:
    """Returns the 896 centers (x, y) of BlazeFace's short range: stride 8 with two per cell, stride 16 with six."""
    return np.concatenate([grid(16, 2), grid(8, 6)])


# The side of the grid and the sizes of its square anchors, relative to the image.
OBJECT_LEVELS = ((16, (0.15, 0.21)), (8, (0.29, 0.39)), (4, (0.52,)))


def objects() -> np.ndarray:
    """Returns the object detector's anchors (y center, x center, height, width)."""
    parts = []
    for side, sizes in OBJECT_LEVELS:
        centers = grid(side, len(sizes))
        lengths = np.tile(np.asarray(sizes, np.float32), side * side)
        parts.append(np.stack([centers[:, 1], centers[:, 0], lengths, lengths], -1))
    return np.concatenate(parts).astype(np.float32)
