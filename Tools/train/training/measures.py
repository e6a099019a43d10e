"""Quality metrics."""
import numpy as np

from training import boxes as geometry


def average_precision(found: list[tuple[np.ndarray, np.ndarray]], truth: list[np.ndarray], limit: float = 0.5) -> float:
    """Returns the area under the precision-recall curve, for boxes and scores detected in each image, compared with the true boxes.

    In order of descending score, each box is matched with the true box that it overlaps most, if by at least the limit. If that box is already
    matched, it counts as an error.
    """
    records = sorted(((float(score), image, i) for image, (_, scores) in enumerate(found) for i, score in enumerate(scores)), reverse=True)
    overlaps = [geometry.overlaps(found[p][0], truth[p]) if len(found[p][0]) and len(truth[p]) else None for p in range(len(found))]
    taken: set[tuple[int, int]] = set()
    hits = np.zeros(len(records))
    for position, (_, image, i) in enumerate(records):
        if overlaps[image] is None:
            continue
        best = int(overlaps[image][i].argmax())
        if overlaps[image][i, best] >= limit and (image, best) not in taken:
            taken.add((image, best))
            hits[position] = 1
    total = sum(map(len, truth))
    if not total or not len(records):
        return 0.0
    recall = np.concatenate([[0.0], hits.cumsum() / total])
    precision = np.maximum.accumulate((hits.cumsum() / np.arange(1, len(hits) + 1))[::-1])[::-1]
    return float(((recall[1:] - recall[:-1]) * precision).sum())


def mean_intersection_over_union(confusion: np.ndarray) -> float:
    """Returns the metric of a confusion matrix of pixels, true class by predicted class; classes that never occur are ignored."""
    common = np.diag(confusion)
    union = confusion.sum(0) + confusion.sum(1) - common
    return float((common[union > 0] / union[union > 0]).mean())


def recall_at_one(embeddings: np.ndarray, identities: np.ndarray) -> float:
    """Returns the share of images whose nearest other image, by cosine similarity, contains the same instance."""
    unit = embeddings / np.maximum(np.linalg.norm(embeddings, axis=1, keepdims=True), 1e-12)
    likeness = unit @ unit.T
    np.fill_diagonal(likeness, -np.inf)
    return float((identities[likeness.argmax(1)] == identities).mean())
