"""Reads and writes files of the MOT challenge: lines of frame, identity, left, top, width, height, confidence."""
import os

import numpy


def rows(path):
    """Returns all rows of seven numbers each."""
    with open(path) as file:
        lines = [[float(field) for field in line.split(',')[:7]] for line in file if line.strip()]
    return numpy.array(lines, dtype=float).reshape(-1, 7)


def frames(path, count):
    """Returns for each frame the identities, the boxes as left, top, right, bottom, and the confidences."""
    table = rows(path)
    result = []
    for number in range(1, count + 1):
        part = table[table[:, 0] == number]
        boxes = part[:, 2:6].copy()
        boxes[:, 2:] += boxes[:, :2]
        result.append((part[:, 1].astype(int), boxes, part[:, 6]))
    return result


def write(path, frames_of_boxes):
    """Writes identities and boxes (left, top, right, bottom) of each frame."""
    with open(path, 'w') as file:
        for number, (identities, boxes) in enumerate(frames_of_boxes, 1):
            for identity, (left, top, right, bottom) in zip(identities, boxes):
                file.write('%d,%d,%r,%r,%r,%r,1,-1,-1,-1\n' % (number, identity, float(left), float(top), float(right - left), float(bottom - top)))


def information(folder):
    """Returns the frame rate and the number of frames of a sequence."""
    values = {}
    with open(os.path.join(folder, 'seqinfo.ini')) as file:
        for line in file:
            key, _, value = line.partition('=')
            values[key.strip()] = value.strip()
    return float(values['frameRate']), int(values['seqLength'])


def file(folder, kind):
    """Returns the path of det.txt or gt.txt, with or without a directory of its own."""
    nested = os.path.join(folder, kind, kind + '.txt')
    return nested if os.path.exists(nested) else os.path.join(folder, kind + '.txt')
