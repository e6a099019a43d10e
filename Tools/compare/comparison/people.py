"""The tasks for face, pose, and holistic landmarks."""
import os

from .landmarks import Landmarks, Thing, places, points
from .images import Images
from .segmentation import plane


class Faces(Landmarks):
    NAME, COMMAND, BUNDLE, TASK = 'face landmarks', 'landmark-faces', 'face_landmarker.task', 'FaceLandmarker'
    COUNT, SEQUENCES = ('--num-faces', 'num_faces'), ('face_move', 'faces_move')
    FLAGS = ('--blendshapes', '--matrices')
    KEYWORDS = {'output_face_blendshapes': True, 'output_facial_transformation_matrixes': True}
    SCORES, NUMBERS = 'blendshapes', 'matrices'
    LIMITS = (2e-3, 2e-3, None, 5e-3, 1e-2, None)
    # Small differences accumulate from frame to frame.
    VIDEO_LIMITS = (1e-3, 5e-3, None, 1e-2, 2e-2, None)

    def theirs(self, result):
        return [Thing(scores=[c.score for c in b], points=points(p), numbers=[float(v) for v in m.flatten()])
                for p, b, m in zip(result.face_landmarks, result.face_blendshapes, result.facial_transformation_matrixes)]

    def found(self, document):
        return [Thing(scores=shapes(f), points=places(f['landmarks']), numbers=f['matrix']) for f in document['faces']]


def shapes(face):
    """Returns the blendshapes of Swiftlet's JSON."""
    return [c['score'] for c in sorted(face['blendshapes'], key=lambda c: c['index'])]


def sure(landmarks):
    return [(p.visibility, p.presence) for p in landmarks]


def sure_places(document):
    return [(p['visibility'], p['presence']) for p in document]


def stored_mask(path):
    import numpy as np
    return None if path is None else np.load(path)


class Poses(Landmarks):
    NAME, COMMAND, BUNDLE, TASK = 'poses', 'landmark-poses', 'pose_landmarker.task', 'PoseLandmarker'
    COUNT, SEQUENCES = ('--num-poses', 'num_poses'), ('pose_move',)
    KEYWORDS, HAS_MASKS, NUMBERS = {'output_segmentation_masks': True}, True, 'visibility and presence'
    # MediaPipe detects poses of rotated images in the wrong region.
    FLAGS = ('--mediapipe-rotation',)
    # The heat map moves a foot or leaves it in place after a tiny difference, so the largest differences are not meaningful.
    LIMITS = (1e-3, None, None, None, 5e-2, 5e-4)
    VIDEO_LIMITS = (5e-3, None, None, None, None, None)

    def theirs(self, result):
        return [Thing(points=points(p), world=points(w), numbers=sure(p), mask=plane(m).copy())
                for p, w, m in zip(result.pose_landmarks, result.pose_world_landmarks, result.segmentation_masks or [])]

    def found(self, document):
        return [Thing(points=places(b['landmarks']), world=places(b['world_landmarks']), numbers=sure_places(b['landmarks']), mask=stored_mask(b['mask']))
                for b in document['poses']]


class Holistic(Landmarks):
    """MediaPipe ignores orientations and tracks people from image to image. Therefore both sides get images with rotated pixels, and MediaPipe uses a new
    task for each image."""
    NAME, COMMAND, BUNDLE, TASK = 'holistic', 'landmark-holistic', 'holistic_landmarker.task', 'HolisticLandmarker'
    OPTIONS, SEQUENCES = (None,), ('pose_move',)
    FLAGS = ('--blendshapes',)
    KEYWORDS = {'output_face_blendshapes': True, 'output_pose_segmentation_masks': True}
    SCORES, NUMBERS, HAS_MASKS, TAKES_ROTATION = 'blendshapes', 'visibility and presence', True, False
    # Blendshapes depend on landmarks: the model amplifies a hundredth of a pixel in a small face to a tenth of a score.
    LIMITS = (2e-3, None, None, None, 5e-2, 5e-4)
    VIDEO_LIMITS = (1e-2, None, None, None, None, None)

    def open(self, path, count):
        self.path = path
        return super().open(path, count)

    def ours(self, tool, path, files, rotation, count):
        if rotation:
            from PIL import Image
            folder = tool.file('turned')
            os.makedirs(folder, exist_ok=True)
            turned = []
            for file in files:
                turned.append(os.path.join(folder, os.path.basename(file) + '.png'))
                image = Images(os.path.dirname(file)).load(os.path.basename(file))
                Image.fromarray(self.turned(image.numpy_view(), rotation)).save(turned[-1])
            files = turned
        return super().ours(tool, path, files, 0, count)

    def answer(self, task, image, rotation):
        if self.is_video:
            return super().answer(task, image, rotation)
        import mediapipe as mp
        with super().open(self.path, None) as fresh:
            return fresh.detect(mp.Image(image_format=image.image_format, data=self.turned(image.numpy_view(), rotation)))

    @staticmethod
    def turned(pixels, rotation):
        import numpy as np
        return np.ascontiguousarray(np.rot90(pixels, -rotation // 90))

    def theirs(self, result):
        found = []
        if result.pose_landmarks:
            found.append(Thing(['pose'], points=points(result.pose_landmarks), world=points(result.pose_world_landmarks),
                               numbers=sure(result.pose_landmarks), mask=plane(result.segmentation_mask).copy()))
        for side in ('left', 'right'):
            hand = getattr(result, side + '_hand_landmarks')
            if hand:
                found.append(Thing([side], points=points(hand), world=points(getattr(result, side + '_hand_world_landmarks'))))
        if result.face_landmarks:
            found.append(Thing(['face'], scores=[c.score for c in result.face_blendshapes or []], points=points(result.face_landmarks)))
        return found

    def found(self, document):
        found = []
        if document['pose']:
            pose = document['pose']
            found.append(Thing(['pose'], points=places(pose['landmarks']), world=places(pose['world_landmarks']), numbers=sure_places(pose['landmarks']),
                               mask=stored_mask(pose['mask'])))
        for side in ('left', 'right'):
            hand = document[side + '_hand']
            if hand:
                found.append(Thing([side], points=places(hand['landmarks']), world=places(hand['world_landmarks'])))
        if document['face']:
            found.append(Thing(['face'], scores=shapes(document['face']), points=places(document['face']['landmarks'])))
        return found
