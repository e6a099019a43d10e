"""What the tasks have in common."""
from typing import Iterator, NamedTuple

import numpy as np

from training import resampling
from training.drawing import Draw, Scenes

HELD_OUT = 1200


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
    """A task: its pictures, its network, what it learns, and how well a file of it does.

    Subclasses give `NAME` (of the files), `SCENES` (DrawScenes' task), `SIDE` (of the input, in pixels), `DRAWS`, `PLAN`, `OUTPUTS` and the
    methods that raise here.
    """
    NAME = SCENES = ''
    SIDE = 128
    DRAWS: tuple[Draw, ...] = ()
    PLAN = Plan(0, 0, 0.0)
    OUTPUTS: tuple[Output, ...] = ()
    # Type of the int8 file's outputs: detectors go on in float.
    QUANTIZED_OUTPUTS = True

    def network(self):
        raise NotImplementedError

    def learner(self, network):
        """What of the network gives the loss its outputs: all of it, unless its last operators only arrange them."""
        return network

    def loss(self, outputs, *truth):
        raise NotImplementedError

    def learn(self, scenes: list[Scenes]) -> None:
        """Takes the training pictures."""
        raise NotImplementedError

    def batch(self, indices: np.ndarray, random: np.random.Generator) -> tuple[np.ndarray, ...]:
        """Pictures and truth of a training step."""
        raise NotImplementedError

    def measure(self, run, scenes: list[Scenes]) -> dict[str, float]:
        """Figures of a file; `run(picture)` gives its outputs for a picture of the input's size."""
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
