"""Runs MediaPipe on a case and returns its result as JSON values."""
import hashlib
import os

import mediapipe
import numpy as np
from mediapipe.tasks.python import BaseOptions, audio, text, vision

# The classes of the tasks by the names in cases.json; their option classes have the suffix Options.
CLASSES = {'face': (vision, 'FaceLandmarker'), 'hand': (vision, 'HandLandmarker'), 'gesture': (vision, 'GestureRecognizer'),
           'pose': (vision, 'PoseLandmarker'), 'holistic': (vision, 'HolisticLandmarker'),
           'interactive': (vision, 'InteractiveSegmenterLegacy'), 'audio_classifier': (audio, 'AudioClassifier'),
           'text_classifier': (text, 'TextClassifier'), 'text_embedder': (text, 'TextEmbedder')}
# The landmarks of holistic results; those of poses have visibility and presence.
HOLISTIC = ('pose_landmarks', 'pose_world_landmarks', 'left_hand_landmarks', 'left_hand_world_landmarks',
            'right_hand_landmarks', 'right_hand_world_landmarks', 'face_landmarks')
# Rows and columns of the exact samples of a mask; categories that are stored if a case has no options.
GRID, MOST_CATEGORIES = 12, 40


class Runner:
    def __init__(self, data, out, work):
        self.data, self.out, self.work = data, out, work

    def result(self, case):
        with self.task(case) as task:
            if case['task'] == 'audio_classifier':
                return self.sound(case, task)
            if case['task'] == 'text_classifier':
                return [[{**head(h), 'categories': categories(h.categories)} for h in task.classify(line).classifications]
                        for line in case['texts']]
            if case['task'] == 'text_embedder':
                return [[{**head(e), **embedding(e.embedding)} for e in task.embed(line).embeddings] for line in case['texts']]
            if 'sequence' in case:
                return self.sequence(case, task)
            return self.image(case, task)

    def task(self, case):
        """Returns the task with the case's options."""
        module, name = CLASSES[case['task']]
        path = os.path.join(self.data, 'tasks/models', case['model'])
        options = {'base_options': BaseOptions(
            model_asset_path=path if os.path.exists(path) else os.path.join(self.work, case['model']))}
        for key, value in case['options'].items():
            if key in ('canned', 'custom'):
                from mediapipe.tasks.python.components.processors import classifier_options
                options[key + '_gesture_classifier_options'] = classifier_options.ClassifierOptions(**value)
            elif key != 'keypoint':
                options[key] = value
        if 'sequence' in case:
            options['running_mode'] = vision.RunningMode.VIDEO
        return getattr(module, name).create_from_options(getattr(module, name + 'Options')(**options))

    # Images and frames

    def image(self, case, task):
        image = load_image(os.path.join(self.data, 'images', case['picture']), case.get('turn', 0))
        if 'repeat' not in case:
            return self.found(case, call(case, task, image), case['id'])
        return [self.found(case, call(case, task, image), f'{case["id"]}_{number + 1}') for number in range(case['repeat'])]

    def sequence(self, case, task):
        folder = os.path.normpath(os.path.join(self.data, 'tasks/sequences', case['sequence']))
        results = []
        for index, name in enumerate(sorted(name for name in os.listdir(folder) if name.endswith('.jpg'))):
            time = index * case['step_ms']
            answer = call(case, task, load_image(os.path.join(folder, name)), time)
            results.append({'frame': name, 'timestamp_ms': time,
                            'result': self.found(case, answer, f'{case["id"]}_{index + 1:06d}')})
        return results

    def found(self, case, answer, name):
        """Returns the values of a result; masks are stored as files whose names begin with `name`."""
        def mask(value, suffix, is_category=False):
            return stored_mask(value, os.path.join(self.out, case['task'], f'{name}_{suffix}.png'), is_category)
        if case['task'] == 'face':
            return [face(answer, index) for index in range(len(answer.face_landmarks))]
        if case['task'] in ('hand', 'gesture'):
            return [hand(answer, index) for index in range(len(answer.hand_landmarks))]
        if case['task'] == 'pose':
            masks = answer.segmentation_masks or []
            return [{'landmarks': points(landmarks, True), 'world_landmarks': points(answer.pose_world_landmarks[index], True),
                     **({'mask': mask(masks[index], f'mask{index}')} if masks else {})}
                    for index, landmarks in enumerate(answer.pose_landmarks)]
        if case['task'] == 'holistic':
            return {**{part: points(getattr(answer, part), part.startswith('pose')) for part in HOLISTIC},
                    'face_blendshapes': scores(answer.face_blendshapes) if answer.face_blendshapes else None,
                    'segmentation_mask': mask(answer.segmentation_mask, 'mask') if answer.segmentation_mask else None}
        # The copying models' fourth channel contains the keypoint, the others the image.
        result = {'confidence_masks': [mask(value, f'confidence{index}') for index, value in enumerate(answer.confidence_masks)
                                       if not case['model'].startswith('identity') or index == 3]}
        if answer.category_mask is not None:
            result['category_mask'] = mask(answer.category_mask, 'category', True)
        return result

    # Audio

    def sound(self, case, task):
        import wave
        from mediapipe.tasks.python.components.containers import audio_data
        with wave.open(os.path.join(self.data, 'tasks/audio', case['audio'])) as file:
            rate, frames = file.getframerate(), file.readframes(file.getnframes())
        samples = np.frombuffer(frames, '<i2').astype(np.float32) / 32768
        if case.get('stereo'):
            samples = np.stack([samples, samples * np.float32(0.5)], 1)
        clip = audio_data.AudioData.create_from_array(samples, case.get('rate', rate))
        results = []
        for window in task.classify(clip):
            first = window.classifications[0]
            found = categories(first.categories)
            kept = {'categories': found} if case['options'] else {'categories': found[:MOST_CATEGORIES], 'count': len(found)}
            results.append({'timestamp_ms': window.timestamp_ms, 'head_name': first.head_name, **kept})
        return results


def call(case, task, image, time=None):
    if case['task'] == 'interactive':
        from mediapipe.tasks.python.components.containers import keypoint
        region = vision.InteractiveSegmenterLegacyRegionOfInterest
        x, y = case['options']['keypoint']
        return task.segment(image, region(format=region.Format.KEYPOINT, keypoint=keypoint.NormalizedKeypoint(x=x, y=y)))
    verb = 'recognize' if case['task'] == 'gesture' else 'detect'
    # The holistic landmarker accepts no orientation.
    more = [] if case['task'] == 'holistic' else [vision.ImageProcessingOptions(rotation_degrees=case.get('rotation', 0))]
    if time is None:
        return getattr(task, verb)(image, *more)
    return getattr(task, verb + '_for_video')(image, time, *more)


def load_image(path, turn=0):
    """Returns the image as MediaPipe's own loader decodes it, with its pixels rotated."""
    image = mediapipe.Image.create_from_file(path)
    if not turn:
        return image
    pixels = np.ascontiguousarray(np.rot90(image.numpy_view()[:, :, :3], turn))
    return mediapipe.Image(image_format=mediapipe.ImageFormat.SRGB, data=pixels)


def face(answer, index):
    result = {'landmarks': points(answer.face_landmarks[index])}
    if answer.face_blendshapes:
        result['blendshapes'] = scores(answer.face_blendshapes[index])
    if answer.facial_transformation_matrixes:
        result['matrix'] = [[rounded(value) for value in row] for row in answer.facial_transformation_matrixes[index]]
    return result


def hand(answer, index):
    result = {'landmarks': points(answer.hand_landmarks[index]), 'world_landmarks': points(answer.hand_world_landmarks[index]),
              'handedness': categories(answer.handedness[index])}
    if hasattr(answer, 'gestures'):
        result['gestures'] = categories(answer.gestures[index])
    return result


def stored_mask(value, path, is_category):
    """Writes a mask as an image, and returns its size, and its digest, or its mean and exact samples."""
    from PIL import Image
    pixels = value.numpy_view()
    pixels = pixels[:, :, 0] if pixels.ndim == 3 else pixels
    height, width = pixels.shape
    shown = pixels if is_category else np.clip(np.rint(pixels * 255), 0, 255).astype(np.uint8)
    Image.fromarray(shown).save(path, optimize=True)
    result = {'png': os.path.basename(path), 'width': width, 'height': height}
    if is_category:
        return {**result, 'sha256': hashlib.sha256(pixels.tobytes()).hexdigest()}
    columns, rows = (np.linspace(0, size - 1, GRID).astype(int) for size in (width, height))
    samples = [[int(x), int(y), rounded(pixels[y, x])] for y in rows for x in columns]
    return {**result, 'mean': rounded(pixels.mean()), 'samples': samples}


def rounded(value):
    return round(float(value), 6)


def points(landmarks, is_pose=False):
    return [[rounded(value) for value in (p.x, p.y, p.z) + ((p.visibility, p.presence) if is_pose else ())]
            for p in landmarks or []]


def scores(blendshapes):
    return [rounded(category.score) for category in blendshapes]


def categories(found):
    return [{'index': c.index, 'name': c.category_name, 'display_name': c.display_name, 'score': rounded(c.score)} for c in found]


def head(value):
    return {'head_name': value.head_name, 'head_index': value.head_index}


def embedding(values):
    is_float = values.dtype.kind == 'f'
    return {'embedding': [rounded(value) if is_float else int(value) for value in values], 'dtype': str(values.dtype)}
