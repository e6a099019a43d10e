"""ByteTrack as implemented in the package supervision."""
import warnings

import numpy

with warnings.catch_warnings():
    warnings.simplefilter('ignore')
    import supervision


def track(frames, frame_rate, activation):
    """Returns the identities and boxes of each frame. Frames without detections are passed to it too."""
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        tracker = supervision.ByteTrack(track_activation_threshold=activation, frame_rate=max(1, round(frame_rate)))
    result = []
    for _, boxes, scores in frames:
        found = tracker.update_with_detections(supervision.Detections(
            xyxy=boxes.astype(float).reshape(-1, 4), confidence=scores.astype(float), class_id=numpy.zeros(len(scores), dtype=int)))
        result.append((found.tracker_id if len(found) else [], found.xyxy if len(found) else []))
    return result
