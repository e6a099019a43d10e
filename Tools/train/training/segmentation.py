"""The image segmenter: a small U-shaped network."""
import numpy as np
import tensorflow as tf

from training import layers, measures, resampling
from training.drawing import Draw
from training.names import CATEGORIES
from training.task import Output, Plan, Task, each, half_mirrored

CLASSES = 1 + len(CATEGORIES)


class Segmentation(Task):
    NAME, SCENES = 'image_segmenter', 'segmentation'
    DRAWS = (Draw(128, 128, 0.7), Draw(256, 192, 0.3))
    PLAN = Plan(43200, 9, 4e-3)
    OUTPUTS = (Output('scores', (1, Task.SIDE, Task.SIDE, CLASSES)),)

    def network(self):
        image = layers.image(self.SIDE)
        half = layers.convolution(image, 12, 3, 2)
        quarter = layers.separable(layers.convolution(half, 24, 3, 2), 24)
        eighth = layers.separable(layers.separable(layers.convolution(quarter, 40, 3, 2), 40), 40)
        deep = layers.separable(eighth, 64, 2)
        for _ in range(4):
            deep = layers.separable(deep, 64)
        for skip in (eighth, quarter):
            up = layers.layers.UpSampling2D(interpolation='bilinear')(layers.convolution(deep, skip.shape[-1], 1))
            deep = layers.separable(layers.layers.Add()([skip, up]), skip.shape[-1])
        up = layers.layers.UpSampling2D(interpolation='bilinear')(layers.convolution(deep, 12, 1))
        x = layers.convolution(layers.layers.Add()([half, up]), 16)
        x = layers.layers.Conv2D(4 * CLASSES, 1)(x)
        return tf.keras.Model(image, [layers.layers.Lambda(lambda v: tf.nn.depth_to_space(v, 2))(x)])

    def learner(self, network):
        """Omits the shuffle of the last layer, because the loss accepts pixels in any order."""
        return tf.keras.Model(network.inputs, network.layers[-1].input)

    def learn(self, scenes):
        self.images = self.prepared(scenes)
        masks = np.stack([self.mask(part.truth['masks'][index]) for index, _, part in each(scenes)])
        # In the order of the last convolution's channels: consecutive pixels of 2×2 blocks.
        self.masks = np.ascontiguousarray(masks.reshape(-1, self.SIDE // 2, 2, self.SIDE // 2, 2).swapaxes(2, 3))

    def mask(self, mask):
        return mask if mask.shape == (self.SIDE, self.SIDE) else resampling.nearest(mask, self.SIDE, self.SIDE)

    def batch(self, indices, random):
        images, mirrored = half_mirrored(self.images[indices], random)
        masks = self.masks[indices]
        masks[mirrored] = masks[mirrored][:, :, ::-1, :, ::-1]
        return images, masks

    def loss(self, outputs, masks):
        @tf.custom_gradient
        def value(scores):
            value, slope = value_and_slope(scores, masks)
            return value, lambda upstream: upstream * slope
        return value(tf.reshape(outputs, (-1, CLASSES)))

    def measure(self, run, scenes):
        """Returns the mask at the model's size."""
        confusion = np.zeros((CLASSES, CLASSES), np.int64)
        for index, image, part in each(scenes):
            found = run(self.input(image))[0][0].argmax(-1)
            true = self.mask(np.asarray(part.truth['masks'][index])).astype(np.int64)
            confusion += np.bincount((true * CLASSES + found).ravel(), minlength=CLASSES * CLASSES).reshape(CLASSES, CLASSES)
        return {'mean IoU': measures.mean_intersection_over_union(confusion)}


@tf.function(jit_compile=True)
def value_and_slope(scores, masks):
    """Returns the cross entropy plus one minus the soft overlap of the classes that occur, with its gradient.

    Compiled as one function, because separate operators would take a third of a step.
    """
    with tf.GradientTape() as tape:
        tape.watch(scores)
        truth = tf.one_hot(tf.reshape(tf.cast(masks, tf.int32), (-1,)), CLASSES)
        logs = scores - tf.reduce_logsumexp(scores, -1, keepdims=True)
        probability = tf.exp(logs)
        common = tf.reduce_sum(truth * probability, 0)
        union = tf.reduce_sum(truth, 0) + tf.reduce_sum(probability, 0) - common
        value = -tf.reduce_mean(tf.reduce_sum(truth * logs, -1)) + 0.5 * (1 - tf.reduce_mean((common + 1) / (union + 1)))
    return value, tape.gradient(value, scores)
