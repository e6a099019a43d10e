"""Packs models and tensors into a few files and describes them in a manifest of format 1."""
import hashlib
import json
import math
import os

import numpy as np


class Pack:
    """Bytes concatenated in one file, with equal contents stored once."""

    def __init__(self, name, alignment):
        self.name, self.alignment = name, alignment
        self.data = bytearray()
        self.known = {}

    def add(self, data):
        key = hashlib.sha256(data).digest()
        if key not in self.known:
            self.data += bytes(-len(self.data) % self.alignment)
            self.known[key] = len(self.data)
            self.data += data
        return self.known[key]


class Packer:
    def __init__(self):
        self.models = Pack('models.bin', 16)
        self.tensors = Pack('tensors.bin', 8)

    def model(self, data):
        return {'model_offset': self.models.add(data), 'model_bytes': len(data)}

    def tensor(self, index, name, array, quantization):
        record = {'index': index, 'name': name, 'dtype': array.dtype.name, 'shape': list(array.shape)}
        if array.dtype.kind in 'SO':
            record['dtype'] = 'string'
            data = string_tensor(array.ravel().tolist())
        else:
            data = np.ascontiguousarray(array)
            if data.dtype == bool:
                data = data.astype(np.uint8)
            data = data.astype(data.dtype.newbyteorder('<')).tobytes()
        if quantization['scales']:
            record['quantization'] = quantization
        return {**record, 'offset': self.tensors.add(data), 'bytes': len(data)}

    def write(self, folder, manifest):
        os.makedirs(folder, exist_ok=True)
        # Published models stay in files of their own.
        packs = [pack for pack in (self.models, self.tensors) if pack.data]
        manifest['files'] = [{'file': pack.name, 'bytes': len(pack.data),
                              'sha256': hashlib.sha256(pack.data).hexdigest()} for pack in packs]
        for pack in packs:
            with open(os.path.join(folder, pack.name), 'wb') as f:
                f.write(pack.data)
        with open(os.path.join(folder, 'manifest.json'), 'w') as f:
            f.write(manifest_text(manifest))


def string_tensor(strings):
    """Returns the model format's own encoding: a count, the offset of every string and of the end, and the bytes."""
    offsets = 4 * (len(strings) + 2) + np.cumsum([0] + [len(s) for s in strings])
    return np.array([len(strings), *offsets], '<i4').tobytes() + b''.join(strings)


def manifest_text(manifest):
    """One model per line: compact, and a change of one model changes one line."""
    head = {k: v for k, v in manifest.items() if k not in ('models', 'skipped')}
    lines = [json.dumps(head, separators=(',', ':'))[:-1]]
    for key in ('models', 'skipped'):
        items = [json.dumps(item, separators=(',', ':')) for item in manifest[key]]
        lines[-1] += ',"%s":[' % key
        lines += [item + ',' for item in items[:-1]] + items[-1:] + [']']
    return '\n'.join(lines) + '}\n'


def shortest(value):
    """Returns the shortest number that is the same float32; null if it is not finite."""
    value = float(str(np.float32(value)))
    return value if math.isfinite(value) else None


def difference(reference, other):
    """Returns the difference between the XNNPACK run and the reference; null if it did not run, nothing if the two are equal."""
    if other is None or reference.shape != other.shape:
        return {'xnnpack_max_abs_diff': None}
    if reference.size == 0 or reference.dtype.kind not in 'fiub':
        return {}
    a, b = reference.astype(np.float64), other.astype(np.float64)
    with np.errstate(invalid='ignore'):
        distance = np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0, np.abs(a - b))
    if not distance.any():
        return {}
    record = {'xnnpack_max_abs_diff': shortest(distance.max())}
    if reference.dtype.kind != 'f':
        record['xnnpack_mismatches'] = int(np.count_nonzero(distance))
    return record
