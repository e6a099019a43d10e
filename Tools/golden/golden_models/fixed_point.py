"""The reference kernels' fixed-point scaling, for the results that they fail to compute themselves."""
import math

import numpy as np


def quantized_multiplier(scale):
    """A scale as a 31-bit fraction and a power of two."""
    if scale == 0:
        return 0, 0
    fraction, shift = math.frexp(scale)
    multiplier = int(math.floor(fraction * 2**31 + 0.5))
    if multiplier == 2**31:
        multiplier, shift = multiplier // 2, shift + 1
    return (0, 0) if shift < -31 else (multiplier, shift)


def scaled(value, multiplier, shift):
    """`value` times the scale, rounded twice: to 31 bits, then half away from zero."""
    product = (value << max(shift, 0)) * multiplier
    nudged = product + (2**30 if product >= 0 else 1 - 2**30)
    high = nudged // 2**31 if nudged >= 0 else -(-nudged // 2**31)
    right = max(-shift, 0)
    mask = (1 << right) - 1
    threshold = (mask >> 1) + (1 if high < 0 else 0)
    return (high >> right) + (1 if (high & mask) > threshold else 0)


def quantized_sum(values, axes, keep, source, target, low, high):
    """What SUM of quantised values is defined to be."""
    multiplier, shift = quantized_multiplier(source.scales[0] / target.scales[0])
    centered = values.astype(np.int64) - source.zero_points[0]
    total = np.sum(centered, axis=axes, keepdims=keep)
    results = [scaled(int(t), multiplier, shift) + target.zero_points[0] for t in np.ravel(total)]
    return np.clip(results, low, high).reshape(total.shape).astype(values.dtype)
