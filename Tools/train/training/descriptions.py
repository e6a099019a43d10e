"""The metadata of each model."""
from mediapipe.tasks.metadata import image_segmenter_metadata_schema_py_generated as segmenter_schema
from mediapipe.tasks.metadata import metadata_schema_py_generated as schema
from mediapipe.tasks.metadata import object_detector_metadata_schema_py_generated as detector_schema

from training import detection, metadata, sentences as sentence_task, sounds as sound_task
from training.boxes import CENTER_SCALE, SIZE_SCALE
from training.metadata import Description, Labels, box_output, label_files, output, threshold
from training.names import BACKGROUND, BACKGROUND_GERMAN, CATEGORIES, CATEGORIES_GERMAN, SOUNDS, SOUNDS_GERMAN, TOPICS, TOPICS_GERMAN

AXIS, VALUES = schema.AssociatedFileType.TENSOR_AXIS_LABELS, schema.AssociatedFileType.TENSOR_VALUE_LABELS
DRAWN = ' It learned from synthetic images alone and is meant for trying the library, not for photos.'
CATEGORY_LABELS = Labels(CATEGORIES, CATEGORIES_GERMAN)
SCORE = 0.5


def face() -> Description:
    return Description(
        'Swiftlet drawn face detector', 'Finds drawn faces with six key points each, in the form of BlazeFace short range.' + DRAWN,
        [output('regressors', 'Boxes and key points of 896 anchors, in pixels from their centers.'),
         threshold(output('classificators', 'Logits of 896 anchors.'), SCORE)])


def postprocessed_objects() -> Description:
    return Description(
        'Swiftlet drawn object detector', 'Finds eight kinds of drawn objects.' + DRAWN,
        [box_output('location', 'Boxes of what was found.'),
         output('category', 'Classes of what was found.', label_files(VALUES)),
         threshold(output('score', 'Scores of what was found.'), SCORE),
         output('number of detections', 'How many were found.')], CATEGORY_LABELS, 'detection_result')


def raw_objects() -> Description:
    return Description(
        'Swiftlet drawn object detector, raw', 'Finds eight kinds of drawn objects; boxes are to be decoded and suppressed.' + DRAWN,
        [box_output('location', 'Boxes, relative to the anchors.'),
         threshold(output('score', 'Logits of every anchor.', label_files(AXIS)), SCORE)], CATEGORY_LABELS,
        custom=('DETECTOR_METADATA', metadata.packed(decoding(), b'V001')))


def decoding():
    """Returns the anchors and the decoding of raw outputs into boxes."""
    anchors = []
    for y, x, height, width in detection.ANCHORS.tolist():
        anchor = detector_schema.FixedAnchorT()
        anchor.yCenter, anchor.xCenter, anchor.height, anchor.width = y, x, height, width
        anchors.append(anchor)
    result, options, tensors = detector_schema.ObjectDetectorOptionsT(), detector_schema.SsdAnchorsOptionsT(), detector_schema.TensorsDecodingOptionsT()
    options.fixedAnchorsSchema = detector_schema.FixedAnchorsSchemaT()
    options.fixedAnchorsSchema.anchors = anchors
    tensors.numClasses, tensors.numBoxes, tensors.numCoords = detection.CLASSES, len(detection.ANCHORS), 4
    tensors.keypointCoordOffset, tensors.numKeypoints, tensors.numValuesPerKeypoint = 0, 0, 2
    tensors.xScale = tensors.yScale = CENTER_SCALE
    tensors.wScale = tensors.hScale = SIZE_SCALE
    tensors.applyExponentialOnBoxSize = tensors.sigmoidScore = True
    result.minParserVersion, result.ssdAnchorsOptions, result.tensorsDecodingOptions = metadata.CUSTOM_PARSER_VERSION, options, tensors
    return result


def segmenter() -> Description:
    options = segmenter_schema.ImageSegmenterOptionsT()
    options.activation, options.minParserVersion = segmenter_schema.Activation.SOFTMAX, metadata.CUSTOM_PARSER_VERSION
    return Description(
        'Swiftlet drawn image segmenter', 'Says of every pixel of a drawing which of eight kinds of objects it belongs to.' + DRAWN,
        [output('scores', 'A number for every class of every pixel; softmax makes confidences of them.', label_files(AXIS))],
        Labels((BACKGROUND, *CATEGORIES), (BACKGROUND_GERMAN, *CATEGORIES_GERMAN)),
        custom=('SEGMENTER_METADATA', metadata.packed(options, b'V001')))


def classifier() -> Description:
    return Description(
        'Swiftlet drawn image classifier', 'Tells eight kinds of drawn objects apart.' + DRAWN,
        [output('probability', 'A probability for every class.', label_files(AXIS))], CATEGORY_LABELS)


def embedder() -> Description:
    return Description(
        'Swiftlet drawn image embedder', 'Turns drawings into vectors that are alike where they show the same object.' + DRAWN,
        [output('feature', 'The vector; compare two by the cosine between them.')])


def sounds() -> Description:
    return Description(
        'Swiftlet made-up sound classifier',
        'Tells eight kinds of sounds apart. It learned from sounds that a program makes and is meant for trying the library, not for recordings.',
        [output('probability', 'A probability for every class.', label_files(AXIS))], Labels(SOUNDS, SOUNDS_GERMAN),
        input=metadata.sound(sound_task.RATE, sound_task.LENGTH))


def sentences(vocabulary: dict[str, int]) -> Description:
    return Description(
        'Swiftlet made-up sentence classifier',
        'Tells four topics of sentences apart. It learned from sentences that a program makes and is meant for trying the library, not for texts.',
        [output('probability', 'A probability for every class.', label_files(AXIS))], Labels(TOPICS, TOPICS_GERMAN),
        input=metadata.words(sentence_task.PATTERN, sentence_task.VOCABULARY), files={sentence_task.VOCABULARY: ''.join(f'{word} {number}\n' for word, number in vocabulary.items()).encode()})
