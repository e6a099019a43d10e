"""Sequences of the MOT challenge from directories of frames, with the boxes of Swiftlet's detector."""
import os
import shutil

import numpy

from . import mot_files
from .track_scores import overlaps

# Swiftlet's tracker with access to the images.
SEEING = 'Swiftlet with images'
# Frames per second of directories without this information.
FRAME_RATES = {'cars_overhead': 12.5, 'person_walking': 5, 'bottles_belt': 10, 'synthetic_crossing': 15}


def merged(boxes, scores, limit):
    """Returns the indices of the boxes that remain after non-maximum suppression over all classes."""
    kept = []
    for index in numpy.argsort(-scores, kind='stable'):
        if not kept or overlaps(boxes[index:index + 1], boxes[kept])[0].max() <= limit:
            kept.append(index)
    return kept


def reverse(folder):
    """Writes the sequence in reverse next to the original, and returns its directory."""
    target = folder + '-backwards'
    os.makedirs(target, exist_ok=True)
    with open(os.path.join(folder, 'seqinfo.ini')) as file:
        text = file.read()
    name = os.path.basename(folder)
    with open(os.path.join(target, 'seqinfo.ini'), 'w') as file:
        file.write(text.replace('name=' + name, 'name=' + os.path.basename(target)))
    _, count = mot_files.information(folder)
    for kind in ('det.txt', 'gt.txt'):
        if os.path.exists(os.path.join(folder, kind)):
            with open(os.path.join(folder, kind)) as file, open(os.path.join(target, kind), 'w') as copy:
                for line in file:
                    frame, _, rest = line.partition(',')
                    copy.write('%d,%s' % (count + 1 - int(frame), rest))
    return target


def track(source, target, tool, model):
    """Runs the command line on the frames themselves, in the order of the sequence `target`, so that the tracker can also use the appearance of objects."""
    folder = os.path.join(source, 'img')
    images = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    if target.endswith('-backwards'):
        images.reverse()
    # Objects appear at the same score as in the tracker without images.
    results = tool.run('track', images, model, 0, '--multiple', '--score-threshold', '0.55', '--fps', str(mot_files.information(target)[0]))
    frames = []
    for result in results:
        found = result['objects']
        boxes = numpy.array([[o['frame'][k] for k in ('x', 'y', 'width', 'height')] for o in found], dtype=float).reshape(-1, 4)
        boxes[:, 2:] += boxes[:, :2]
        frames.append(([o['tracking_id'] for o in found], boxes))
    mot_files.write(os.path.join(target, SEEING + '.txt'), frames)


def make(source, target, tool, model, threshold, overlap=0.6):
    """Detects objects in every frame of `source` and writes the sequence to `target`."""
    from PIL import Image
    folder = os.path.join(source, 'img')
    images = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    width, height = Image.open(images[0]).size
    os.makedirs(target, exist_ok=True)
    name = os.path.basename(source)
    with open(os.path.join(target, 'seqinfo.ini'), 'w') as file:
        file.write('[Sequence]\nname=%s\nframeRate=%s\nseqLength=%d\nimWidth=%d\nimHeight=%d\n' % (
            os.path.basename(target), FRAME_RATES.get(name, 30), len(images), width, height))
    truth = os.path.join(source, 'gt.txt')
    if os.path.exists(truth):
        shutil.copyfile(truth, os.path.join(target, 'gt.txt'))
    with open(os.path.join(target, 'det.txt'), 'w') as file:
        for number, result in enumerate(tool.run('detect-objects', images, model, 0, '--score-threshold', str(threshold), '--max-results', '100'), 1):
            found = result['detections']
            if not found:
                continue
            boxes = numpy.array([[d['box'][k] for k in ('x', 'y', 'width', 'height')] for d in found], dtype=float)
            boxes[:, 2:] += boxes[:, :2]
            scores = numpy.array([d['categories'][0]['score'] for d in found])
            for index in merged(boxes, scores, overlap):
                left, top, right, bottom = boxes[index]
                if right > left and bottom > top:
                    file.write('%d,-1,%r,%r,%r,%r,%r\n' % (number, *map(float, (left, top, right - left, bottom - top, scores[index]))))
