"""Pictures, sounds and sentences with their truth, made by GenerateScenes and kept in the work folder."""
import os
import shutil
import subprocess
from typing import Callable, NamedTuple

import numpy as np

PACKAGE = os.path.abspath(os.path.join(os.path.dirname(__file__), '../../..'))

# Pictures that models learn from and those that they are measured on never share a seed.
TRAINING_SEED, HELD_OUT_SEED = 1, 1_000_003


class Draw(NamedTuple):
    """Pictures of one size; `share` of all the pictures of a task."""
    width: int
    height: int
    share: float


class Scenes(NamedTuple):
    """Pictures `[count, height, width, 3]` of one size and what is known about them, by GenerateScenes' names."""
    pictures: np.ndarray
    truth: dict[str, np.ndarray]


class Drawer:
    """Runs GenerateScenes, once for each set of pictures: what is in the work folder already is taken from there."""

    def __init__(self, folder: str, program: str | None, say: Callable[[str], None]):
        self.folder, self.program, self.say = folder, program, say

    def scenes(self, task: str, count: int, seed: int, draws: tuple[Draw, ...]) -> list[Scenes]:
        """`count` pictures of a task, in the sizes and shares of `draws`."""
        return [self.one(task, max(8, round(count * draw.share / 8) * 8), seed + index, draw.width, draw.height) for index, draw in enumerate(draws)]

    def one(self, task: str, count: int, seed: int, width: int, height: int) -> Scenes:
        arrays = self.arrays(f'{task}-{width}x{height}-{count}-seed{seed}', task, count, seed, '--width', str(width), '--height', str(height))
        return Scenes(arrays.pop('pictures'), arrays)

    def examples(self, task: str, count: int, seed: int) -> dict[str, np.ndarray]:
        """Sounds or sentences, by GenerateScenes' names."""
        return self.arrays(f'{task}-{count}-seed{seed}', task, count, seed)

    def arrays(self, name: str, task: str, count: int, seed: int, *size: str) -> dict[str, np.ndarray]:
        folder = os.path.join(self.folder, 'pictures', name)
        if not os.path.isdir(folder):
            self.say(f'drawing {name}')
            self.draw(folder, '--task', task, '--count', str(count), '--seed', str(seed), *size)
        return {os.path.splitext(file)[0]: np.load(os.path.join(folder, file), mmap_mode='r')
                for file in sorted(os.listdir(folder)) if file.endswith('.npy')}

    def draw(self, folder: str, *options: str) -> None:
        """Draws into a folder beside the wanted one first, so that one that is there is whole."""
        unfinished = folder + '.unfinished'
        shutil.rmtree(unfinished, ignore_errors=True)
        os.makedirs(unfinished)
        command = [self.program] if self.program else ['swift', 'run', '-c', 'release', '--package-path', PACKAGE, 'GenerateScenes']
        subprocess.run([*command, *options, '--output', unfinished], check=True)
        os.rename(unfinished, folder)
