"""Counts the single-precision values that differ, and the differences in units in the last place."""
import struct

from .landmarks import flat


def ordered(value):
    """Returns single-precision values as integers in the same order: neighbors differ by 1."""
    bits = struct.unpack('<i', struct.pack('<f', value))[0]
    return bits if bits >= 0 else -(bits & 0x7fffffff)


def distance(first, second):
    return abs(ordered(first) - ordered(second))


class Counts:
    """The differences in one task. Detections of both sides are compared in order.

    Scores are those of handedness, and blendshapes; further numbers are matrices, visibility, and presence.
    """
    HEADER = ('| Task | Images | Equal | Other count | Landmark values | Differ | World landmark values | Differ | 1 ulp | 2–15 ulps | More | Most (ulps) '
              '| Scores | Differ | Further numbers | Differ |\n'
              '|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|')
    LANDMARKS, OTHERS = ('points', 'world'), ('scores', 'numbers')

    def __init__(self, name):
        self.name, self.images, self.equal, self.other_count = name, 0, 0, 0
        self.values = dict.fromkeys(self.LANDMARKS + self.OTHERS, 0)
        self.differ = dict(self.values)
        self.ulps = []
        self.seen = set()
        self.different = []

    def add(self, image, mine, theirs):
        """Counts one image, unless neither side detects anything."""
        if not mine and not theirs:
            return
        self.images += 1
        self.seen.add(image)
        if len(mine) != len(theirs):
            self.other_count += 1
            self.different.append((image, '%d detections, %d of MediaPipe' % (len(mine), len(theirs))))
            return
        found = []
        for a, b in zip(mine, theirs):
            for kind in self.values:
                pairs = list(zip(flat(getattr(a, kind)), flat(getattr(b, kind)), strict=True))
                apart = [ulps for ulps in (distance(*pair) for pair in pairs) if ulps]
                self.values[kind] += len(pairs)
                self.differ[kind] += len(apart)
                if kind in self.LANDMARKS:
                    found += apart
        if found:
            self.ulps += found
            self.different.append((image, '%d values, by up to %d ulps' % (len(found), max(found))))
        else:
            self.equal += 1

    def row(self):
        one, few = sum(u == 1 for u in self.ulps), sum(2 <= u < 16 for u in self.ulps)

        def both(kinds):
            return [number for kind in kinds for number in (self.values[kind], self.differ[kind])]
        cells = [self.images, self.equal, self.other_count, *both(self.LANDMARKS), one, few, len(self.ulps) - one - few, max(self.ulps, default=0),
                 *both(self.OTHERS)]
        return '| %s | %s |' % (self.name, ' | '.join('{:,}'.format(cell) for cell in cells))
