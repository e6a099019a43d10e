"""Sequences of frames: cut from videos, and made from photos that move, rotate, and zoom."""
import os
import re

from test_data import missing
from test_data.parts import SEQUENCES, VIDEOS

# The first frame of each cut, and the step to the next.
CUTS = {'bottles_belt': ('bottle-detection.mp4', 467, 3), 'cars_overhead': ('car-detection.mp4', 180, 1),
        'person_walking': ('one-by-one-person-detection.mp4', 838, 2)}
SIZE, QUALITY = (320, 180), 88
# The gray value of empty pixels.
GRAY = 96


class Motion:
    """A photo in motion: its width, the shift per frame relative to its size, and the degrees and zoom of a frame."""

    def __init__(self, photo, width, shift, degrees, zoom, empty=()):
        self.photo, self.width, self.shift, self.degrees, self.zoom, self.empty = photo, width, shift, degrees, zoom, empty


MOTIONS = {
    'face_move': Motion('grace_hopper.jpg', 256, (0.006, 0.004), lambda i: 2.5 * i if i < 8 else 20 - 3 * (i - 8),
                        lambda i: 1 + 0.015 * i, (10, 11)),
    'faces_move': Motion('face.jpg', 384, (0.012, -0.004), lambda i: 1.0 * i, lambda i: 1 - 0.01 * i),
    'hand_move': Motion('hand_thumb_up.jpg', 320, (0.008, -0.005), lambda i: 3.0 * i, lambda i: 1 + 0.01 * i, (11, 12)),
    'pose_move': Motion('mp_pose.jpg', 400, (0.006, -0.004), lambda i: 1.5 * i, lambda i: 1 - 0.012 * i, (11, 12)),
}


def make_videos(data, replace):
    return make(data, replace, 'video', CUTS, lambda name: ('downloads', CUTS[name][0]), cut, '/img')


def make_sequences(data, replace):
    return make(data, replace, 'tasks/sequences', MOTIONS, lambda name: ('images', MOTIONS[name].photo), moved, '')


def make(data, replace, folder, names, source, frames, place):
    try:
        import cv2  # noqa: F401
        import PIL  # noqa: F401
    except ImportError as error:
        raise missing(error.name) from None
    failures = []
    for name in names:
        path, target = os.path.join(data, *source(name)), os.path.join(data, folder, name + place)
        if os.path.isdir(target) and not replace:
            continue
        if not os.path.exists(path):
            failures.append(f'{folder}/{name}: needs {"/".join(source(name))}; run fetch')
            continue
        os.makedirs(target, exist_ok=True)
        for old in filter(re.compile(r'\d{6}\.jpg').fullmatch, os.listdir(target)):
            os.remove(os.path.join(target, old))
        count = 0
        for count, frame in enumerate(frames(name, path), 1):
            frame.save(os.path.join(target, f'{count:06d}.jpg'), quality=QUALITY)
        print(f'{folder}/{name}: {count} frames', flush=True)
    return failures


def cut(name, path):
    """Returns downscaled frames of a video."""
    import cv2
    from PIL import Image
    _, first, step = CUTS[name]
    video = cv2.VideoCapture(path)
    for index in range(first + step * VIDEOS[name]):
        is_there, frame = video.read()
        if is_there and index >= first and (index - first) % step == 0:
            yield Image.fromarray(cv2.resize(frame, SIZE, interpolation=cv2.INTER_AREA)[..., ::-1])


def moved(name, path):
    """Returns frames of a photo in motion."""
    import cv2
    import numpy
    from PIL import Image
    # Intel's library, which OpenCV uses on some CPUs only, rounds differently.
    cv2.ipp.setUseIPP(False)
    motion = MOTIONS[name]
    photo = Image.open(path).convert('RGB')
    photo = photo.resize((motion.width, round(photo.height * motion.width / photo.width)), Image.Resampling.LANCZOS)
    pixels = numpy.asarray(photo)
    height, width = pixels.shape[:2]
    for index in range(SEQUENCES[name]):
        if index in motion.empty:
            yield Image.fromarray(numpy.full_like(pixels, GRAY))
            continue
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), motion.degrees(index), motion.zoom(index))
        matrix[:, 2] += motion.shift[0] * index * width, motion.shift[1] * index * height
        yield Image.fromarray(cv2.warpAffine(pixels, matrix, (width, height), flags=cv2.INTER_LINEAR,
                                             borderMode=cv2.BORDER_REPLICATE))
