"""The image embedder: its vectors are similar for images of the same instance."""
import numpy as np
import tensorflow as tf

from training import layers, measures
from training.classification import trunk
from training.drawing import Draw
from training.names import CATEGORIES
from training.task import Output, Plan, Task, each, half_mirrored, joined

LENGTH = 64
# The number of images of an instance per step, and the temperature of the similarities.
TOGETHER, TEMPERATURE = 4, 0.1
# GenerateScenes generates this number of consecutive images per instance.
PER_INSTANCE = 8


class Embedding(Task):
    NAME, SCENES, SIDE = 'image_embedder', 'embedding', 96
    DRAWS = (Draw(96, 96, 0.6), Draw(256, 192, 0.4))
    PLAN = Plan(28800, 11, 4e-3, 64)
    OUTPUTS = (Output('feature', (1, LENGTH)),)

    def network(self):
        image = layers.image(self.SIDE)
        feature = layers.layers.Dense(LENGTH)(trunk(image))
        return tf.keras.Model(image, [feature, layers.layers.Dense(len(CATEGORIES))(feature)])

    def learn(self, scenes):
        self.images, self.identities = self.prepared(scenes), instances(scenes)
        # Instances cycle through the categories.
        self.classes = joined(scenes, 'identities') % len(CATEGORIES)

    def batch(self, indices, random):
        """Returns some images of each of a few instances, selected by the indices."""
        first = indices[::TOGETHER] // PER_INSTANCE * PER_INSTANCE
        chosen = np.concatenate([start + random.permutation(PER_INSTANCE)[:TOGETHER] for start in first])
        return half_mirrored(self.images[chosen], random)[0], self.identities[chosen].astype(np.int32), self.classes[chosen].astype(np.int32)

    def loss(self, outputs, identities, classes):
        """Supervised contrastive loss: among all other images of the step, those of the same instance should be nearest.

        Colors alone distinguish most instances of a step. Predicting the category from the vector too makes the network learn shapes. The layer for
        this prediction isn't part of the file.
        """
        vectors, scores = outputs
        unit = tf.math.l2_normalize(vectors, -1)
        likeness = tf.matmul(unit, unit, transpose_b=True) / TEMPERATURE
        others = 1.0 - tf.eye(tf.shape(likeness)[0])
        same = tf.cast(identities[:, None] == identities[None], tf.float32) * others
        logs = likeness - tf.reduce_logsumexp(likeness - 1e9 * (1 - others), -1, keepdims=True)
        contrast = -tf.reduce_mean(tf.reduce_sum(logs * same, -1) / tf.maximum(tf.reduce_sum(same, -1), 1.0))
        return contrast + 0.5 * tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(classes, scores))

    def measure(self, run, scenes):
        vectors = np.stack([run(self.input(image))[0][0] for _, image, _ in each(scenes)])
        return {'recall@1': measures.recall_at_one(vectors, instances(scenes))}


def instances(scenes) -> np.ndarray:
    """Returns instance numbers that are unique over all sizes."""
    parts, first = [], 0
    for part in scenes:
        numbers = np.asarray(part.truth['identities']) + first
        parts.append(numbers)
        first = int(numbers.max()) + 1
    return np.concatenate(parts)
