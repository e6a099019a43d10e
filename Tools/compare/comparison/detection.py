"""Face and object detection."""
from . import peer


class Detection(peer.Task):
    COLUMNS = ('Swiftlet', 'MediaPipe', 'Lowest IoU', 'Largest score difference', 'Largest keypoint difference')
    RULE = ('A run agrees if both sides have the same number of detections, and each matched pair has the same categories, an IoU above 0.95, and scores within 0.02. '
            'The option is the minimum score.')
    WORST = (None, None, min, max, max)

    def ours(self, tool, path, files, rotation, threshold):
        return tool.run(self.COMMAND, files, path, rotation, self.THRESHOLD, str(threshold))

    def compare(self, task, image, document, rotation, threshold):
        yours = [{'box': (d.bounding_box.origin_x, d.bounding_box.origin_y, d.bounding_box.width, d.bounding_box.height),
                  'names': tuple(c.category_name or '' for c in d.categories), 'score': d.categories[0].score,
                  'keypoints': [(k.x, k.y) for k in d.keypoints or ()]}
                 for d in task.detect(image, peer.processing(rotation)).detections]
        mine = [{'box': tuple(d['box'][k] for k in ('x', 'y', 'width', 'height')),
                 'names': tuple(c.get('name') or '' for c in d['categories']), 'score': d['categories'][0]['score'],
                 'keypoints': [(k['x'], k['y']) for k in d['keypoints']]} for d in document['detections']]
        pairs = match(mine, yours)
        low = min((p[0] for p in pairs), default=1.0)
        score = max((abs(a['score'] - b['score']) for _, a, b in pairs), default=0.0)
        points = max((max(abs(p[0] - q[0]), abs(p[1] - q[1])) for _, a, b in pairs
                      for p, q in zip(a['keypoints'], b['keypoints'])), default=0.0)
        agrees = len(mine) == len(yours) == len(pairs) and low > 0.95 and score <= 0.02
        return agrees, (len(mine), len(yours), low, score, points)


class Faces(Detection):
    NAME = 'faces'
    COMMAND, THRESHOLD = 'detect-faces', '--min-confidence'
    MODELS = (('face/face_detector_short_range_metadata.tflite', None), ('face/face_detection_full_range_metadata.tflite', None))
    OPTIONS = (0.5,)

    def open(self, path, threshold):
        from mediapipe.tasks.python import vision
        return vision.FaceDetector.create_from_options(
            vision.FaceDetectorOptions(base_options=peer.base_options(path), min_detection_confidence=threshold))


class Objects(Detection):
    NAME = 'objects'
    COMMAND, THRESHOLD = 'detect-objects', '--score-threshold'
    MODELS = (('detection/coco_ssd_mobilenet_v1_1.0_quant.tflite', None), ('detection/salad_automl_320.tflite', None))
    OPTIONS = (0.5, 0.3)

    def open(self, path, threshold):
        from mediapipe.tasks.python import vision
        return vision.ObjectDetector.create_from_options(
            vision.ObjectDetectorOptions(base_options=peer.base_options(path), score_threshold=threshold))


def overlap(a, b):
    w = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    h = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    if w < 0 or h < 0:
        return 0.0
    union = a[2] * a[3] + b[2] * b[3] - w * h
    return w * h / union if union > 0 else float(a == b)


def match(mine, yours):
    """Returns pairs of the same categories, those with the largest overlap first."""
    pairs = sorted(((overlap(m['box'], y['box']), i, j) for i, m in enumerate(mine) for j, y in enumerate(yours)
                    if m['names'] == y['names']), reverse=True)
    used_i, used_j, result = set(), set(), []
    for value, i, j in pairs:
        if i not in used_i and j not in used_j:
            used_i.add(i)
            used_j.add(j)
            result.append((value, mine[i], yours[j]))
    return result
