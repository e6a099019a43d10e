"""The audio classifier: kinds of sounds, from their samples."""
import numpy as np
import tensorflow as tf

from training import layers
from training.drawing import Drawer
from training.names import SOUNDS
from training.task import Output, Plan, Task

# The number of samples per second and per sound, as GenerateScenes generates them.
RATE = LENGTH = 8000
CLASSES = len(SOUNDS)
# The filters of the first layer, each with TAPS samples and a stride of STRIDE samples.
FILTERS, TAPS, STRIDE = 40, 128, 16
LOWEST, HIGHEST = 180.0, 3600.0
# The maximum reduction of the loudness during training.
QUIETEST = 0.6


def filters(shape, dtype=None):
    """Returns the initial weights of the first layer: short waves with pitches that are evenly distributed over octaves."""
    time = (np.arange(TAPS) - TAPS / 2) / RATE
    pitches = np.geomspace(LOWEST, HIGHEST, FILTERS)
    waves = np.cos(2 * np.pi * pitches[None] * time[:, None]) * np.hanning(TAPS)[:, None] * 4 / TAPS
    return tf.constant(waves.reshape(shape), dtype or tf.float32)


class Sounds(Task):
    NAME, SCENES, INPUT = 'audio_classifier', 'sound', 'audio_clip'
    PLAN = Plan(6400, 12, 3e-3, 32)
    OUTPUTS = (Output('probability', (1, CLASSES)),)
    QUANTIZED_INPUTS = QUANTIZED_OUTPUTS = False

    def network(self):
        sound = layers.layers.Input((LENGTH,), name=self.INPUT)
        x = layers.layers.Reshape((1, LENGTH, 1))(sound)
        x = layers.layers.Conv2D(FILTERS, (1, TAPS), (1, STRIDE), padding='same', use_bias=False, kernel_initializer=filters)(x)
        x = layers.layers.ReLU()(layers.Normalization()(x))
        # The average of the rectified waves: the loudness of each pitch, 62 times per second.
        x = layers.layers.AveragePooling2D((1, 8))(x)
        x = layers.row_convolution(x, 32, 5)
        x = layers.row_convolution(x, 32, 5, 2)
        x = layers.row_convolution(x, 48, 5, 2)
        x = layers.layers.GlobalAveragePooling2D()(x)
        return tf.keras.Model(sound, [layers.layers.Softmax()(layers.layers.Dense(CLASSES)(x))])

    def drawn(self, drawer: Drawer, count: int, seed: int):
        return drawer.examples(self.SCENES, count, seed)

    def learn(self, scenes):
        self.samples, self.classes = np.asarray(scenes['sounds']), np.asarray(scenes['classes'])

    @property
    def examples(self):
        return self.samples

    def specification(self):
        return tf.TensorSpec((1, LENGTH), tf.float32, self.INPUT)

    def real(self, example):
        return np.asarray(example, np.float32)

    def batch(self, indices, random):
        """Inverts the sign of half of them, which is inaudible."""
        signs = np.where(random.random((len(indices), 1)) < 0.5, -1, 1).astype(np.float32)
        return self.samples[indices] * signs, self.classes[indices]

    def variation(self, count, random):
        return (random.uniform(QUIETEST, 1, (count, 1)).astype(np.float32),)

    def varied(self, examples, loudness):
        return examples * loudness

    def loss(self, outputs, classes):
        truth = tf.one_hot(classes, CLASSES) * 0.95 + 0.05 / CLASSES
        return -tf.reduce_mean(tf.reduce_sum(truth * tf.math.log(outputs + 1e-7), -1))

    def measure(self, run, scenes):
        found = np.array([run(sound)[0][0].argmax() for sound in scenes['sounds']])
        return {'accuracy': float((found == scenes['classes']).mean())}
