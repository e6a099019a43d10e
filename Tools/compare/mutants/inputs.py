"""New values for inputs and weights: common ones, and values that rounding, saturation, and signs depend on."""
import numpy as np

from comparison.values import WORDS
from golden_models.tensors import INTEGER_RANGES

FLOAT_STYLES = ('like', 'like', 'wide', 'negative', 'halves', 'extremes', 'tiny', 'same', 'zeros')
CODE_STYLES = ('any', 'any', 'negative', 'positive', 'extremes', 'near zero', 'same')
# A number whose square overflows single precision.
HUGE = 1e20


def new_values(random, dtype, shape, sample, zero=None):
    """Returns (style, array) for an input.

    sample: the golden values, which show the meaningful range; zero: the zero point of quantized values, or None for plain numbers.
    """
    if dtype == 'string':
        words = list(WORDS) + [word for word in sample.ravel()]
        picks = random.integers(0, len(words), int(np.prod(shape)))
        return 'words', np.array([*(words[p] for p in picks), None], 'O')[:-1].reshape(shape)
    if dtype == 'bool':
        return 'chance', random.random(shape) < random.choice([0, 0.1, 0.5, 0.9, 1])
    if dtype.startswith('complex'):
        style, real = floats(random, shape, sample.real)
        return style, (real + 1j * floats(random, shape, sample.imag)[1]).astype(dtype)
    if dtype.startswith('float'):
        style, array = floats(random, shape, sample)
        limit = np.finfo(dtype).max
        return style, np.clip(array, -limit, limit).astype(dtype)
    if zero is not None:
        return codes(random, dtype, shape, zero)
    return integers(random, dtype, shape, sample)


def floats(random, shape, sample):
    style = str(random.choice(FLOAT_STYLES))
    finite = sample[np.isfinite(sample)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (-1.0, 1.0)
    if low == high:
        low, high = low - 1, high + 1
    if abs(low) > HUGE or abs(high) > HUGE:
        low, high = -2, 2
    like = random.uniform(low, high, shape)
    if style == 'wide':
        return style, random.normal(size=shape) * 10 ** random.uniform(-3, 3)
    if style == 'negative':
        return style, -np.abs(like)
    if style == 'halves':
        return style, np.round(like * random.choice([2, 4, 20])) / 2
    if style == 'extremes':
        return style, random.choice([low, high, 0.0, -0.0, 1.0, -1.0, 1e-7, 30.0, -30.0, 1e4], shape)
    if style == 'tiny':
        return style, like * 10.0 ** random.integers(-44, -37)
    if style == 'same':
        return style, np.full(shape, random.uniform(low, high))
    if style == 'zeros':
        return style, np.zeros(shape)
    return style, like


def codes(random, dtype, shape, zero):
    """Returns quantized values."""
    style = str(random.choice(CODE_STYLES))
    first, last = INTEGER_RANGES[dtype]
    if dtype == 'int16' and random.random() < 0.05:
        first = -32768
    zero = min(max(zero, first), last)
    bounds = {'negative': (first, zero), 'positive': (zero, last), 'near zero': (max(first, zero - 3), min(last, zero + 3))}
    if style == 'extremes':
        return style, random.choice([first, last, zero], shape).astype(dtype)
    if style == 'same':
        return style, np.full(shape, random.integers(first, last + 1), dtype)
    low, high = bounds.get(style, (first, last))
    return style, random.integers(low, high + 1, shape).astype(dtype)


def integers(random, dtype, shape, sample):
    """Returns plain integers, which can be indices or sizes: never beyond the golden ones, so that they stay meaningful."""
    if sample.size == 0:
        return 'zeros', np.zeros(shape, dtype)
    low, high = int(sample.min()), int(sample.max())
    if random.random() < 0.3:
        return 'golden', np.resize(random.permutation(sample.ravel()), shape).astype(dtype)
    return 'like', random.integers(low, high, shape, dtype=np.dtype(dtype), endpoint=True)
