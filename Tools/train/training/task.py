"""What the tasks have in common."""
from typing import Iterator, NamedTuple

import numpy as np
import tensorflow as tf

from training import resampling
from training.drawing import Draw, Drawer, Scenes

HELD_OUT = 1200
# How much contrast and the brightness of each color vary from picture to picture.
CONTRAST, BRIGHTNESS = 0.1, 8.0


class Plan(NamedTuple):
    """How long a task is trained: epochs over `count` pictures, with a rate that rises shortly and then falls.

    Many pictures seen a few times teach more than few seen often, and drawing one takes a fraction of learning from it.
    """
    count: int
    epochs: int
    rate: float
    batch_size: int = 16


class Output(NamedTuple):
    """An output of a network: its name in the file, and the shape that tells it from the others."""
    name: str
    shape: tuple[int, ...]


class Task:
    """A task: its pictures, or what else it learns from, its network, what it learns, and how well a file of it does.

    Subclasses give `NAME` (of the files), `SCENES` (GenerateScenes' task), `SIDE` (of the input, in pixels), `DRAWS`, `PLAN`, `OUTPUTS` and the
    methods that raise here.
    """
    NAME = SCENES = ''
    SIDE = 128
    DRAWS: tuple[Draw, ...] = ()
    PLAN = Plan(0, 0, 0.0)
    OUTPUTS: tuple[Output, ...] = ()
    # Types of the int8 file's inputs and outputs, whether bytes or as in the float file: detectors go on in float, sounds and words' numbers are no bytes.
    QUANTIZED_INPUTS = QUANTIZED_OUTPUTS = True
    # The name of the input in the file.
    INPUT = 'image'

    def network(self):
        raise NotImplementedError

    def learner(self, network):
        """What of the network gives the loss its outputs: all of it, unless its last operators only arrange them."""
        return network

    def loss(self, outputs, *truth):
        raise NotImplementedError

    def drawn(self, drawer: Drawer, count: int, seed: int) -> list[Scenes]:
        """What the task learns from, or is measured on."""
        return drawer.scenes(self.SCENES, count, seed, self.DRAWS)

    @property
    def examples(self) -> np.ndarray:
        """What training goes through, after `learn`."""
        return self.pictures

    def described(self) -> dict:
        """What the description of the files needs of the task, after `learn`."""
        return {}

    def specification(self) -> tf.TensorSpec:
        """The network's input."""
        return tf.TensorSpec((1, self.SIDE, self.SIDE, 3), tf.float32, self.INPUT)

    def real(self, example):
        """An example as the float file takes it."""
        return np.asarray(example, np.float32) / 127.5 - 1

    def variation(self, count: int, random: np.random.Generator) -> tuple[np.ndarray, ...]:
        """How the examples of a step differ from those that were drawn."""
        contrast = random.uniform(1 - CONTRAST, 1 + CONTRAST, (count, 1, 1, 1)).astype(np.float32)
        return contrast, random.uniform(-BRIGHTNESS, BRIGHTNESS, (count, 1, 1, 3)).astype(np.float32)

    def varied(self, examples: tf.Tensor, contrast: tf.Tensor, brightness: tf.Tensor) -> tf.Tensor:
        """The network's input of a step, with its variation."""
        return tf.clip_by_value((tf.cast(examples, tf.float32) - 127.5) * contrast + 127.5 + brightness, 0, 255) / 127.5 - 1

    def learn(self, scenes: list[Scenes]) -> None:
        """Takes the training pictures."""
        raise NotImplementedError

    def batch(self, indices: np.ndarray, random: np.random.Generator) -> tuple[np.ndarray, ...]:
        """Pictures and truth of a training step."""
        raise NotImplementedError

    def measure(self, run, scenes: list[Scenes]) -> dict[str, float]:
        """Figures of a file; `run(example)` gives its outputs for a picture of the input's size, a sound or words' numbers."""
        raise NotImplementedError

    def prepared(self, scenes: list[Scenes]) -> np.ndarray:
        """All the pictures in the input's size."""
        return np.stack([self.input(picture) for _, picture, _ in each(scenes)])

    def input(self, picture: np.ndarray) -> np.ndarray:
        return picture if picture.shape[:2] == (self.SIDE, self.SIDE) else resampling.stretched(picture, self.SIDE, self.SIDE)


def each(scenes: list[Scenes]) -> Iterator[tuple[int, np.ndarray, Scenes]]:
    """Pictures of all sizes with their number among those of their size."""
    for part in scenes:
        for index, picture in enumerate(part.pictures):
            yield index, picture, part


def joined(scenes: list[Scenes], name: str) -> np.ndarray:
    """What is known about the pictures of all sizes."""
    return np.concatenate([np.asarray(part.truth[name]) for part in scenes])


def half_mirrored(pictures: np.ndarray, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The pictures, half of them mirrored; and which are."""
    mirrored = random.random(len(pictures)) < 0.5
    pictures = pictures.copy()
    pictures[mirrored] = pictures[mirrored, :, ::-1]
    return pictures, mirrored


def mirrored_boxes(boxes: np.ndarray, mirrored: np.ndarray) -> np.ndarray:
    """Boxes `[pictures, n, 4]` of pictures, some of which were mirrored."""
    swapped = np.stack([boxes[..., 0], 1 - boxes[..., 3], boxes[..., 2], 1 - boxes[..., 1]], -1)
    return np.where(mirrored[:, None, None], swapped, boxes)
