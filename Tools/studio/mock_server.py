#!/usr/bin/env python3
"""Serves the page of `swiftlet studio` with canned results, so that the page can be tested without Swift.

    Tools/studio/mock_server.py [--port N] [--delay MILLISECONDS]

The page is assembled from the files of the working tree, as the server does it. Requests that the server would reject are
rejected here, too.
"""
import argparse
import http.server
import io
import json
import math
import os
import re
import struct
import sys
import time
import urllib.parse
import wave
import zlib

FOLDER = os.path.dirname(os.path.abspath(__file__))
PAGES = os.path.join(FOLDER, '..', '..', 'Sources', 'Command', 'CSwiftletReports')
SCRIPTS = ['api', 'tasks', 'controls', 'inputs', 'stage', 'overlay', 'camera', 'sound', 'forms', 'results', 'latency', 'code', 'model', 'main']
TOKEN = '0123456789abcdef'
POLICY = ("default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:; "
          "media-src blob: mediastream:; connect-src 'self'; frame-src blob:")


# MARK: Files

def png(width, height, pixel):
    """Returns a PNG file. `pixel` returns the red, green, and blue of a position."""
    rows = b''.join(b'\0' + b''.join(bytes(pixel(x, y)) for x in range(width)) for y in range(height))
    chunk = lambda name, content: struct.pack('>I', len(content)) + name + content + struct.pack('>I', zlib.crc32(name + content))
    return (b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 8, 2, 0, 0, 0))
            + chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))


def scene(number, width=320, height=240):
    """Returns a PNG file with discs on a gradient."""
    discs = [(0.3, 0.45, 0.17), (0.7, 0.5, 0.14)][:1 + number % 2] + [(0.5, 0.85, 0.08)]

    def pixel(x, y):
        for index, (left, top, radius) in enumerate(discs):
            if math.hypot(x - left * width, y - top * height) < radius * width:
                return [(232, 190, 160), (150, 190, 120), (220, 120, 90)][(index + number) % 3]
        return (90 + 100 * x // width, 120 + 80 * y // height, 190 - 40 * number % 80)
    return png(width, height, pixel)


def sound(seconds=3, rate=16000):
    samples = [int(9000 * math.sin(x * 0.11) * (1 + math.sin(x / rate * 6)) / 2) for x in range(seconds * rate)]
    stream = io.BytesIO()
    with wave.open(stream, 'wb') as file:
        file.setparams((1, 2, rate, 0, 'NONE', ''))
        file.writeframes(struct.pack('<%dh' % len(samples), *samples))
    return stream.getvalue()


# MARK: Tasks

def number(name, label, default, low=0, high=1, step=0.01, text=''):
    return {'name': name, 'label': label, 'help': text, 'kind': 'number', 'min': low, 'max': high, 'step': step, 'default': default}


def integer(name, label, default, low, high, text=''):
    return dict(number(name, label, default, low, high, 1, text), kind='integer')


CONFIDENCE = number('min-confidence', 'Minimum confidence', '0.5', text='Results with lower scores are omitted.')
ROTATE = {'name': 'rotate', 'label': 'Rotation', 'help': 'The clockwise rotation in degrees that makes the image upright.', 'kind': 'choice',
          'choices': ['0', '90', '180', '270'], 'default': '0'}
MAXIMUM = integer('max-results', 'Maximum results', None, 1, 20)
SCORE = number('score-threshold', 'Score threshold', None)
ALLOW = {'name': 'allow', 'label': 'Allowed categories', 'help': 'Names, separated by commas.', 'kind': 'text', 'default': None, 'placeholder': 'cat,dog'}
MASKS = {'name': 'masks', 'label': 'Segmentation masks', 'help': 'Adds a mask per pose.', 'kind': 'flag', 'default': 'false'}
HAND = [[0, 1], [1, 2], [2, 3], [3, 4], [0, 5], [5, 6], [6, 7], [7, 8], [5, 9], [9, 10], [10, 11], [11, 12], [9, 13], [13, 14], [14, 15],
        [15, 16], [13, 17], [0, 17], [17, 18], [18, 19], [19, 20]]
POSE = [[11, 12], [11, 13], [13, 15], [12, 14], [14, 16], [11, 23], [12, 24], [23, 24], [23, 25], [24, 26], [25, 27], [26, 28], [0, 1], [0, 4],
        [9, 10], [15, 19], [16, 20], [27, 31], [28, 32]]
RINGS, SPOKES = 14, 34
MESH = [[ring * SPOKES + spoke, other] for ring in range(RINGS) for spoke in range(SPOKES)
        for other in (ring * SPOKES + (spoke + 1) % SPOKES, (ring + 1) * SPOKES + spoke) if other < RINGS * SPOKES]
OUTLINE = [[(RINGS - 1) * SPOKES + spoke, (RINGS - 1) * SPOKES + (spoke + 1) % SPOKES] for spoke in range(SPOKES)]
BUNDLED = [{'id': 'bundled', 'name': 'bundled model', 'note': "trained on synthetic images; doesn't generalize to photos"},
           {'id': 'other', 'name': 'model_float16.tflite', 'note': None}]
FETCHED = [{'id': 'published', 'name': 'published model', 'note': None}]


def task(name, title, group, form, summary, options, live=False, models=FETCHED, edges=None, missing=None):
    result = {'id': name, 'title': title, 'group': group, 'summary': summary, 'input': form, 'isLive': live, 'models': models, 'missing': missing, 'options': options}
    return dict(result, edges=edges) if edges else result


TASKS = [
    task('detect-faces', 'Face detection', 'Vision', 'image', 'Detects faces, with six keypoints each.',
         [CONFIDENCE, number('min-suppression', 'Minimum suppression', '0.3', text='The IoU threshold for non-maximum suppression.'), ROTATE], True, BUNDLED),
    task('detect-objects', 'Object detection', 'Vision', 'image', 'Detects objects.', [SCORE, MAXIMUM, ALLOW, ROTATE], True, BUNDLED),
    task('classify', 'Image classification', 'Vision', 'image', 'Classifies images.', [SCORE, MAXIMUM, ALLOW], True, BUNDLED),
    task('segment', 'Segmentation', 'Vision', 'image', 'Segments images into category and confidence masks.', [ROTATE], True, BUNDLED),
    task('segment-point', 'Interactive segmentation', 'Vision', 'image-point', 'Segments the object at a point.', [ROTATE]),
    task('embed', 'Image similarity', 'Vision', 'image-pair', 'Compares two images by the cosine similarity of their embeddings.',
         [{'name': 'l2-normalize', 'label': 'L2 normalization', 'help': '', 'kind': 'flag', 'default': 'false'}], False, BUNDLED),
    task('landmark-hands', 'Hand landmarks', 'Vision', 'image', 'Detects hand landmarks, 21 per hand.', [integer('max-hands', 'Maximum hands', '1', 1, 4), CONFIDENCE], True, edges={'hand': HAND}),
    task('recognize-gestures', 'Gesture recognition', 'Vision', 'image', 'Recognizes hand gestures.', [integer('max-hands', 'Maximum hands', '1', 1, 4)], True, edges={'hand': HAND}),
    task('landmark-faces', 'Face landmarks', 'Vision', 'image', 'Detects face landmarks, 478 per face.',
         [integer('max-faces', 'Maximum faces', '1', 1, 5), {'name': 'blendshapes', 'label': 'Blendshapes', 'help': '', 'kind': 'flag', 'default': 'true'}], True,
         edges={'face-mesh': MESH, 'face-contours': OUTLINE}),
    task('landmark-poses', 'Pose landmarks', 'Vision', 'image', 'Detects pose landmarks, 33 per pose.', [integer('max-poses', 'Maximum poses', '1', 1, 5), MASKS], True, edges={'pose': POSE}),
    task('landmark-holistic', 'Holistic landmarks', 'Vision', 'image', 'Detects the pose, hand, and face landmarks of one person.', [CONFIDENCE], True,
         edges={'hand': HAND, 'pose': POSE, 'face-mesh': MESH, 'face-contours': OUTLINE}),
    task('track', 'Object tracking', 'Vision', 'image', 'Detects, tracks, and classifies objects in video frames.', [CONFIDENCE], True),
    task('classify-audio', 'Audio classification', 'Audio', 'sound', 'Classifies audio, one result per window.', [SCORE, MAXIMUM], models=BUNDLED),
    task('classify-text', 'Text classification', 'Text', 'text', 'Classifies text.', [SCORE, MAXIMUM], models=BUNDLED),
    task('embed-text', 'Text similarity', 'Text', 'text-pair', 'Compares two texts by the cosine similarity of their embeddings.',
         [{'name': 'l2-normalize', 'label': 'L2 normalization', 'help': '', 'kind': 'flag', 'default': 'false'}]),
    task('detect-language', 'Language detection', 'Text', 'text', 'Detects the language of text.', [SCORE, MAXIMUM], models=[], missing='swiftlet models fetch language-detector'),
]
VISION = [each['id'] for each in TASKS if each['group'] == 'Vision']
SAMPLES = [
    {'id': 0, 'name': 'discs 1', 'kind': 'image', 'tasks': VISION}, {'id': 1, 'name': 'discs 2', 'kind': 'image', 'tasks': VISION},
    {'id': 2, 'name': 'tone', 'kind': 'sound', 'tasks': ['classify-audio']},
    {'id': 3, 'name': 'review', 'kind': 'text', 'tasks': ['classify-text', 'embed-text'], 'text': 'A warm and generous film, and one of the best of the year.'},
    {'id': 4, 'name': 'complaint', 'kind': 'text', 'tasks': ['classify-text', 'embed-text'], 'text': 'The plot is thin, and the jokes fall flat.'},
]
LABELS = ['background', 'disc', 'ring', 'floor']


# MARK: Results

class Refused(Exception):
    """A request that the server rejects, with its status."""

    def __init__(self, message, status=400):
        super().__init__(message)
        self.status = status


def category(name, score, index=0):
    return {'index': index, 'score': round(score, 4), 'name': name, 'display_name': ''}


def point(x, y, visibility=None):
    return {'x': x, 'y': y, 'z': 0.0, **({} if visibility is None else {'visibility': visibility, 'presence': 1.0})}


def hand(x, y, size):
    points = [point(x, y + size)]
    for finger in range(5):
        angle = -2.3 + finger * 0.38
        points += [point(x + math.cos(angle) * size * (0.5 + 0.3 * joint), y + size + math.sin(angle) * size * (0.5 + 0.45 * joint)) for joint in range(4)]
    return points


def face(x, y, size):
    return [point(x + math.cos(spoke / SPOKES * 6.2832) * size * (ring + 1) / RINGS * 0.75, y + math.sin(spoke / SPOKES * 6.2832) * size * (ring + 1) / RINGS)
            for ring in range(RINGS) for spoke in range(SPOKES)] + [point(x, y), point(x, y)]


def pose(x, y, size):
    places = [(0, -1), (.05, -1.05), (.07, -1.05), (.09, -1.05), (-.05, -1.05), (-.07, -1.05), (-.09, -1.05), (.12, -1), (-.12, -1), (.04, -.94), (-.04, -.94),
              (.28, -.7), (-.28, -.7), (.42, -.35), (-.42, -.35), (.5, 0), (-.5, 0), (.55, .05), (-.55, .05), (.53, .08), (-.53, .08), (.48, .05), (-.48, .05),
              (.17, 0), (-.17, 0), (.2, .5), (-.2, .5), (.2, .95), (-.2, .95), (.18, 1), (-.18, 1), (.28, 1.02), (-.28, 1.02)]
    return [point(x + left * size, y + top * size, 0.3 if index > 24 else 0.98) for index, (left, top) in enumerate(places)]


def results(name, options, width, height, at):
    """Returns the result, the masks, and the lines of a task. Each option changes something, so that tests can see it."""
    shift = (zlib.crc32(repr(sorted(options.items())).encode()) % 40) / 1000 + 0.06 * math.sin(at / 700)
    # Defaults of the model are below the scores, so that a threshold removes results.
    threshold = float(options.get('min-confidence') or options.get('score-threshold') or 0)
    most = int(options.get('max-results') or 100)
    cut = lambda categories: [each for each in categories if each['score'] >= threshold][:most]
    box = lambda x, y, w, h: {'x': round((x + shift) * width), 'y': round(y * height), 'width': round(w * width), 'height': round(h * height)}
    masks, lines = [], []
    if name in ('detect-faces', 'detect-objects'):
        is_face = name == 'detect-faces'
        found = []
        for index, (x, y, score, label) in enumerate([(0.2, 0.3, 0.93, 'cup'), (0.55, 0.3, 0.71, 'potted plant'), (0.42, 0.7, 0.41, 'bottle')]):
            if score < threshold or index >= most:
                continue
            eyes = [point(x + shift + dx, y + dy) for dx, dy in ((.06, .1), (.16, .1), (.11, .17), (.11, .24), (.02, .13), (.2, .13))]
            found.append({'box': box(x, y, 0.22, 0.34 if index < 2 else 0.2), 'categories': [category('' if is_face else label, score)], 'keypoints': eyes if is_face else []})
        result = {'detections': found}
        lines = ['%s at %d,%d %d×%d %.2f' % (each['categories'][0]['name'] or 'face', *each['box'].values(), each['categories'][0]['score']) for each in found]
    elif name in ('classify', 'classify-text'):
        names = ['espresso', 'cup', 'coffee mug', 'teapot', 'saucer', 'plate'] if name == 'classify' else ['positive', 'negative']
        result = {'classifications': [{'head_index': 0, 'head_name': 'probability', 'categories': cut([category(each, (0.62 + shift) * 0.45 ** index, index) for index, each in enumerate(names)])}]}
        lines = ['%s %.2f' % (each['name'], each['score']) for each in result['classifications'][0]['categories']]
    elif name == 'classify-audio':
        result = {'results': [{'timestamp_ms': second * 975, 'classifications': [{'head_index': 0, 'head_name': '', 'categories': cut([category(each, (0.8 - second / 9) * 0.5 ** index, index) for index, each in enumerate(['tone', 'speech', 'silence', 'music'])])}]} for second in range(3)]}
        lines = ['%d ms: tone' % each['timestamp_ms'] for each in result['results']]
    elif name in ('embed', 'embed-text'):
        result = {'cosine_similarity': 0.7312 + shift}
        lines = ['cosine similarity %.4f' % result['cosine_similarity']]
    elif name == 'detect-language':
        result = {'languages': [{'code': 'en', 'probability': 0.97}, {'code': 'nl', 'probability': 0.02}]}
    elif name == 'segment':
        side = 96
        disc = lambda x, y, cx, cy: math.hypot(x / side - cx - shift, y / side - cy)
        values = bytes(3 if y > 76 else 1 if disc(x, y, .3, .45) < .2 else 2 if disc(x, y, .7, .45) < .15 else 0 for y in range(side) for x in range(side))
        masks = [({'kind': 'category', 'width': side, 'height': side, 'label': ''}, values)]
        masks += [({'kind': 'confidence', 'width': side, 'height': side, 'label': label}, bytes(230 if value == index else 12 for value in values)) for index, label in enumerate(LABELS)]
        result = {'labels': LABELS, 'mask_width': side, 'mask_height': side, 'category_counts': {str(index): values.count(index) for index in range(4)}, 'quality_scores': []}
    elif name == 'segment-point':
        side = 96
        x, y = (float(part) for part in options['point'].split(','))
        values = bytes(max(0, min(255, int(900 * (0.2 - math.hypot(column / side - x - shift, row / side - y))))) for row in range(side) for column in range(side))
        masks = [({'kind': 'confidence', 'width': side, 'height': side, 'label': 'object'}, values)]
        result = {'labels': ['object'], 'mask_width': side, 'mask_height': side, 'category_counts': {'0': sum(value > 127 for value in values)}, 'quality_scores': [0.9]}
    elif name in ('landmark-hands', 'recognize-gestures'):
        found = []
        for index in range(min(2, int(options.get('max-hands', '1')))):
            points = hand(0.3 + 0.4 * index + shift, 0.3, 0.35)
            gestures = [{'name': ['Thumb_Up', 'Open_Palm'][index], 'score': 0.82, 'index': 5}] if name == 'recognize-gestures' else []
            found.append({'handedness': {'name': ['Left', 'Right'][index], 'score': 0.97, 'index': index}, 'gestures': gestures, 'landmarks': points, 'world_landmarks': points})
        result = {'hands': found}
        lines = ['%s hand' % each['handedness']['name'] for each in found]
    elif name == 'landmark-faces':
        shapes = [{'name': each, 'score': round(abs(math.sin(index * 2.1 + shift)), 4), 'index': index} for index, each in enumerate(
            ['_neutral', 'browDownLeft', 'browDownRight', 'browInnerUp', 'cheekPuff', 'eyeBlinkLeft', 'eyeBlinkRight', 'jawOpen', 'mouthSmileLeft', 'mouthSmileRight', 'noseSneerLeft', 'noseSneerRight'])]
        result = {'faces': [{'landmarks': face(0.3 + 0.4 * index + shift, 0.45, 0.3), 'blendshapes': shapes if options.get('blendshapes', 'true') == 'true' else None,
                             'matrix': [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, -40, 1]} for index in range(min(2, int(options.get('max-faces', '1'))))]}
    elif name == 'landmark-poses':
        found = min(2, int(options.get('max-poses', '1')))
        result = {'poses': [{'landmarks': pose(0.3 + 0.4 * index + shift, 0.52, 0.4), 'world_landmarks': [], 'mask': None} for index in range(found)]}
        if options.get('masks') == 'true':
            side = 64
            masks = [({'kind': 'confidence', 'width': side, 'height': side, 'label': 'pose'}, bytes(max(0, min(255, int(700 * (0.3 - abs(x / side - 0.3 - 0.4 * index))))) for y in range(side) for x in range(side))) for index in range(found)]
    elif name == 'landmark-holistic':
        result = {'pose': {'landmarks': pose(0.5 + shift, 0.55, 0.4)}, 'left_hand': {'landmarks': hand(0.75 + shift, 0.5, 0.08)}, 'right_hand': None,
                  'face': {'landmarks': face(0.5 + shift, 0.16, 0.07), 'blendshapes': None} if threshold < 0.8 else None}
    else:
        result = {'objects': [{'tracking_id': index + 1, 'frame': dict(box(0.1 + 0.4 * index, 0.35 + 0.15 * math.sin(at / 500 + index), 0.25, 0.3)), 'labels': [{'index': 0, 'text': ['cup', 'ball'][index], 'confidence': 0.8}]} for index in range(2)]}
        lines = ['#%d' % each['tracking_id'] for each in result['objects']]
    return result, masks, lines


def code(name, options):
    given = {key: value for key, value in options.items()}
    flags = ' '.join('--%s %s' % each for each in given.items())
    words = ''.join(part.title() for part in name.split('-'))
    program = ('import SwiftletVision\n\n// Runs with the bundled model.\nvar options = %sOptions()\n' % words + ''.join('options.%s = %s\n' % (key.replace('-', '_'), value) for key, value in given.items())
               + 'let task = try await %s(options: options)\nlet result = try await task.process(Image(contentsOf: "photo.jpg"))\nfor item in result.items {\n  print(item)\n}\n' % words)
    return {'code': program, 'command': ' '.join(('swiftlet %s %s photo.jpg' % (name, flags)).split())}


def size_of_image(body):
    if body[:8] == b'\x89PNG\r\n\x1a\n':
        return struct.unpack('>II', body[16:24])
    if body[:2] == b'\xff\xd8':
        place = 2
        while place < len(body):
            marker, length = body[place + 1], struct.unpack('>H', body[place + 2:place + 4])[0]
            if marker in (0xc0, 0xc1, 0xc2):
                height, width = struct.unpack('>HH', body[place + 5:place + 9])
                return width, height
            place += 2 + length
    raise Refused('cannot read the image: neither PNG nor JPEG')


def run(query, kind, body):
    name = query.pop('task')
    chosen = next((each for each in TASKS if each['id'] == name), None)
    if chosen is None:
        raise Refused("unknown task '%s'" % name, 404)
    if query.pop('model', None) not in [each['id'] for each in chosen['models']]:
        raise Refused('the task has no such model', 404)
    form, at, width, height = chosen['input'], float(query.pop('at', 0)), 0, 0
    session, sample = query.pop('session', None), query.pop('sample', None)
    start = time.perf_counter()
    if sample is not None:
        body = sample_bytes(int(sample))
        kind = 'image/png' if body[:1] == b'\x89' else 'audio/wav'
    if kind == 'application/octet-stream' and form == 'image':
        width, height = int(query.pop('width')), int(query.pop('height'))
        if len(body) != width * height * 4:
            raise Refused('the frame must have %d bytes, got %d' % (width * height * 4, len(body)))
        if session is not None and not re.fullmatch('[0-9a-f]{16}', session):
            raise Refused('the session must have 16 hex digits')
    elif form in ('image', 'image-point'):
        width, height = size_of_image(body)
    elif form == 'image-pair':
        first = int(query.pop('first'))
        size_of_image(body[:first]), size_of_image(body[first:])
    elif form == 'sound':
        with wave.open(io.BytesIO(body)) as file:
            if file.getsampwidth() != 2:
                raise Refused('the samples must have 16 bits')
    elif form == 'text-pair' and body.count(b'\0') != 1:
        raise Refused('a text pair must have one U+0000')
    if form == 'image-point' and 'point' not in query:
        raise Refused('missing point')
    known = [each['name'] for each in chosen['options']] + ['point']
    for key in query:
        if key not in known:
            raise Refused("unknown option '%s'" % key)
    result, masks, lines = results(name, query, width, height, at)
    head, binary = [], b''
    for mask, values in masks:
        head.append(dict(mask, offset=len(binary), length=len(values)))
        binary += values
    total = (time.perf_counter() - start) * 1000 + 3.1
    answer = {'width': width, 'height': height, 'result': dict(result, width=width, height=height), 'masks': head, 'lines': lines,
              'times': {'decode': 0.6, 'convert': 0.4, 'infer': total - 1.3, 'post': 0.3, 'total': total}, **code(name, query)}
    return json.dumps(answer, ensure_ascii=False).encode() + b'\n' + binary


REPORT = ('<!doctype html><html lang="en"><meta charset="utf-8"><title>Report</title><style>body{font:15px sans-serif;padding:24px}</style><body><h1>%s</h1>'
          '<p id="p"></p><script>history.replaceState(null, "", "#view=graph"); document.getElementById("p").textContent = "drawn by the script of the report"; document.body.dataset.ready = "true";</script></body></html>')
CACHE = {}


def sample_bytes(number):
    if number not in CACHE:
        CACHE[number] = sound() if number == 2 else scene(number)
    return CACHE[number]


# MARK: Page and server

def scripts():
    """The names of the page's scripts in order: those of `pages.c`, or else of this file."""
    with open(os.path.join(PAGES, 'pages.c'), encoding='utf-8') as file:
        return re.findall(r'#embed "Studio/(\w+)\.js"', file.read()) or SCRIPTS


def page():
    def read(*names):
        parts = []
        for name in names:
            with open(os.path.join(PAGES, name), encoding='utf-8') as file:
                parts.append(file.read())
        return '\n'.join(parts)
    data = json.dumps({'token': TOKEN, 'version': '0.2.0', 'tasks': TASKS, 'samples': SAMPLES}).replace('<', '\\u003c')
    return ('<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Swiftlet studio</title>\n<style>'
            + read('Shared/style.css', 'Studio/style.css') + '</style></head>\n<body>\n' + read('Studio/body.html') + '\n<script type="application/json" id="data">' + data
            + '</script>\n<script>(() => {\n"use strict";\n' + read('Shared/elements.js', 'Shared/table.js', *('Studio/%s.js' % name for name in scripts())) + '})();</script>\n</body>\n</html>\n')


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    # Without this, each answer waits 40 ms for an acknowledgment.
    disable_nagle_algorithm = True
    delay = 0
    report = None

    def log_message(self, *_):
        pass

    def answer(self, content, kind, status=200):
        self.send_response(status)
        self.send_header('Content-Type', kind)
        self.send_header('Content-Length', str(len(content)))
        if kind.startswith('text/html') and self.command == 'GET':
            self.send_header('Content-Security-Policy', POLICY)
        self.end_headers()
        try:
            self.wfile.write(content)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def handle_request(self):
        parts = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True))
        body = self.rfile.read(int(self.headers.get('Content-Length') or 0))
        kind = (self.headers.get('Content-Type') or '').split(';')[0]
        try:
            if parts.path == '/':
                return self.answer(page().encode(), 'text/html; charset=utf-8')
            if self.headers.get('X-Studio-Token') != TOKEN:
                raise Refused('the token is missing or wrong', 403)
            if parts.path == '/api/sample':
                content = sample_bytes(int(query['id']))
                return self.answer(content, 'image/png' if content[:1] == b'\x89' else 'audio/wav')
            if parts.path == '/api/run':
                time.sleep(Handler.delay / 1000)
                return self.answer(run(query, kind, body), 'application/octet-stream')
            if parts.path == '/api/code':
                name = query.pop('task')
                query.pop('model')
                return self.answer(json.dumps(code(name, query)).encode(), 'application/json')
            if parts.path in ('/api/inspect', '/api/bench'):
                if Handler.report and parts.path == '/api/inspect':
                    with open(Handler.report, 'rb') as file:
                        return self.answer(file.read(), 'text/html; charset=utf-8')
                title = ('Comparison' if 'first' in query else query.get('name') or query.get('model', '')) + (' by layer' if parts.path == '/api/bench' else '')
                return self.answer((REPORT % title).encode(), 'text/html; charset=utf-8')
            raise Refused('not found', 404)
        except Refused as error:
            self.answer(json.dumps({'error': str(error)}).encode(), 'application/json', error.status)
        except Exception as error:
            self.answer(json.dumps({'error': '%s: %s' % (type(error).__name__, error)}).encode(), 'application/json', 400)

    do_GET = do_POST = handle_request


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        """Ignores connections that the browser closed, because the page cancels requests."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, address)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--port', type=int, default=8765)
    parser.add_argument('--delay', type=float, default=0, help='milliseconds before each result')
    parser.add_argument('--report', help='a page that /api/inspect returns')
    given = parser.parse_args()
    Handler.delay, Handler.report = given.delay, given.report
    server = Server(('127.0.0.1', given.port), Handler)
    print('http://127.0.0.1:%d/?token=%s' % (server.server_port, TOKEN), flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == '__main__':
    main()
