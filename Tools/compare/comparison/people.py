"""Tasks that find the points of faces, of bodies, and of a whole person."""
from .landmarks import Landmarks, Thing, places, points
from .segmentation import plane


class Faces(Landmarks):
    NAME, COMMAND, BUNDLE, TASK = 'face landmarks', 'landmark-faces', 'face_landmarker.task', 'FaceLandmarker'
    COUNT, SEQUENCES = ('--num-faces', 'num_faces'), ('face_move', 'faces_move')
    FLAGS = ('--blendshapes', '--matrices')
    KEYWORDS = {'output_face_blendshapes': True, 'output_facial_transformation_matrixes': True}
    SCORES, NUMBERS = 'blendshapes', 'matrices'
    LIMITS = (2e-3, 2e-3, None, 5e-3, 1e-2, None)
    # Small differences add up from frame to frame.
    VIDEO_LIMITS = (1e-3, 5e-3, None, 1e-2, 2e-2, None)

    def theirs(self, result):
        return [Thing(scores=[c.score for c in b], points=points(p), numbers=[float(v) for v in m.flatten()])
                for p, b, m in zip(result.face_landmarks, result.face_blendshapes, result.facial_transformation_matrixes)]

    def found(self, document):
        return [Thing(scores=shapes(f), points=places(f['landmarks']), numbers=f['matrix']) for f in document['faces']]


def shapes(face):
    """Blendshapes of our JSON."""
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
    # MediaPipe looks for bodies of turned pictures in the wrong place.
    FLAGS = ('--mediapipe-rotation',)
    # The heat map moves a foot or leaves it where it is, by a hair: so largest differences say little.
    LIMITS = (1e-3, None, None, None, 5e-2, 1e-4)
    VIDEO_LIMITS = (5e-3, None, None, None, None, None)

    def theirs(self, result):
        return [Thing(points=points(p), world=points(w), numbers=sure(p), mask=plane(m).copy())
                for p, w, m in zip(result.pose_landmarks, result.pose_world_landmarks, result.segmentation_masks or [])]

    def found(self, document):
        return [Thing(points=places(b['landmarks']), world=places(b['world_landmarks']), numbers=sure_places(b['landmarks']), mask=stored_mask(b['mask']))
                for b in document['poses']]


class Holistic(Landmarks):
    """MediaPipe ignores orientations and follows people from picture to picture: it gets pictures that are upright, and a new task for each. What it finds is
    turned back."""
    NAME, COMMAND, BUNDLE, TASK = 'holistic', 'landmark-holistic', 'holistic_landmarker.task', 'HolisticLandmarker'
    OPTIONS, SEQUENCES = (None,), ('pose_move',)
    # Its Python package has other defaults than its others.
    FLAGS = ('--blendshapes', '--min-face-suppression', '0.5', '--min-pose-suppression', '0.5')
    KEYWORDS = {'output_face_blendshapes': True, 'output_segmentation_mask': True}
    SCORES, NUMBERS, HAS_MASKS, TAKES_ROTATION = 'blendshapes', 'visibility and presence', True, False
    LIMITS = (1e-3, None, None, 5e-3, 5e-2, 1e-4)
    VIDEO_LIMITS = (5e-3, None, None, 1e-2, None, None)

    def open(self, path, count):
        self.path = path
        return super().open(path, count)

    def answer(self, task, picture, rotation):
        import mediapipe as mp
        import numpy as np
        if self.is_video:
            return super().answer(task, picture, rotation)
        stored = picture.numpy_view()
        upright = np.ascontiguousarray(np.rot90(stored, -rotation // 90))
        with super().open(self.path, None) as fresh:
            result = fresh.detect(mp.Image(image_format=picture.image_format, data=upright))
        self.turned = Turned(rotation, upright.shape[1] / stored.shape[1])
        return result

    def theirs(self, result):
        turned = Turned(0, 1) if self.is_video else self.turned
        found = []
        if result.pose_landmarks:
            found.append(Thing(['pose'], points=turned.points(result.pose_landmarks), world=turned.world(result.pose_world_landmarks),
                               numbers=sure(result.pose_landmarks), mask=turned.mask(plane(result.segmentation_mask).copy())))
        for side in ('left', 'right'):
            hand = getattr(result, side + '_hand_landmarks')
            if hand:
                found.append(Thing([side], points=turned.points(hand), world=turned.world(getattr(result, side + '_hand_world_landmarks'))))
        if result.face_landmarks:
            found.append(Thing(['face'], scores=[c.score for c in result.face_blendshapes or []], points=turned.points(result.face_landmarks)))
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


class Turned:
    """What was found in a picture that was turned clockwise, as it lies in the stored one."""

    def __init__(self, rotation, width):
        """width: that of the turned picture in parts of the stored one's; depth is counted in it."""
        self.rotation, self.width = rotation, width

    def points(self, landmarks):
        return [self.place(p.x - 0.5, p.y - 0.5, 0.5) + (p.z * self.width,) for p in landmarks]

    def world(self, landmarks):
        return [self.place(p.x, p.y, 0.0) + (p.z,) for p in landmarks]

    def place(self, x, y, middle):
        x, y = {0: (x, y), 90: (y, -x), 180: (-x, -y), 270: (-y, x)}[self.rotation]
        return x + middle, y + middle

    def mask(self, mask):
        import numpy as np
        return None if mask is None else np.rot90(mask, self.rotation // 90)
