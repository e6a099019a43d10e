"""Additional inputs for golden models. They aren't stored: the tests regenerate them from the model's name, by the rules here.

The reference results are stored as a checksum if they are defined bit for bit, and as numbers for floats with intermediate rounding.
"""
import numpy as np

from golden_models.other_types import MOVING
from golden_models.reference import Refused, run
from golden_models.tensors import INTEGER_RANGES

STYLES = ('any', 'negative', 'extremes')
# Operators besides those that only move values whose floats are products and sums in a fixed order in bit-exact numerics.
EXACT = (*MOVING.split(), 'ADD', 'SUB', 'MUL', 'MAXIMUM', 'MINIMUM', 'ABS', 'NEG', 'RELU', 'RELU6', 'RELU_N1_TO_1', 'RELU_0_TO_1', 'PRELU', 'RESIZE_BILINEAR',
         'MAX_POOL_2D', 'REDUCE_MAX', 'REDUCE_MIN', 'DEQUANTIZE', 'QUANTIZE')
# Operators whose results depend on the order of equal scores, on uninitialized memory, on undefined behavior of C++, or on ordered
# positions.
UNDEFINED = ('EMBEDDING_LOOKUP_SPARSE', 'RANDOM_UNIFORM', 'RANDOM_STANDARD_NORMAL', 'MULTINOMIAL', 'NON_MAX_SUPPRESSION_V4', 'NON_MAX_SUPPRESSION_V5',
             'TFLite_Detection_PostProcess', 'DIV')
# Larger float outputs have no additional inputs.
LARGEST_STORED = 256
WIDTH = 0xFFFFFFFFFFFFFFFF


def fingerprint(data):
    """64-bit FNV-1a."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & WIDTH
    return value


class Numbers:
    """SplitMix64."""

    def __init__(self, seed):
        self.state = fingerprint(seed.encode())

    def next(self):
        self.state = self.state + 0x9E3779B97F4A7C15 & WIDTH
        value = self.state
        value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & WIDTH
        value = (value ^ value >> 27) * 0x94D049BB133111EB & WIDTH
        return value ^ value >> 31


def made(record, golden, style, seed):
    """Returns an input of this style. Quantized values and floats are new; other types can be sizes or indices and are only rotated."""
    numbers = Numbers(seed)
    count = golden.size
    if count == 0:
        return golden
    zeros = record.get('quantization', {}).get('zero_points')
    if zeros and golden.dtype.name in ('int8', 'uint8', 'int16'):
        first, last = INTEGER_RANGES[golden.dtype.name]
        choices = {'any': range(first, last + 1), 'negative': range(first, zeros[0] + 1), 'extremes': (first, last, zeros[0])}[style]
        return np.array([choices[numbers.next() % len(choices)] for _ in range(count)], golden.dtype).reshape(golden.shape)
    if golden.dtype == np.float32:
        low, high = float(golden.min()), float(golden.max())
        if not np.isfinite([low, high]).all() or max(abs(low), abs(high)) > 1e6:
            low, high = -2.0, 2.0
        fixed = (low, high, 0.0, 1.0, -1.0, 2 * low, 2 * high, 0.5)
        values = []
        for _ in range(count):
            number = numbers.next()
            value = low + (high - low) * ((number >> 40) / (1 << 24))
            values.append({'any': value, 'negative': -abs(value), 'extremes': fixed[number % 8]}[style])
        return np.array(values, np.float32).reshape(golden.shape)
    flat = golden.ravel()
    shift = numbers.next() % count
    return np.concatenate([flat[shift:], flat[:shift]]).reshape(golden.shape)


def answers(entry, content, samples, stored):
    """Returns the reference results for every style: per output a checksum, or the offset of its numbers in `stored`. None if the reference rejects the
    input."""
    if entry.get('stateful') or entry.get('signature') or entry.get('reference') == 'formula' or not samples or entry['operator'] in UNDEFINED:
        return None
    found = {}
    for style in STYLES:
        records = entry['cases'][0]['inputs']
        inputs = [made(record, sample, style, '%s/%s/%d' % (entry['model'], style, i)) for i, (record, sample) in enumerate(zip(records, samples))]
        try:
            (_, outputs, _), = run(with_versions(content, entry), entry.get('reference', 'builtin_ref'), [inputs], False)
        except Refused:
            continue
        results = [array for _, array, _ in outputs]
        if not all(can_be_stored(entry, array) for array in results):
            continue
        # Floats with intermediate rounding: one kind of inputs is enough.
        if style == 'any' and any(is_rounded(entry, array) for array in results):
            continue
        found[style] = [stored.add(plain(array)) if is_rounded(entry, array) else '%016x' % fingerprint(plain(array)) for array in results]
    return found or None


def with_versions(content, entry):
    """Returns the model with the versions that the reference resolver supports."""
    if 'reference_versions' not in entry:
        return content
    import flatbuffers
    from ai_edge_litert import schema_py_generated as schema
    from golden_models.writer import AlignedBuffer
    model = schema.ModelT.InitFromObj(schema.Model.GetRootAs(content, 0))
    for code in model.operatorCodes:
        name = next((n for n, c in vars(schema.BuiltinOperator).items() if c == max(code.builtinCode, code.deprecatedBuiltinCode)), None)
        code.version = entry['reference_versions'].get(name, code.version)
    for position, old in enumerate(model.buffers):
        model.buffers[position] = AlignedBuffer()
        model.buffers[position].data = None if old.data is None else bytes(old.data)
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b'TFL3')
    return bytes(builder.Output())


def is_rounded(entry, array):
    return array.dtype.kind in 'fc' and entry['operator'] not in EXACT


def can_be_stored(entry, array):
    if array.dtype.kind in 'SO':
        return False
    return not is_rounded(entry, array) or array.dtype == np.float32 and array.nbytes <= LARGEST_STORED and np.isfinite(array).all()


def plain(array):
    """Returns elements as in memory; zeros without sign, because the sign of a zero is not compared, and all NaNs equal."""
    array = np.ascontiguousarray(array)
    if array.dtype.kind == 'f':
        array = np.where(np.isnan(array), np.array(np.nan, array.dtype), array) + np.array(0, array.dtype)
    return array.astype(array.dtype.newbyteorder('<')).tobytes() if array.dtype != bool else array.astype(np.uint8).tobytes()


class Stored:
    """The concatenated numbers."""

    def __init__(self):
        self.data = bytearray()

    def add(self, data):
        self.data += data
        return len(self.data) - len(data)


def text(entries):
    """Returns a line per model: its name, then every style with its outputs."""
    return ''.join('%s %s\n' % (model, ' '.join('%s=%s' % (style, ','.join(map(str, outputs))) for style, outputs in found.items()))
                   for model, found in entries)
