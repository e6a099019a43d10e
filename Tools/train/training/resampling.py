"""Images as tensors, sampled as in MediaPipe's and Swiftlet's tasks."""
import numpy as np


def taps(source: int, target: int, first: float, length: float) -> tuple[np.ndarray, np.ndarray]:
    """Returns the integer parts and fractions of the target pixels' positions: no half-pixel shift, steps of 1/32 pixel."""
    steps = np.rint((first + np.arange(target) * (length / target)) * 32).astype(np.int64)
    return steps >> 5, steps & 31


def stretched(image: np.ndarray, width: int, height: int) -> np.ndarray:
    """Returns the entire image, stretched to the size."""
    h, w = image.shape[:2]
    return sampled(image, taps(w, width, 0, w), taps(h, height, 0, h), border=True)


def letterboxed(image: np.ndarray, side: int) -> np.ndarray:
    """Returns the entire image letterboxed in a square, with black borders."""
    h, w = image.shape[:2]
    longest = max(h, w)
    return sampled(image, taps(w, side, (w - longest) / 2, longest), taps(h, side, (h - longest) / 2, longest), border=False)


def letterbox(width: int, height: int) -> tuple[float, float, float, float]:
    """Returns the scale and offset from the image's relative x and y to those of its square."""
    longest = max(width, height)
    return width / longest, (longest - width) / 2 / longest, height / longest, (longest - height) / 2 / longest


def sampled(image: np.ndarray, columns: tuple[np.ndarray, np.ndarray], rows: tuple[np.ndarray, np.ndarray], border: bool) -> np.ndarray:
    (x, a), (y, b) = columns, rows
    top, bottom = gathered(image, y, 0, border).astype(np.int32), gathered(image, y + 1, 0, border).astype(np.int32)
    band = top * (32 - b)[:, None, None] + bottom * b[:, None, None]
    left, right = gathered(band, x, 1, border), gathered(band, x + 1, 1, border)
    return ((left * (32 - a)[None, :, None] + right * a[None, :, None] + 512) >> 10).astype(np.uint8)


def gathered(values: np.ndarray, positions: np.ndarray, axis: int, border: bool) -> np.ndarray:
    """Returns rows or columns at the positions; outside, the edge's if `border` is true, otherwise zeros."""
    size = values.shape[axis]
    result = np.take(values, np.clip(positions, 0, size - 1), axis)
    if border:
        return result
    inside = (positions >= 0) & (positions < size)
    return result * inside.reshape([-1 if i == axis else 1 for i in range(values.ndim)]).astype(values.dtype)


def nearest(mask: np.ndarray, width: int, height: int) -> np.ndarray:
    """Returns a mask of class indices, stretched to the size by nearest-neighbor sampling."""
    h, w = mask.shape
    return mask[np.minimum(np.rint(np.arange(height) * (h / height)).astype(int), h - 1)][:, np.minimum(np.rint(np.arange(width) * (w / width)).astype(int), w - 1)]
