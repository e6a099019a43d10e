"""A mutant: a golden model with some changes and new inputs, derived from a seed and a number."""
import hashlib

import numpy as np

from . import changes
from .inputs import new_values
from .model_file import is_quantized, read_model, shape_of, type_name, write_model

# The numbers of changes in a mutant besides new inputs, with their probabilities.
CHANGE_COUNTS = ((0, 0.25), (1, 0.4), (2, 0.25), (3, 0.1))
LARGEST_INPUT = 20000


class Mutant:
    """The context of changes: `model`, the entry point's `graph`, the `shapes` given to its inputs, `random`, `notes`."""

    def __init__(self, number, entry, content, samples, random, versions):
        self.number, self.entry, self.samples, self.random = number, entry, samples, random
        self.versions = versions
        self.model = read_model(content)
        self.signature = next((s for s in self.model.signatureDefs or [] if s.signatureKey.decode() == entry.get('signature')), None)
        self.graph = self.model.subgraphs[self.signature.subgraphIndex if self.signature else 0]
        positions = [t.tensorIndex for t in self.signature.inputs] if self.signature else self.graph.inputs
        self.inputs = [self.graph.tensors[p] for p in (positions if positions is not None else [])]
        self.shapes = [list(array.shape) for array in samples[0]]
        self.is_resized = [shape != shape_of(tensor) for shape, tensor in zip(self.shapes, self.inputs)]
        self.is_retyped = False
        self.notes = []
        self.steps = []

    @property
    def name(self):
        return '%05d %s' % (self.number, self.entry['model'])

    @property
    def content(self):
        return write_model(self.model)

    @property
    def is_stateful(self):
        return bool(self.entry.get('stateful'))

    def change(self):
        """Applies a number of random changes; those that don't fit the model are skipped."""
        counts, chances = zip(*CHANGE_COUNTS)
        for _ in range(self.random.choice(counts, p=chances)):
            for _ in range(6):
                change = changes.ALL[self.random.choice(len(changes.ALL), p=changes.CHANCES)]
                note = change(self)
                if note:
                    self.notes.append(note)
                    break

    def fill(self):
        """Writes the shapes of the inputs to the file, and generates their values."""
        for tensor, shape, resized in zip(self.inputs, self.shapes, self.is_resized):
            stated = shape_of(tensor)
            if not resized or len(stated) != len(shape):
                tensor.shape, tensor.shapeSignature = list(shape), None
            elif stated != shape:
                tensor.shapeSignature = [a if a == b else -1 for a, b in zip(stated, shape)]
        count = len(self.samples) if self.is_stateful else 1
        for step in range(count):
            values = []
            for tensor, shape, sample in zip(self.inputs, self.shapes, self.samples[step]):
                dtype = type_name(tensor)
                zero = int(tensor.quantization.zeroPoint[0]) if is_quantized(tensor) and dtype in ('int8', 'uint8', 'int16') else None
                style, array = new_values(self.random, dtype, shape, sample, zero)
                values.append(array)
                if step == 0:
                    self.notes.append('%s values: %s' % (tensor.name.decode() if tensor.name else '?', style))
            self.steps.append(values)


def make(number, seed, golden, versions):
    """Returns the mutant with this number. It depends only on the seed and the golden models."""
    digest = hashlib.sha256(('%d/%d' % (seed, number)).encode()).digest()
    random = np.random.Generator(np.random.PCG64(int.from_bytes(digest[:8], 'little')))
    # Every model is used once before any is used again.
    order = np.random.Generator(np.random.PCG64(seed)).permutation(len(golden.entries))
    entry = golden.entries[order[number % len(order)]]
    mutant = Mutant(number, entry, golden.model(entry), golden.inputs(entry), random, versions)
    mutant.change()
    mutant.fill()
    return mutant
