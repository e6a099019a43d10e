"""The image classifier, and the trunk that the embedder shares with it."""
import numpy as np
import tensorflow as tf

from training import layers
from training.drawing import Draw
from training.names import CATEGORIES
from training.task import Output, Plan, Task, each, joined, varied

CLASSES = len(CATEGORIES)


def trunk(image):
    """A vector of what the picture holds."""
    x = layers.residual(layers.convolution(image, 24, 5, 4))
    x = layers.separable(layers.separable(layers.convolution(x, 40, 3, 2), 40), 40)
    x = layers.separable(x, 72, 2)
    for _ in range(3):
        x = layers.separable(x, 72)
    return layers.layers.GlobalAveragePooling2D()(layers.convolution(x, 128, 1))


class Classification(Task):
    NAME, SCENES, SIDE = 'image_classifier', 'classification', 96
    DRAWS = (Draw(96, 96, 0.6), Draw(256, 192, 0.4))
    PLAN = Plan(9600, (6, 12), 3e-3)
    OUTPUTS = (Output('probability', (1, CLASSES)),)

    def network(self):
        image = layers.picture(self.SIDE)
        return tf.keras.Model(image, [layers.layers.Softmax()(layers.layers.Dense(CLASSES)(trunk(image)))])

    def learn(self, scenes):
        self.pictures, self.classes = self.prepared(scenes), joined(scenes, 'classes')

    def batch(self, indices, random):
        return varied(self.pictures[indices], random)[0], self.classes[indices].astype(np.int32)

    def loss(self, outputs, classes):
        scores = outputs[0] if isinstance(outputs, (list, tuple)) else outputs
        truth = tf.one_hot(classes, CLASSES) * 0.95 + 0.05 / CLASSES
        return -tf.reduce_mean(tf.reduce_sum(truth * tf.math.log(scores + 1e-7), -1))

    def measure(self, run, scenes):
        found = [run(self.input(picture))[0][0].argmax() for _, picture, _ in each(scenes)]
        return {'accuracy': float((np.array(found) == joined(scenes, 'classes')).mean())}
