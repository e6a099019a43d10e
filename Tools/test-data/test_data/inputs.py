"""Inputs of published models: random ones that depend only on the model's path, and photos."""
import hashlib

import numpy as np

from golden_models.tensors import random_values

# Float inputs with more elements are stored as bytes.
LARGEST_FLOATS = 4096
MIDDLE = 127.5


class Inputs:
    """The cases of a model. `settings` is its entry in inputs.json:

    image: the photo; mean, std: the conversion of its bytes to floats or int8; random_mean, random_std: the same for random bytes;
    shapes: input shapes instead of the model's own; values: complete inputs by index; int_max: the upper bound of random
    integers, exclusive; nonnegative: no negative int16; skip: the reason why the model has no golden tensors.
    """

    def __init__(self, name, settings, seed, image):
        self.name, self.settings, self.seed, self.image = name, settings, seed, image

    def steps(self, details):
        """Returns the arrays of every case: random ones, and the photo if an input can be an image."""
        shapes = self.settings.get('shapes') or [[int(size) for size in detail['shape']] for detail in details]
        cases = ['random'] + (['image'] if self.image and any(map(self.is_image, details, shapes)) else [])
        return [[self.value(case, index, detail, shape) for index, (detail, shape) in enumerate(zip(details, shapes))]
                for case in cases]

    def stored(self, case, index, array):
        """Returns the bytes that a large float input is made from, and the conversion; None and nothing for other inputs."""
        if array.dtype != np.float32 or array.size <= LARGEST_FLOATS or str(index) in self.settings.get('values', {}):
            return None, {}
        is_photo = case == 'image' and layout(array.shape) is not None
        mean, deviation = self.normalization(is_photo)
        pixels = photo(self.image, array.shape) if is_photo else self.random_bytes(index, array.shape)
        return pixels, {'storage': 'uint8', 'mean': mean, 'std': deviation}

    @staticmethod
    def is_image(detail, shape):
        return np.dtype(detail['dtype']) in (np.float32, np.uint8, np.int8) and layout(shape) is not None

    def value(self, case, index, detail, shape):
        dtype = np.dtype(detail['dtype'])
        if case == 'image' and self.is_image(detail, shape):
            return self.converted(photo(self.image, shape), detail, *self.normalization(True))
        given = self.settings.get('values', {}).get(str(index))
        if given is not None:
            return np.array(given, dtype).reshape(shape)
        if dtype == np.float32:
            return self.converted(self.random_bytes(index, shape), detail, *self.normalization(False))
        seed = self.seed_of(index)
        if dtype in (np.int32, np.int64):
            return random_values(dtype.name, shape, seed, 0, self.settings.get('int_max', 10) - 1)
        if dtype in (np.float16, np.float64):
            return random_values(dtype.name, shape, seed, -1, 1)
        if dtype.name in ('bool', 'int8', 'uint8', 'int16'):
            return random_values(dtype.name, shape, seed, 0 if self.settings.get('nonnegative') else None)
        raise ValueError('there is no rule for inputs of type ' + dtype.name)

    def seed_of(self, index):
        return f'{self.seed}/{self.name}/{index}'

    def random_bytes(self, index, shape):
        digest = hashlib.sha256(self.seed_of(index).encode()).digest()
        generator = np.random.Generator(np.random.PCG64(int.from_bytes(digest[:8], 'little')))
        return generator.integers(0, 256, shape, dtype=np.uint8)

    def normalization(self, is_photo):
        prefix = '' if is_photo else 'random_'
        return self.settings.get(prefix + 'mean', MIDDLE), self.settings.get(prefix + 'std', MIDDLE)

    @staticmethod
    def converted(pixels, detail, mean, deviation):
        dtype = np.dtype(detail['dtype'])
        if dtype == np.uint8:
            return pixels
        floats = (pixels.astype(np.float32) - np.float32(mean)) / np.float32(deviation)
        if dtype == np.float32:
            return floats
        scale, zero = detail['quantization']
        codes = np.round(floats / np.float32(scale)) + zero if scale else pixels.astype(np.float32) - 128
        return np.clip(codes, -128, 127).astype(np.int8)


def layout(shape):
    """Returns 'nhwc' or 'nchw' if a tensor of this shape can be one RGB or gray image, otherwise None."""
    sizes = list(shape)
    if len(sizes) == 5 and sizes[:2] == [1, 1]:
        sizes = sizes[1:]
    if len(sizes) != 4 or sizes[0] != 1:
        return None
    if sizes[3] in (1, 3) and min(sizes[1:3]) >= 24:
        return 'nhwc'
    return 'nchw' if sizes[1] in (1, 3) and min(sizes[2:]) >= 24 else None


def photo(path, shape):
    """Returns the photo in the tensor's size, without keeping its aspect ratio."""
    from PIL import Image
    sizes = list(shape)[-4:]
    is_planar = layout(shape) == 'nchw'
    height, width, channels = (sizes[2], sizes[3], sizes[1]) if is_planar else sizes[1:]
    image = Image.open(path).convert('L' if channels == 1 else 'RGB')
    pixels = np.asarray(image.resize((width, height), Image.Resampling.BILINEAR), np.uint8).reshape(height, width, channels)
    return np.ascontiguousarray(pixels.transpose(2, 0, 1) if is_planar else pixels).reshape(shape)
