"""MediaPipe's lists of landmarks, connections, blendshapes, and gestures, for tests of the constants."""
import os
import re

from test_data.bundles import members
from test_data.derived import read

SOURCE = 'downloads/face_blendshapes_graph.cc'
GESTURES, FACES = 'tasks/models/hand_gesture_recognizer.task', 'tasks/models/face_landmarker.task'
CONNECTIONS = ('FaceLandmarksConnections', 'HandLandmarksConnections', 'PoseLandmarksConnections')


def make(data, folder):
    """Writes lists.json, and returns the failures."""
    from test_data.tasks import write
    absent = [path for path in (SOURCE, GESTURES, FACES) if not os.path.exists(os.path.join(data, path))]
    if absent:
        return [f'tasks/lists.json: needs {", ".join(absent)}; run fetch']
    write(os.path.join(folder, 'lists.json'), lists(data))
    print('tasks/lists.json', flush=True)
    return []


def lists(data):
    from mediapipe.tasks.python import vision
    from mediapipe.tasks.python.vision import hand_landmarker, pose_landmarker
    result = {}
    for name in CONNECTIONS:
        groups = getattr(vision, name)
        result[name] = {group: [[line.start, line.end] for line in getattr(groups, group)]
                        for group in sorted(vars(groups)) if group.isupper()}
    return {**result,
            'face_blendshape_landmarks': blendshape_landmarks(read(data, SOURCE).decode()),
            'face_blendshape_names': blendshape_names(os.path.join(data, FACES), os.path.join(data, 'images/grace_hopper.jpg')),
            'hand_landmarks': [point.name.lower().replace('_finger', '') for point in hand_landmarker.HandLandmark],
            'pose_landmarks': [point.name.lower() for point in pose_landmarker.PoseLandmark],
            **{f'{kind}_gesture_classifier_labels': labels(members(read(data, GESTURES))[f'{kind}_gesture_classifier.tflite'])
               for kind in ('canned', 'custom')}}


def blendshape_landmarks(source):
    """Returns the landmarks that the blendshape model reads: a constant in MediaPipe's C++ sources."""
    numbers = re.search(r'kLandmarksSubsetIdxs = \{(.*?)\};', source, re.S).group(1)
    return [int(number) for number in re.findall(r'\d+', numbers)]


def blendshape_names(model, photo):
    """Returns MediaPipe's names of face blendshapes."""
    import mediapipe
    from mediapipe.tasks.python import BaseOptions, vision
    options = vision.FaceLandmarkerOptions(base_options=BaseOptions(model_asset_path=model), output_face_blendshapes=True)
    with vision.FaceLandmarker.create_from_options(options) as task:
        found = task.detect(mediapipe.Image.create_from_file(photo)).face_blendshapes[0]
    return [category.category_name for category in sorted(found, key=lambda category: category.index)]


def labels(model):
    """Returns the label files of a model, each as a list of lines."""
    return {name: content.decode().split('\n') for name, content in members(model).items()}
