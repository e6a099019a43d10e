"""Landmark tasks of hands, and gestures; face and pose landmarks are in people.py.

A row is a class that defines how both sides are called, and how their results are read: as a `Thing` each.
"""
import os
import shutil
import struct
import sys

from . import peer

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../test-data'))
from test_data import bundles  # noqa: E402


class Thing:
    """A hand, a face, or a pose: its names and scores, its landmarks relative to the image, those in meters, and its mask."""

    def __init__(self, names=(), scores=(), points=(), world=(), numbers=(), mask=None):
        self.names, self.scores, self.points, self.world, self.numbers = tuple(names), list(scores), list(points), list(world), list(numbers)
        self.mask = mask


class Landmarks(peer.Task):
    """The shared code of the landmark tasks. A row sets:

    NAME, COMMAND: the names of the task here and of its command; BUNDLE: a file of the test data;
    TASK: the name of MediaPipe's class, whose option class has the suffix Options;
    COUNT: the options of both sides for the maximum number of detections; FLAGS, KEYWORDS: further options of each side;
    SEQUENCES: directories of frames in the test data that contain something to track;
    SCORES, NUMBERS: the meaning of scores and further numbers;
    LIMITS: the median and the largest difference of landmarks, of landmarks in meters, of scores and of further numbers, and the mean difference of masks.
    `theirs` and `found` read the detections from MediaPipe's result and from the command's JSON.
    """
    WORST = (None, None, max, max, max, max, max, max)
    # The options for the maximum number of detections; None for a task that detects a single one.
    OPTIONS = (1, 2)
    COUNT = FLAGS = ()
    SCORES, NUMBERS, HAS_MASKS = 'scores', 'other numbers', False
    KEYWORDS, SEQUENCES = {}, ()
    # The name of the call, whether it accepts the image's orientation, and the limits for sequences if they differ.
    VERB, TAKES_ROTATION, VIDEO_LIMITS = 'detect', True, None
    # Milliseconds between frames.
    STEP = 33
    is_video = False

    @property
    def COLUMNS(self):
        return ('Swiftlet', 'MediaPipe', 'Median landmark difference', 'Largest landmark difference', 'Largest world landmark difference (m)',
                'Difference of ' + self.SCORES, 'Difference of ' + self.NUMBERS, 'Mean mask difference')

    @property
    def RULE(self):
        names = ('%g for the median of the landmarks', '%g for any landmark', '%g m for world landmarks', '%g for ' + self.SCORES, '%g for ' + self.NUMBERS,
                 '%g for the mean of the mask')
        return ('A run agrees if both sides have the same number of detections with the same names, and each matched pair differs by at most ' + ', '.join(
            name % limit for name, limit in zip(names, self.LIMITS) if limit is not None) + '.' + (' The option is the maximum number of detections.' if self.COUNT else '')
            + (' The inputs are consecutive frames.' if self.is_video else ''))

    def cases(self):
        if self.only in self.BUNDLE:
            path = bundles.find(self.BUNDLE, os.path.dirname(self.models), self.folder)
            for option in self.OPTIONS:
                yield self.BUNDLE, path, option

    def sequence(self, name):
        """Returns the same task on a sequence of frames."""
        other = type(self)(self.models, self.folder, self.only)
        other.is_video, other.NAME = True, '%s in %s' % (self.NAME, name)
        if self.VIDEO_LIMITS is not None:
            other.LIMITS = self.VIDEO_LIMITS
        return other

    def open(self, path, count):
        from mediapipe.tasks.python import vision
        options = dict(self.KEYWORDS)
        if count is not None:
            options[self.COUNT[1]] = count
        mode = vision.RunningMode.VIDEO if self.is_video else vision.RunningMode.IMAGE
        kind, settings = getattr(vision, self.TASK), getattr(vision, self.TASK + 'Options')
        self.frame = 0
        return kind.create_from_options(settings(base_options=peer.base_options(path), running_mode=mode, **options))

    def ours(self, tool, path, files, rotation, count):
        flags = list(self.FLAGS)
        if count is not None:
            flags += [self.COUNT[0], str(count)]
        if self.is_video:
            flags += ['--video', '--step-ms', str(self.STEP)]
        if self.HAS_MASKS:
            folder = tool.file('masks')
            shutil.rmtree(folder, ignore_errors=True)
            flags += ['--masks', folder]
        return tool.run(self.COMMAND, files, path, rotation, *flags)

    def compare(self, task, image, document, rotation, count):
        mine = self.found(document)
        yours = self.theirs(self.answer(task, image, rotation))
        pairs = match(mine, yours)
        middle = max((values[len(values) // 2] for values in (differences([(a.points, b.points)]) for a, b in pairs) if values), default=0.0)
        largest = [max(differences([(getattr(a, kind), getattr(b, kind)) for a, b in pairs]), default=0.0)
                   for kind in ('points', 'world', 'scores', 'numbers')]
        masks = max((of_masks(a.mask, b.mask) for a, b in pairs), default=0.0)
        agrees = len(mine) == len(yours) and all(a.names == b.names for a, b in pairs) and all(
            limit is None or value <= limit for value, limit in zip([middle] + largest + [masks], self.LIMITS))
        return agrees, (len(mine), len(yours), middle) + tuple(largest) + (masks,)

    def answer(self, task, image, rotation):
        verb = self.VERB + ('_for_video' if self.is_video else '')
        time = (self.frame * self.STEP,) if self.is_video else ()
        self.frame += 1
        more = (peer.processing(rotation),) if self.TAKES_ROTATION else ()
        return getattr(task, verb)(image, *time, *more)


def match(mine, yours):
    """Returns pairs, those with the closest landmarks first."""
    def apart(a, b):
        values = differences([(a.points, b.points)])
        return sum(values) / len(values) if values else 0.0
    ranked = sorted((apart(a, b), i, j) for i, a in enumerate(mine) for j, b in enumerate(yours))
    used_i, used_j, pairs = set(), set(), []
    for _, i, j in ranked:
        if i not in used_i and j not in used_j:
            used_i.add(i)
            used_j.add(j)
            pairs.append((mine[i], yours[j]))
    return pairs


def differences(pairs):
    """Returns the differences of all numbers, smallest first; lists of different lengths differ by infinity."""
    values = []
    for a, b in pairs:
        a, b = flat(a), flat(b)
        values += [abs(p - q) for p, q in zip(a, b)] if len(a) == len(b) else [float('inf')]
    return sorted(values)


def of_masks(mine, yours):
    """Returns the mean difference; masks of different sizes, and a missing mask, differ by infinity."""
    import numpy as np
    if mine is None or yours is None:
        return 0.0 if mine is yours else float('inf')
    return float(np.abs(mine - yours).mean()) if mine.shape == yours.shape else float('inf')


def flat(values):
    return [number for value in values for number in (value if isinstance(value, tuple) else (value,))]


def points(landmarks):
    """Returns the values of MediaPipe's result."""
    return [(p.x, p.y, p.z) for p in landmarks]


def places(document):
    """Returns the values of Swiftlet's JSON."""
    return [(p['x'], p['y'], p['z']) for p in document]


def right(name, score):
    """Returns the probability of a right hand. The name of the more probable hand is less informative, because near one half it can be either. Scores are
    single precision."""
    score = struct.unpack('<f', struct.pack('<f', score))[0]
    return score if name == 'Right' else 1 - score


class Hands(Landmarks):
    NAME, COMMAND, BUNDLE, TASK = 'hands', 'landmark-hands', 'hand_landmarker.task', 'HandLandmarker'
    COUNT, SEQUENCES = ('--num-hands', 'num_hands'), ('hand_move', 'pose_move')
    SCORES = 'handedness scores'
    LIMITS = (2e-3, 2e-3, 5e-3, 2e-3, None, None)
    # Small differences accumulate from frame to frame. If the handedness of a small hand is unclear, one byte of the region changes the
    # probability by a tenth.
    VIDEO_LIMITS = (5e-3, None, None, 0.2, None, None)

    def theirs(self, result):
        return [Thing((), [right(h[0].category_name, h[0].score)], points(p), points(w))
                for p, w, h in zip(result.hand_landmarks, result.hand_world_landmarks, result.handedness)]

    def found(self, document):
        return [Thing((), [right(h['handedness']['name'], h['handedness']['score'])], places(h['landmarks']), places(h['world_landmarks']))
                for h in document['hands']]


class Gestures(Hands):
    NAME, COMMAND, BUNDLE, TASK, VERB = 'gestures', 'recognize-gestures', 'gesture_recognizer.task', 'GestureRecognizer', 'recognize'
    SEQUENCES, NUMBERS = ('hand_move',), 'gesture scores'
    LIMITS = (2e-3, 2e-3, 5e-3, 2e-3, 1e-3, None)

    def theirs(self, result):
        hands = super().theirs(result)
        for hand, gestures in zip(hands, result.gestures):
            hand.names += (gestures[0].category_name,)
            hand.numbers = [gestures[0].score]
        return hands

    def found(self, document):
        hands = super().found(document)
        for hand, other in zip(hands, document['hands']):
            hand.names += tuple(g['name'] for g in other['gestures'])
            hand.numbers = [g['score'] for g in other['gestures']]
        # MediaPipe returns an empty result if no hand has a gesture.
        return hands if any(hand.numbers for hand in hands) else []
