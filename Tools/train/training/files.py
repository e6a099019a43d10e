"""The list of files with their tasks, and how each is made from a trained network."""
from typing import Callable, NamedTuple

from training.classification import Classification
from training.detection import Detection
from training.embedding import Embedding
from training.face import Face
from training.segmentation import Segmentation
from training.sentences import Sentences
from training.sounds import Sounds
from training.task import Task

TASKS: dict[str, Callable[[], Task]] = {task.NAME: task for task in (Face, Detection, Segmentation, Classification, Embedding, Sounds, Sentences)}


class File(NamedTuple):
    """A model file `NAME.tflite` with its int8 variant `NAME_int8.tflite`; `description` names a function of descriptions.py."""
    name: str
    task: str
    description: str
    postprocessed: bool = False

    def path(self, int8: bool) -> str:
        return self.name + ('_int8.tflite' if int8 else '.tflite')


FILES = (File('face_detector', 'face_detector', 'face'),
         File('object_detector', 'object_detector', 'postprocessed_objects', postprocessed=True),
         File('object_detector_raw', 'object_detector', 'raw_objects'),
         File('image_segmenter', 'image_segmenter', 'segmenter'),
         File('image_classifier', 'image_classifier', 'classifier'),
         File('image_embedder', 'image_embedder', 'embedder'),
         File('audio_classifier', 'audio_classifier', 'sounds'),
         File('text_classifier', 'text_classifier', 'sentences'))
