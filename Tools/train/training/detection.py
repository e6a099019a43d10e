"""The object detector: an SSD."""
import numpy as np
import tensorflow as tf

from training import anchors, boxes, layers, measures
from training.drawing import Draw
from training.face import focal
from training.names import CATEGORIES
from training.task import Output, Plan, Task, each, half_mirrored, joined, mirrored_boxes

CLASSES = len(CATEGORIES)
ANCHORS = anchors.objects()
# The overlap from which an anchor learns a box, the overlap below which it learns the background, and the number of best anchors that learn
# a box anyway.
POSITIVE, NEGATIVE, BEST = 0.5, 0.4, 3
# The parameters of the operator in the file, and of the users of the raw file.
LEAST_SCORE, SUPPRESSION, MOST = 0.1, 0.45, 20
RAW_SUPPRESSION = 0.3


class Detection(Task):
    NAME, SCENES = 'object_detector', 'detection'
    DRAWS = (Draw(128, 128, 0.6), Draw(256, 192, 0.4))
    PLAN = Plan(28800, 5, 3e-3)
    OUTPUTS = (Output('raw_boxes', (1, len(ANCHORS), 4)), Output('raw_scores', (1, len(ANCHORS), CLASSES)))
    QUANTIZED_OUTPUTS = False

    def network(self):
        image = layers.image(self.SIDE)
        x = layers.residual(layers.convolution(image, 24, 5, 4))
        fine = layers.separable(layers.separable(layers.convolution(x, 40, 3, 2), 40), 40)
        middle = layers.separable(fine, 48, 2)
        for _ in range(3):
            middle = layers.separable(middle, 48)
        coarse = layers.separable(layers.separable(middle, 56, 2), 56)
        middle = layers.layers.Add()([middle, layers.layers.UpSampling2D(interpolation='bilinear')(layers.convolution(coarse, 48, 1))])
        down = layers.layers.UpSampling2D(interpolation='bilinear')(layers.convolution(middle, 40, 1))
        fine = layers.separable(layers.layers.Add()([fine, down]), 40)
        found, scores = [], []
        for x, (side, sizes) in zip((fine, layers.separable(middle, 48), coarse), anchors.OBJECT_LEVELS):
            n = len(sizes)
            found.append(layers.layers.Reshape((side * side * n, 4))(layers.head(x, 4 * n)))
            scores.append(layers.layers.Reshape((side * side * n, CLASSES))(layers.head(x, CLASSES * n, bias=-4.0)))
        return tf.keras.Model(image, [layers.layers.Concatenate(axis=1)(found), layers.layers.Concatenate(axis=1)(scores)])

    def learn(self, scenes):
        self.images = self.prepared(scenes)
        self.boxes, self.classes = joined(scenes, 'boxes'), joined(scenes, 'classes')

    def batch(self, indices, random):
        images, mirrored = half_mirrored(self.images[indices], random)
        return images, *self.targets(mirrored_boxes(self.boxes[indices], mirrored), self.classes[indices])

    def targets(self, edges, classes):
        """Per anchor: its class, CLASSES for none or −1 for neither, and the four encoded numbers."""
        overlap = boxes.overlaps(edges, np.broadcast_to(boxes.corners(ANCHORS), (len(edges), *ANCHORS.shape)))
        overlap[classes < 0] = 0
        best = np.partition(overlap, -BEST, -1)[..., -BEST, None]
        learned = (overlap >= POSITIVE) | (overlap >= best) & (overlap > 0.1)
        chosen = np.where(learned, overlap, 0).argmax(1)
        rows = np.arange(len(edges))[:, None]
        positive = learned.any(1)
        unsure = overlap.max(1) >= NEGATIVE
        label = np.where(positive, classes[rows, chosen], np.where(unsure, -1, CLASSES)).astype(np.int32)
        values = np.where(positive[..., None], boxes.encoded(edges[rows, chosen], ANCHORS), 0).astype(np.float32)
        return label, values

    def loss(self, outputs, label, values):
        found, logits = outputs
        positive = tf.cast((label >= 0) & (label < CLASSES), tf.float32)
        count = tf.maximum(tf.reduce_sum(positive), 1.0)
        error = tf.abs(found - values)
        placed = tf.where(error < 1.0, 0.5 * error * error, error - 0.5)
        counted = tf.cast(label >= 0, tf.float32)[..., None]
        return focal(logits, tf.one_hot(label, CLASSES), counted) / count + tf.reduce_sum(tf.reduce_mean(placed, -1) * positive) / count

    def found(self, run, image):
        """Returns boxes, classes, and scores of a file with four outputs or with two."""
        outputs = run(image)
        if len(outputs) == 4:
            count = int(outputs[3][0])
            return outputs[0][0, :count], outputs[1][0, :count].astype(int), outputs[2][0, :count]
        values, logits = outputs[0][0], outputs[1][0]
        scores = 1 / (1 + np.exp(-logits.max(-1)))
        wanted = np.flatnonzero(scores >= LEAST_SCORE)
        edges = boxes.decoded(values[wanted], ANCHORS[wanted])
        best = boxes.kept(edges, scores[wanted], RAW_SUPPRESSION)[:MOST]
        return edges[best], logits[wanted][best].argmax(-1), scores[wanted][best]

    def measure(self, run, scenes):
        found = [self.found(run, self.input(image)) for _, image, _ in each(scenes)]
        edges, classes = joined(scenes, 'boxes'), joined(scenes, 'classes')
        precisions = []
        for category in range(CLASSES):
            mine = [(box[kind == category], score[kind == category]) for box, kind, score in found]
            precisions.append(measures.average_precision(mine, [e[c == category] for e, c in zip(edges, classes)]))
        return {'mAP@0.5': float(np.mean(precisions))}
