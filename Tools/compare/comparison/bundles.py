"""Bundles of the test data, which holds some of them as parts only."""
import os
import zipfile

# A bundle's members, each as a file of the test data or as (bundle, member).
PARTS = {
    'gesture_recognizer.task': ('hand_landmarker.task', ('hand_gesture_recognizer.task', 'custom_gesture_classifier.tflite')),
    'gesture_recognizer_custom.task': ('hand_landmarker.task', 'hand_gesture_recognizer.task'),
}
# What the bundle of whole bodies takes of those of its parts.
BODY = {
    'face_landmarker.task': ('face_detector.tflite', 'face_landmarks_detector.tflite', 'face_blendshapes.tflite'),
    'pose_landmarker.task': ('pose_detector.tflite', 'pose_landmarks_detector.tflite'),
    'hand_landmarker.task': ('hand_landmarks_detector.tflite',),
}


def find(name, data, folder):
    """The path of a bundle: in the test data, or put together in `folder`."""
    models = os.path.join(data, 'tasks', 'models')
    path = os.path.join(models, name)
    if os.path.exists(path):
        return path
    path = os.path.join(folder, name)
    if os.path.exists(path):
        return path
    if name == 'holistic_landmarker.task':
        members = [(member, read(os.path.join(models, bundle), member)) for bundle, names in BODY.items() for member in names]
        members.append(('hand_roi_refinement.tflite', content(os.path.join(models, 'hand_roi_refinement.tflite'))))
    else:
        members = []
        for part in PARTS[name]:
            if isinstance(part, str):
                members.append((part, content(os.path.join(models, part))))
            else:
                members.append((part[0], without(os.path.join(models, part[0]), part[1], folder)))
    write(path, members)
    return path


def without(bundle, member, folder):
    """The bytes of a bundle that lacks one of its members."""
    path = os.path.join(folder, 'without-' + member + '.task')
    with zipfile.ZipFile(bundle) as archive:
        write(path, [(name, archive.read(name)) for name in archive.namelist() if name != member])
    return content(path)


def write(path, members):
    # Models in bundles are not compressed.
    with zipfile.ZipFile(path, 'w', zipfile.ZIP_STORED) as archive:
        for name, data in members:
            archive.writestr(name, data)


def read(bundle, member):
    with zipfile.ZipFile(bundle) as archive:
        return archive.read(member)


def content(path):
    with open(path, 'rb') as file:
        return file.read()
