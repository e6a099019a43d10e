"""The parts of the test data: the contents of each, and how much of it a directory has."""
import json
import os

from test_data import TOOL, Problem, catalog

# The number of frames per directory of the real and the synthetic video sequences.
VIDEOS = {'bottles_belt': 50, 'cars_overhead': 60, 'person_walking': 50, 'synthetic_crossing': 48}
SEQUENCES = {'face_move': 16, 'faces_move': 8, 'hand_move': 16, 'pose_move': 16}


class Part:
    """One part. `name` is its directory, `source` its origin, and `made_by` has the commands in order."""

    def __init__(self, name, unit, source, made_by, note=None):
        self.name, self.unit, self.source, self.made_by, self.note = name, unit, source, made_by, note

    def expected(self, data):
        """Returns the expected files, as paths relative to the directory; None if they are unknown."""
        return [file.path for file in self.files()]

    def found(self, data):
        """Returns the existing files."""
        return [path for path in self.expected(data) if os.path.exists(os.path.join(data, path))]

    def files(self):
        """Returns the part's files with known bytes."""
        return catalog.below(self.name)

    def state(self, data):
        """Returns 'present', 'partial', or 'absent', and the number of existing and of expected files."""
        found, expected = self.found(data), self.expected(data)
        if not found:
            word = 'absent'
        else:
            word = 'partial' if expected is not None and len(found) < len(expected) else 'present'
        return word, len(found), None if expected is None else len(expected)


class Frames(Part):
    """Folders of frames."""

    def __init__(self, name, folders, place, *more):
        super().__init__(name, 'frames', *more)
        self.folders, self.place = folders, place

    def expected(self, data):
        return [f'{self.name}/{folder}{self.place}/{frame:06d}.jpg' for folder, count in sorted(self.folders.items())
                for frame in range(1, count + 1)]

    def files(self):
        return []


class Golden(Part):
    """Golden tensors: one entry of the manifest per model of the folder."""

    def expected(self, data):
        return models(data)

    def found(self, data):
        # The manifest has the reason for models that the reference doesn't run.
        manifest = read(data, 'golden/manifest.json') or {}
        named = {entry['model'] for kind in ('models', 'skipped') for entry in manifest.get(kind, [])}
        return [model for model in models(data) if model in named]

    def files(self):
        return []


class Tasks(Part):
    """MediaPipe's results of the cases."""

    def expected(self, data):
        return ['tasks/manifest.json', 'tasks/lists.json'] + [f'tasks/{result_of(case)}' for case in cases()]

    def files(self):
        return []


class Hostile(Part):
    """Models that once crashed the engine. Their expected number is the existing one."""

    def expected(self, data):
        return None

    def found(self, data):
        folder = os.path.join(data, self.name)
        return sorted(name for name in os.listdir(folder) if name.endswith('.tflite')) if os.path.isdir(folder) else []

    def files(self):
        return []


def models(data):
    """Returns the .tflite files of the directory `models`, relative to it."""
    root = os.path.join(data, 'models')
    return sorted(os.path.relpath(os.path.join(folder, name), root).replace(os.sep, '/')
                  for folder, _, names in os.walk(root) for name in names if name.endswith('.tflite'))


def cases():
    """Returns the cases for MediaPipe."""
    with open(os.path.join(TOOL, 'cases.json'), encoding='utf-8') as file:
        return json.load(file)


def result_of(case):
    return f'{case["task"]}/{case["id"]}.json'


def read(data, path):
    """Returns a JSON file of the test data, or None if it is missing."""
    path = os.path.join(data, path)
    if not os.path.exists(path):
        return None
    try:
        with open(path, encoding='utf-8') as file:
            return json.load(file)
    except ValueError as error:
        raise Problem(f'{path} is not JSON ({error}); remove it and make it again') from None


PARTS = [
    Part('models', 'files', 'public repositories (files.tsv has URL and license of each); some are made from them, and '
         'ten quantized or random models of the project are not published', ('fetch', 'make models')),
    Part('images', 'files', 'public repositories; some are made from them', ('fetch', 'make images')),
    Frames('video', VIDEOS, '/img', 'sample videos of Intel IoT DevKit (CC BY 4.0); synthetic_crossing and the boxes in '
           'gt.txt are the project\'s and not published', ('fetch', 'make video'),
           'one sequence of PoseLandmarkerGoldenTests, and Tools/compare/tracking'),
    Golden('golden', 'models', 'LiteRT\'s reference kernels, run on models', ('make golden',)),
    Tasks('tasks', 'files', 'MediaPipe for Python, run on images, tasks/sequences, tasks/audio and texts', ('make tasks',)),
    Part('tasks/models', 'files', 'public repositories; most bundles are made from parts', ('fetch', 'make models', 'make bundles')),
    Part('tasks/audio', 'files', 'public repository tensorflow/tflite-support', ('fetch',)),
    Frames('tasks/sequences', SEQUENCES, '', 'images, moved, turned and zoomed', ('make sequences',)),
    Hostile('hostile', 'files', 'the project: models that once crashed the engine; not published, '
            'as HostileModels in Tools/fuzz generates the same kinds', ()),
    Part('downloads', 'files', 'public repositories: files that others are made from', ('fetch',), 'no test'),
]


def named(names):
    """Returns the parts with these names, or all parts if there are none."""
    known = {part.name: part for part in PARTS}
    for name in names:
        if name not in known:
            raise Problem(f'unknown part \'{name}\'; must be one of {", ".join(known)}')
    return [known[name] for name in names] or PARTS
