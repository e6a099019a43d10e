"""The shared code of the tasks."""
from typing import Iterator, NamedTuple

import numpy as np
import tensorflow as tf

from training import resampling
from training.drawing import Draw, Drawer, Scenes

HELD_OUT = 1200
# The variation of contrast and of each color's brightness between images.
CONTRAST, BRIGHTNESS = 0.1, 8.0


class Plan(NamedTuple):
    """The length of a task's training: epochs over `count` images, with a learning rate that rises briefly and then falls.

    Many images seen a few times are better than few images seen often, and generating one takes a fraction of the training time for it.
    """
    count: int
    epochs: int
    rate: float
    batch_size: int = 16


class Output(NamedTuple):
    """An output of a network: its name in the file, and the shape that distinguishes it from the others."""
    name: str
    shape: tuple[int, ...]


class Task:
    """A task: its images or other training data, its network, its loss, and the evaluation of a file.

    Subclasses define `NAME` (of the files), `SCENES` (GenerateScenes' task), `SIDE` (of the input, in pixels), `DRAWS`, `PLAN`, `OUTPUTS`, and the
    methods that raise here.
    """
    NAME = SCENES = ''
    SIDE = 128
    DRAWS: tuple[Draw, ...] = ()
    PLAN = Plan(0, 0, 0.0)
    OUTPUTS: tuple[Output, ...] = ()
    # The types of the int8 file's inputs and outputs, bytes or as in the float file: detectors continue in float, and audio samples and
    # token IDs are not bytes.
    QUANTIZED_INPUTS = QUANTIZED_OUTPUTS = True
    # The name of the input in the file.
    INPUT = 'image'

    def network(self):
        raise NotImplementedError

    def learner(self, network):
        """Returns the part of the network whose outputs the loss uses: all of it, unless its last operators only rearrange them."""
        return network

    def loss(self, outputs, *truth):
        raise NotImplementedError

    def drawn(self, drawer: Drawer, count: int, seed: int) -> list[Scenes]:
        """Returns the data that the task learns from, or is evaluated on."""
        return drawer.scenes(self.SCENES, count, seed, self.DRAWS)

    @property
    def examples(self) -> np.ndarray:
        """Returns the training data, after `learn`."""
        return self.images

    def described(self) -> dict:
        """Returns the task's information for the description of the files, after `learn`."""
        return {}

    def specification(self) -> tf.TensorSpec:
        """The network's input."""
        return tf.TensorSpec((1, self.SIDE, self.SIDE, 3), tf.float32, self.INPUT)

    def real(self, example):
        """Returns an example as the float file's input."""
        return np.asarray(example, np.float32) / 127.5 - 1

    def variation(self, count: int, random: np.random.Generator) -> tuple[np.ndarray, ...]:
        """Returns the random variation of the examples in a step."""
        contrast = random.uniform(1 - CONTRAST, 1 + CONTRAST, (count, 1, 1, 1)).astype(np.float32)
        return contrast, random.uniform(-BRIGHTNESS, BRIGHTNESS, (count, 1, 1, 3)).astype(np.float32)

    def varied(self, examples: tf.Tensor, contrast: tf.Tensor, brightness: tf.Tensor) -> tf.Tensor:
        """Returns the network's input of a step, with its variation."""
        return tf.clip_by_value((tf.cast(examples, tf.float32) - 127.5) * contrast + 127.5 + brightness, 0, 255) / 127.5 - 1

    def learn(self, scenes: list[Scenes]) -> None:
        """Sets the training images."""
        raise NotImplementedError

    def batch(self, indices: np.ndarray, random: np.random.Generator) -> tuple[np.ndarray, ...]:
        """Returns the images and ground truth of a training step."""
        raise NotImplementedError

    def measure(self, run, scenes: list[Scenes]) -> dict[str, float]:
        """Returns the metrics of a file; `run(example)` returns its outputs for an image of the input's size, a sound, or token IDs."""
        raise NotImplementedError

    def prepared(self, scenes: list[Scenes]) -> np.ndarray:
        """Returns all images in the input's size."""
        return np.stack([self.input(image) for _, image, _ in each(scenes)])

    def input(self, image: np.ndarray) -> np.ndarray:
        return image if image.shape[:2] == (self.SIDE, self.SIDE) else resampling.stretched(image, self.SIDE, self.SIDE)


def each(scenes: list[Scenes]) -> Iterator[tuple[int, np.ndarray, Scenes]]:
    """Yields the images of all sizes with their index among those of their size."""
    for part in scenes:
        for index, image in enumerate(part.images):
            yield index, image, part


def joined(scenes: list[Scenes], name: str) -> np.ndarray:
    """Returns the labels of the images of all sizes."""
    return np.concatenate([np.asarray(part.truth[name]) for part in scenes])


def half_mirrored(images: np.ndarray, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Returns the images, half of them mirrored, and which ones are."""
    mirrored = random.random(len(images)) < 0.5
    images = images.copy()
    images[mirrored] = images[mirrored, :, ::-1]
    return images, mirrored


def mirrored_boxes(boxes: np.ndarray, mirrored: np.ndarray) -> np.ndarray:
    """Returns boxes `[images, n, 4]` of images, some of which were mirrored."""
    swapped = np.stack([boxes[..., 0], 1 - boxes[..., 3], boxes[..., 2], 1 - boxes[..., 1]], -1)
    return np.where(mirrored[:, None, None], swapped, boxes)
