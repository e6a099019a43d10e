"""Evaluates model files on held-out images, audio, and sentences."""
import os

import numpy as np
from ai_edge_litert.interpreter import Interpreter

from training.drawing import HELD_OUT_SEED, Drawer
from training.files import FILES, TASKS, File
from training.task import HELD_OUT, Task

# The targets for each file: minimums, or maximums if the sign is negative.
TARGETS = {'AP@0.5': 0.95, 'key-point error / face width': -0.05, 'mAP@0.5': 0.9, 'mean IoU': 0.9, 'accuracy': 0.97, 'recall@1': 0.9}
# The accepted loss of the int8 file compared with the float one.
INT8_LOSS = 0.01
LARGEST = 300 * 1000


class Runner:
    """A file with its interpreter: converts an example of the task to real outputs."""

    def __init__(self, path: str, task: Task):
        self.path, self.task = path, task
        self.interpreter = Interpreter(path, num_threads=2)
        self.interpreter.allocate_tensors()
        self.input, self.outputs = self.interpreter.get_input_details()[0], self.interpreter.get_output_details()

    def __call__(self, example: np.ndarray) -> list[np.ndarray]:
        values = example if self.input['dtype'] == np.uint8 else self.task.real(example)
        self.interpreter.set_tensor(self.input['index'], values[None])
        self.interpreter.invoke()
        return [self.real(output) for output in self.outputs]

    def real(self, output: dict) -> np.ndarray:
        values = self.interpreter.get_tensor(output['index'])
        scale, zero = output['quantization']
        return (values.astype(np.float32) - zero) * scale if scale else values


def measured(file: File, models: str, drawer: Drawer, count: int = HELD_OUT) -> dict[str, dict[str, float]]:
    """Returns the metrics of the float and the int8 file, by `float32` and `int8`."""
    task: Task = TASKS[file.task]()
    scenes = task.drawn(drawer, count, HELD_OUT_SEED)
    figures = {}
    for form in ('float32', 'int8'):
        path = os.path.join(models, file.path(form == 'int8'))
        figures[form] = task.measure(Runner(path, task), scenes) | {'bytes': os.path.getsize(path)}
    return figures


def shortcomings(figures: dict[str, dict[str, float]]) -> list[str]:
    """Returns a description of the targets that a file misses."""
    missed = []
    for form, values in figures.items():
        for name, value in values.items():
            if name == 'bytes':
                missed += [f'{form} has {value} bytes, more than {LARGEST}'] if value > LARGEST else []
                continue
            target = TARGETS[name]
            worse = value > -target if target < 0 else value < target
            missed += [f'{form} {name} {value:.4f}, wanted {abs(target)}'] if worse and form == 'float32' else []
            loss = (figures['float32'][name] - value) * (-1 if target < 0 else 1)
            missed += [f'{form} {name} is {loss:.4f} worse than float32'] if loss > INT8_LOSS else []
    return missed


def table(results: dict[str, dict[str, dict[str, float]]]) -> str:
    """Returns a Markdown table of all files' metrics."""
    rows = ['| model | measure | target | float32 | int8 | bytes float32 | bytes int8 |', '|---|---|---|---|---|---|---|']
    for name, figures in results.items():
        sizes = f'{figures["float32"]["bytes"]} | {figures["int8"]["bytes"]}'
        for measure in figures['float32']:
            if measure == 'bytes':
                continue
            target = TARGETS[measure]
            rows.append(f'| {name} | {measure} | {"≤" if target < 0 else "≥"} {abs(target)} | {figures["float32"][measure]:.4f} | '
                        f'{figures["int8"][measure]:.4f} | {sizes} |')
    return '\n'.join(rows)


def evaluate(models: str, drawer: Drawer, only: list[str] | None = None, count: int = HELD_OUT) -> dict[str, dict[str, dict[str, float]]]:
    return {file.name: measured(file, models, drawer, count) for file in FILES if not only or file.name in only or file.task in only}
