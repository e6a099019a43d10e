"""The face detector, in the form of BlazeFace's short range."""
import numpy as np
import tensorflow as tf

from training import anchors, boxes, layers, measures, resampling
from training.drawing import Draw, Scenes
from training.task import Output, Plan, Task, each, half_mirrored, joined, mirrored_boxes

SIDE = 128
# The face widths in pixels that the fine and the coarse grid learn; both learn the range in between.
FINE_UP_TO, COARSE_FROM = 44.0, 32.0
# The network's outputs are sixteenths of the file's outputs, in pixels.
UNIT = 16.0
SUPPRESSION = 0.3
# The minimum score of faces for the keypoint error, and the lower one for the average precision.
CONFIDENCE, LEAST = 0.5, 0.05
# The weight of boxes and points relative to scores; errors below the edge, in twentieths of a face's width, are squared.
POINT_WEIGHT, POINT_EDGE = 8.0, 0.2
SWAPPED = [1, 0, 2, 3, 5, 4]


class Face(Task):
    NAME, SCENES = 'face_detector', 'face'
    DRAWS = (Draw(128, 128, 0.6), Draw(256, 192, 0.25), Draw(240, 320, 0.15))
    PLAN = Plan(43200, 10, 3e-3)
    OUTPUTS = (Output('regressors', (1, 896, 16)), Output('classificators', (1, 896, 1)))
    QUANTIZED_OUTPUTS = False

    def __init__(self):
        self.anchors = anchors.faces()
        self.strides = np.array([8.0] * 512 + [16.0] * 384, np.float32)

    def network(self):
        image = layers.image(SIDE)
        x = layers.residual(layers.convolution(image, 24, 5, 4))
        fine = layers.separable(layers.separable(layers.convolution(x, 40, 3, 2), 40), 40)
        coarse = layers.separable(fine, 64, 2)
        for _ in range(4):
            coarse = layers.separable(coarse, 64)
        down = layers.layers.UpSampling2D(interpolation='bilinear')(layers.convolution(coarse, 40, 1))
        fine = layers.separable(layers.layers.Add()([fine, down]), 40)
        parts = [(fine, 2, 512), (coarse, 6, 384)]
        points = [layers.layers.Reshape((n, 16))(layers.layers.Rescaling(UNIT)(layers.head(x, 16 * copies))) for x, copies, n in parts]
        scores = [layers.layers.Reshape((n, 1))(layers.head(x, copies, bias=-4.0)) for x, copies, n in parts]
        join = layers.layers.Concatenate(axis=1)
        return tf.keras.Model(image, [join(points), layers.layers.Concatenate(axis=1)(scores)])

    def input(self, image):
        return image if image.shape[:2] == (SIDE, SIDE) else resampling.letterboxed(image, SIDE)

    def learn(self, scenes):
        self.images = self.prepared(scenes)
        self.boxes = np.concatenate([squared_boxes(part) for part in scenes])
        self.points = np.concatenate([squared_points(part) for part in scenes])
        self.counts = joined(scenes, 'counts')

    def batch(self, indices, random):
        images, mirrored = half_mirrored(self.images[indices], random)
        points = self.points[indices]
        swapped = np.stack([1 - points[..., SWAPPED, 0], points[..., SWAPPED, 1]], -1)
        points = np.where(mirrored[:, None, None, None], swapped, points)
        return images, *self.targets(mirrored_boxes(self.boxes[indices], mirrored), points, self.counts[indices])

    def targets(self, edges, points, counts):
        """Per anchor: whether it is a face (1), none (0), or neither (−1), the sixteen numbers in pixels, and the face's width."""
        center = (edges[..., [1, 0]] + edges[..., [3, 2]]) / 2 * SIDE
        size = (edges[..., [3, 2]] - edges[..., [1, 0]]) * SIDE
        width = np.maximum(size.max(-1), 1.0)
        places = self.anchors * SIDE
        distance = np.abs(center[:, :, None] - places).max(-1)
        reach = np.maximum(0.5 * self.strides, np.minimum(self.strides, 0.3 * width[..., None]))
        fits = np.where(self.strides == 8, width[..., None] < FINE_UP_TO, width[..., None] > COARSE_FROM)
        present = (np.arange(edges.shape[1]) < counts[:, None])[..., None]
        near = distance <= reach
        beside = present & fits & (distance <= reach + 0.5 * self.strides)
        distance = np.where(present & fits & near, distance, np.inf)
        chosen = distance.argmin(1)
        face = np.isfinite(distance.min(1))
        label = np.where(face, 1.0, np.where(beside.any(1), -1.0, 0.0)).astype(np.float32)
        rows = np.arange(len(edges))[:, None]
        relative = (points[rows, chosen] * SIDE - places[:, None]).reshape(len(edges), -1, 12)
        values = np.concatenate([center[rows, chosen] - places, size[rows, chosen], relative], -1).astype(np.float32)
        return label, np.where(face[..., None], values, 0), np.where(face, width[rows, chosen], 1).astype(np.float32)

    def loss(self, outputs, label, values, width):
        found, logits = outputs[0], outputs[1][..., 0]
        positive = tf.cast(label > 0, tf.float32)
        count = tf.maximum(tf.reduce_sum(positive), 1.0)
        error = tf.abs(found - values) / width[..., None] * 20.0
        placed = tf.where(error < POINT_EDGE, 0.5 * error * error / POINT_EDGE, error - 0.5 * POINT_EDGE)
        return (focal(logits, positive, tf.cast(label >= 0, tf.float32)) + POINT_WEIGHT * tf.reduce_sum(tf.reduce_mean(placed, -1) * positive)) / count

    def found(self, run, image, least):
        """Returns boxes with keypoints `[n, 4 + 12]` relative to the square, and scores, as the face detectors' pipelines compute them."""
        values, logits = (output[0] for output in run(image))
        scores = 1 / (1 + np.exp(-np.clip(logits[:, 0], -100, 100)))
        wanted = scores >= least
        values, places = values[wanted] / SIDE, self.anchors[wanted]
        center = values[:, :2] + places
        edges = boxes.corners(np.concatenate([center[:, ::-1], values[:, 3:1:-1]], -1))
        points = (values[:, 4:].reshape(-1, 6, 2) + places[:, None]).reshape(-1, 12)
        return boxes.blended(np.concatenate([edges, points], -1), scores[wanted], SUPPRESSION)

    def measure(self, run, scenes: list[Scenes]) -> dict[str, float]:
        found, truth, errors = [], [], []
        squares = {id(part): (squared_boxes(part), squared_points(part)) for part in scenes}
        for index, image, part in each(scenes):
            count = int(part.truth['counts'][index])
            edges, points = (values[index, :count] for values in squares[id(part)])
            faces, scores = self.found(run, self.input(image), LEAST)
            found.append((faces[:, :4], scores))
            truth.append(edges)
            for face in faces[scores >= CONFIDENCE]:
                overlap = boxes.overlaps(face[None, :4], edges)[0]
                if count and overlap.max() >= 0.5:
                    true = overlap.argmax()
                    away = np.linalg.norm(face[4:].reshape(6, 2) - points[true], axis=-1)
                    errors.append(away.mean() / (edges[true, 3] - edges[true, 1]))
        return {'AP@0.5': measures.average_precision(found, truth), 'key-point error / face width': float(np.mean(errors)) if errors else 1.0}


def focal(logits, truth, counted):
    """Returns the focal cross entropy, which gives easy cases less weight, summed."""
    probability = tf.sigmoid(logits)
    right = truth * probability + (1 - truth) * (1 - probability)
    weight = (0.25 + 0.5 * truth) * (1 - right) ** 2
    return tf.reduce_sum(weight * counted * tf.nn.sigmoid_cross_entropy_with_logits(truth, logits)) * 2


def squared_boxes(part: Scenes) -> np.ndarray:
    """Returns the boxes relative to the letterboxed square."""
    height, width = part.images.shape[1:3]
    sx, dx, sy, dy = resampling.letterbox(width, height)
    return part.truth['boxes'] * np.array([sy, sx, sy, sx], np.float32) + np.array([dy, dx, dy, dx], np.float32)


def squared_points(part: Scenes) -> np.ndarray:
    height, width = part.images.shape[1:3]
    sx, dx, sy, dy = resampling.letterbox(width, height)
    return part.truth['keypoints'] * np.array([sx, sy], np.float32) + np.array([dx, dy], np.float32)
