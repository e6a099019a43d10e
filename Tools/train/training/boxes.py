"""Boxes (ymin, xmin, ymax, xmax): overlap, suppression, and the forms that detectors predict them in."""
import numpy as np

# How strongly an SSD's numbers are scaled: centers by 10, logarithms of sizes by 5.
CENTER_SCALE, SIZE_SCALE = 10.0, 5.0


def overlaps(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Intersection over union of every box of `[…, n, 4]` with every one of `[…, m, 4]`."""
    def shared(low: int, high: int) -> np.ndarray:
        return np.clip(np.minimum(a[..., :, None, high], b[..., None, :, high]) - np.maximum(a[..., :, None, low], b[..., None, :, low]), 0, None)

    common = shared(0, 2) * shared(1, 3)
    area = lambda box: np.clip(box[..., 2:] - box[..., :2], 0, None).prod(-1)  # noqa: E731
    return common / np.maximum(area(a)[..., :, None] + area(b)[..., None, :] - common, 1e-9)


def corners(centered: np.ndarray) -> np.ndarray:
    """(y, x, height, width) as edges."""
    return np.concatenate([centered[..., :2] - centered[..., 2:] / 2, centered[..., :2] + centered[..., 2:] / 2], -1)


def encoded(boxes: np.ndarray, anchors: np.ndarray) -> np.ndarray:
    """What an SSD should predict so that its anchors become the boxes."""
    size = np.maximum(boxes[..., 2:] - boxes[..., :2], 1e-3)
    center = (boxes[..., :2] + boxes[..., 2:]) / 2
    return np.concatenate([(center - anchors[:, :2]) / anchors[:, 2:] * CENTER_SCALE, np.log(size / anchors[:, 2:]) * SIZE_SCALE], -1)


def decoded(values: np.ndarray, anchors: np.ndarray) -> np.ndarray:
    """The reverse of `encoded`."""
    center = values[:, :2] / CENTER_SCALE * anchors[:, 2:] + anchors[:, :2]
    return corners(np.concatenate([center, np.exp(values[:, 2:] / SIZE_SCALE) * anchors[:, 2:]], -1))


def kept(boxes: np.ndarray, scores: np.ndarray, limit: float) -> list[int]:
    """Positions of the boxes that no better one overlaps by more than the limit, best first."""
    remaining, result = np.argsort(-scores, kind='stable'), []
    while remaining.size:
        best, remaining = remaining[0], remaining[1:]
        result.append(int(best))
        remaining = remaining[overlaps(boxes[best][None], boxes[remaining])[0] <= limit]
    return result


def blended(boxes: np.ndarray, scores: np.ndarray, limit: float) -> tuple[np.ndarray, np.ndarray]:
    """BlazeFace's suppression: boxes (with whatever follows the four edges) that overlap become their mean, weighted by score."""
    remaining, merged, best_scores = np.argsort(-scores, kind='stable'), [], []
    while remaining.size:
        near = overlaps(boxes[remaining[0]][None, :4], boxes[remaining][:, :4])[0] > limit
        near[0] = True
        group = remaining[near]
        weights = scores[group] / scores[group].sum()
        merged.append((boxes[group] * weights[:, None]).sum(0))
        best_scores.append(scores[group[0]])
        remaining = remaining[~near]
    return np.array(merged).reshape(-1, boxes.shape[1]), np.array(best_scores)
