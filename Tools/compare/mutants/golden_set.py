"""The golden models that mutants are derived from, as written by `Tools/golden`."""
import json
import os

import numpy as np


class GoldenSet:
    """The manifest of a directory, with the models and tensors next to it."""

    def __init__(self, folder):
        with open(os.path.join(folder, 'manifest.json')) as file:
            self.entries = json.load(file)['models']
        self.models, self.tensors = (read(os.path.join(folder, name)) for name in ('models.bin', 'tensors.bin'))

    def model(self, entry):
        return self.models[entry['model_offset']:][:entry['model_bytes']]

    def inputs(self, entry):
        """Returns the arrays of every case."""
        return [[self.tensor(record) for record in case['inputs']] for case in entry['cases']]

    def tensor(self, record):
        content = self.tensors[record['offset']:][:record['bytes']]
        if record['dtype'] == 'string':
            return np.array([*strings_of(content), None], 'O')[:-1].reshape(record['shape'])
        return np.frombuffer(content, record['dtype']).reshape(record['shape'])


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def strings_of(content):
    """Returns the strings of a tensor in the model format's own encoding."""
    count = int(np.frombuffer(content, '<i4', 1)[0])
    offsets = np.frombuffer(content, '<i4', count + 1, 4)
    return [content[first:last] for first, last in zip(offsets, offsets[1:])]
