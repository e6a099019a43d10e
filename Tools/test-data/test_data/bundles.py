"""Assembles task bundles: ZIP files whose members are stored uncompressed at multiples of 4, as MediaPipe maps them."""
import io
import os
import struct
import zipfile
import zlib

from test_data.derived import derive, read

# The date of all members, January 1, 1980, so that the same members give the same bytes.
DATE = 0x21
FOLDER = 'tasks/models/'
HANDS, GESTURES = FOLDER + 'hand_landmarker.task', FOLDER + 'hand_gesture_recognizer.task'
FACES, POSES, REFINEMENT = FOLDER + 'face_landmarker.task', FOLDER + 'pose_landmarker.task', FOLDER + 'hand_roi_refinement.tflite'


def make(data, replace):
    return derive(RECIPES, data, replace)


def find(name, data, folder):
    """Returns the path of a bundle: in the test data, or assembled in `folder`."""
    path = os.path.join(data, FOLDER, name)
    if os.path.exists(path):
        return path
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        sources, function = WHOLE[FOLDER + name]
        with open(path, 'wb') as file:
            file.write(function(*[read(data, source) for source in sources]))
    return path


def archive(content):
    """Returns the bytes of a bundle with these members, {name: bytes}."""
    result, directory = bytearray(), bytearray()
    for name, data in content.items():
        encoded = name.encode()
        result += bytes(-(len(result) + 30 + len(encoded)) % 4)
        fields = struct.pack('<HHHHHIIIHH', 20, 0, 0, 0, DATE, zlib.crc32(data), len(data), len(data), len(encoded), 0)
        directory += (b'PK\x01\x02' + struct.pack('<H', 20) + fields + struct.pack('<HHHII', 0, 0, 0, 0, len(result))
                      + encoded)
        result += b'PK\x03\x04' + fields + encoded + data
    end = struct.pack('<HHHHIIH', 0, 0, len(content), len(content), len(directory), len(result), 0)
    return bytes(result + directory + b'PK\x05\x06' + end)


def members(bundle):
    with zipfile.ZipFile(io.BytesIO(bundle)) as file:
        return {name: file.read(name) for name in file.namelist()}


def hands(detector, landmarks):
    from test_data.models import with_normalization
    return archive({'hand_detector.tflite': detector, 'hand_landmarks_detector.tflite': with_normalization(landmarks)})


def poses(detector, landmarks):
    return archive({'pose_detector.tflite': detector, 'pose_landmarks_detector.tflite': landmarks})


def gestures(hands, classifiers):
    """Returns the bundle without custom gestures."""
    canned = {name: data for name, data in members(classifiers).items() if not name.startswith('custom')}
    return custom_gestures(hands, archive(canned))


def custom_gestures(hands, classifiers):
    return archive({'hand_landmarker.task': hands, 'hand_gesture_recognizer.task': classifiers})


def holistic(faces, poses, hands, refinement):
    models = {name: data for bundle in (faces, poses, hands) for name, data in members(bundle).items()
              if name.endswith('.tflite') and name != 'hand_detector.tflite'}
    return archive({**models, 'hand_roi_refinement.tflite': refinement})


# The tests assemble the last three in memory, because they repeat 22 MB of their parts.
WHOLE = {
    FOLDER + 'gesture_recognizer.task': ((HANDS, GESTURES), gestures),
    FOLDER + 'gesture_recognizer_custom.task': ((HANDS, GESTURES), custom_gestures),
    FOLDER + 'holistic_landmarker.task': ((FACES, POSES, HANDS, REFINEMENT), holistic),
}
RECIPES = {
    HANDS: (('downloads/palm_detection_full.tflite', 'downloads/hand_landmark_lite.tflite'), hands),
    POSES: (('downloads/pose_detector.tflite', 'downloads/pose_landmarks_detector.tflite'), poses),
    **WHOLE,
}
