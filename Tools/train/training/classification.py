"""The image classifier, and the backbone that the embedder shares with it."""
import numpy as np
import tensorflow as tf

from training import layers
from training.drawing import Draw
from training.names import CATEGORIES
from training.task import Output, Plan, Task, each, half_mirrored, joined

CLASSES = len(CATEGORIES)
# The maximum crop at an edge during training, relative to the image.
CROP = 0.2


def trunk(image):
    """A feature vector of the image."""
    x = layers.residual(layers.convolution(image, 24, 5, 4))
    x = layers.separable(layers.separable(layers.convolution(x, 40, 3, 2), 40), 40)
    x = layers.separable(x, 72, 2)
    for _ in range(3):
        x = layers.separable(x, 72)
    return layers.layers.GlobalAveragePooling2D()(layers.convolution(x, 128, 1))


class Classification(Task):
    NAME, SCENES, SIDE = 'image_classifier', 'classification', 96
    DRAWS = (Draw(96, 96, 0.6), Draw(256, 192, 0.4))
    PLAN = Plan(28800, 5, 3e-3)
    OUTPUTS = (Output('probability', (1, CLASSES)),)

    def network(self):
        image = layers.image(self.SIDE)
        return tf.keras.Model(image, [layers.layers.Softmax()(layers.layers.Dense(CLASSES)(trunk(image)))])

    def learn(self, scenes):
        self.images, self.classes = self.prepared(scenes), joined(scenes, 'classes')

    def batch(self, indices, random):
        images, _ = half_mirrored(self.images[indices], random)
        return cropped(images, random), self.classes[indices].astype(np.int32)

    def loss(self, outputs, classes):
        truth = tf.one_hot(classes, CLASSES) * 0.95 + 0.05 / CLASSES
        return -tf.reduce_mean(tf.reduce_sum(truth * tf.math.log(outputs + 1e-7), -1))

    def measure(self, run, scenes):
        found = [run(self.input(image))[0][0].argmax() for _, image, _ in each(scenes)]
        return {'accuracy': float((np.array(found) == joined(scenes, 'classes')).mean())}


def cropped(images: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Returns half of the images unchanged, and the others cropped at each edge and stretched, as objects are cropped to a detector's boxes."""
    cut = random.uniform(0, CROP, (len(images), 4)) * (random.random((len(images), 1)) < 0.5)
    windows = (np.array([0, 0, 1, 1]) + cut * np.array([1, 1, -1, -1])).astype(np.float32)
    return tf.image.crop_and_resize(images, windows, np.arange(len(images), dtype=np.int32), images.shape[1:3]).numpy()
