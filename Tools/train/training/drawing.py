"""Pictures with their truth, drawn by DrawScenes and kept in the work folder."""
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
    """Pictures `[count, height, width, 3]` of one size and what is known about them, by DrawScenes' names."""
    pictures: np.ndarray
    truth: dict[str, np.ndarray]


class Drawer:
    """Runs DrawScenes, once for each set of pictures: what is in the work folder already is taken from there."""

    def __init__(self, folder: str, program: str | None, say: Callable[[str], None]):
        self.folder, self.program, self.say = folder, program, say

    def scenes(self, task: str, count: int, seed: int, draws: tuple[Draw, ...]) -> list[Scenes]:
        """`count` pictures of a task, in the sizes and shares of `draws`."""
        return [self.one(task, max(8, round(count * draw.share / 8) * 8), seed + index, draw.width, draw.height) for index, draw in enumerate(draws)]

    def one(self, task: str, count: int, seed: int, width: int, height: int) -> Scenes:
        folder = os.path.join(self.folder, 'pictures', f'{task}-{width}x{height}-{count}-seed{seed}')
        if not os.path.isdir(folder):
            self.draw(task, count, seed, width, height, folder)
        arrays = {os.path.splitext(name)[0]: np.load(os.path.join(folder, name), mmap_mode='r')
                  for name in sorted(os.listdir(folder)) if name.endswith('.npy')}
        return Scenes(arrays.pop('pictures'), arrays)

    def draw(self, task: str, count: int, seed: int, width: int, height: int, folder: str) -> None:
        """Draws into a folder beside the wanted one first, so that one that is there is whole."""
        self.say(f'drawing {count} pictures of {width}×{height} for {task}, seed {seed}')
        unfinished = folder + '.unfinished'
        shutil.rmtree(unfinished, ignore_errors=True)
        os.makedirs(unfinished)
        command = [self.program] if self.program else ['swift', 'run', '-c', 'release', '--package-path', PACKAGE, 'DrawScenes']
        subprocess.run([*command, '--task', task, '--count', str(count), '--seed', str(seed), '--width', str(width),
                        '--height', str(height), '--output', unfinished], check=True)
        os.rename(unfinished, folder)
