"""Boxes (ymin, xmin, ymax, xmax): overlap, suppression, and the encodings of detectors."""
import numpy as np

# The scales of an SSD's outputs: 10 for centers, 5 for logarithms of sizes.
CENTER_SCALE, SIZE_SCALE = 10.0, 5.0


def overlaps(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Returns the intersection over union of every box of `[…, n, 4]` with every one of `[…, m, 4]`."""
    def shared(low: int, high: int) -> np.ndarray:
        return np.clip(np.minimum(a[..., :, None, high], b[..., None, :, high]) - np.maximum(a[..., :, None, low], b[..., None, :, low]), 0, None)

    common = shared(0, 2) * shared(1, 3)
    area = lambda box: np.clip(box[..., 2:] - box[..., :2], 0, None).prod(-1)  # noqa: E731
    return common / np.maximum(area(a)[..., :, None] + area(b)[..., None, :] - common, 1e-9)


def corners(centered: np.ndarray) -> np.ndarray:
    """Returns (y, x, height, width) as edges."""
    return np.concatenate([centered[..., :2] - centered[..., 2:] / 2, centered[..., :2] + centered[..., 2:] / 2], -1)


def encoded(boxes: np.ndarray, anchors: np.ndarray) -> np.ndarray:
    """Returns the target outputs of an SSD that turn its anchors into the boxes."""
    size = np.maximum(boxes[..., 2:] - boxes[..., :2], 1e-3)
    center = (boxes[..., :2] + boxes[..., 2:]) / 2
    return np.concatenate([(center - anchors[:, :2]) / anchors[:, 2:] * CENTER_SCALE, np.log(size / anchors[:, 2:]) * SIZE_SCALE], -1)


def decoded(values: np.ndarray, anchors: np.ndarray) -> np.ndarray:
    """Returns the boxes from the outputs, the inverse of `encoded`."""
    center = values[:, :2] / CENTER_SCALE * anchors[:, 2:] + anchors[:, :2]
    return corners(np.concatenate([center, np.exp(values[:, 2:] / SIZE_SCALE) * anchors[:, 2:]], -1))


def kept(boxes: np.ndarray, scores: np.ndarray, limit: float) -> list[int]:
    """Returns the indices of the boxes that no better one overlaps by more than the limit, best first."""
    remaining, result = np.argsort(-scores, kind='stable'), []
    while remaining.size:
        best, remaining = remaining[0], remaining[1:]
        result.append(int(best))
        remaining = remaining[overlaps(boxes[best][None], boxes[remaining])[0] <= limit]
    return result


def blended(boxes: np.ndarray, scores: np.ndarray, limit: float) -> tuple[np.ndarray, np.ndarray]:
    """BlazeFace's suppression: overlapping boxes (with any values after the four edges) are replaced by their mean, weighted by score."""
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
