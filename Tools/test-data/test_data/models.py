"""Models that are derived from others: members of bundles, models with the normalization of their input, and copying models."""
from test_data import missing
from test_data.bundles import members
from test_data.derived import derive

FACES, GESTURES = 'tasks/models/face_landmarker.task', 'tasks/models/hand_gesture_recognizer.task'


def make(data, replace):
    try:
        import ai_edge_litert  # noqa: F401
        import flatbuffers  # noqa: F401
        import mediapipe  # noqa: F401
    except ImportError as error:
        raise missing(error.name) from None
    return derive(RECIPES, data, replace)


def member(bundle, name):
    return (bundle,), lambda content: members(content)[name]


def normalized(source, *normalization):
    return (source,), lambda content: with_normalization(content, *normalization)


def with_normalization(content, mean=0.0, deviation=255.0, least=0.0, greatest=1.0):
    """Returns the model with metadata about the conversion of an image's bytes to its input, which MediaPipe requires."""
    from ai_edge_litert import schema_py_generated as schema
    model = schema.ModelT.InitFromObj(schema.Model.GetRootAs(content, 0))
    outputs = [f'output{index}' for index in range(len(model.subgraphs[0].outputs))]
    add_metadata(model, 'model', outputs, mean, deviation, (least, greatest))
    return packed(model, b'TFL3', len(content) + 4096)


def add_metadata(model, name, outputs, mean, deviation, limits=None):
    """Adds metadata of one image as input, and of the named outputs."""
    import numpy
    from ai_edge_litert import schema_py_generated as schema
    from mediapipe.tasks.metadata import metadata_schema_py_generated as metadata
    image = tensor('image')
    image.content = metadata.ContentT()
    image.content.contentPropertiesType = metadata.ContentProperties.ImageProperties
    image.content.contentProperties = metadata.ImagePropertiesT()
    image.content.contentProperties.colorSpace = metadata.ColorSpaceType.RGB
    unit = metadata.ProcessUnitT()
    unit.optionsType = metadata.ProcessUnitOptions.NormalizationOptions
    unit.options = metadata.NormalizationOptionsT()
    unit.options.mean, unit.options.std = [mean], [deviation]
    image.processUnits = [unit]
    if limits:
        image.stats = metadata.StatsT()
        image.stats.min, image.stats.max = [limits[0]], [limits[1]]
    graph = metadata.SubGraphMetadataT()
    graph.inputTensorMetadata, graph.outputTensorMetadata = [image], [tensor(output) for output in outputs]
    description = metadata.ModelMetadataT()
    description.name, description.subgraphMetadata = name, [graph]
    buffer = schema.BufferT()
    buffer.data = numpy.frombuffer(packed(description, b'M001', 0), numpy.uint8)
    model.buffers.append(buffer)
    entry = schema.MetadataT()
    entry.name, entry.buffer = 'TFLITE_METADATA', len(model.buffers) - 1
    model.metadata = (model.metadata or []) + [entry]


def tensor(name):
    from mediapipe.tasks.metadata import metadata_schema_py_generated as metadata
    result = metadata.TensorMetadataT()
    result.name = name
    return result


def packed(table, identifier, size):
    import flatbuffers
    builder = flatbuffers.Builder(size)
    builder.Finish(table.Pack(builder), identifier)
    return bytes(builder.Output())


def copying(width, height):
    """Returns a model whose 1x1 convolution copies four channels, so that a task's result reveals the model's input."""
    import numpy
    from ai_edge_litert import schema_py_generated as schema
    model = schema.ModelT()
    model.version, model.description = 3, 'identity'
    model.buffers = [schema.BufferT() for _ in range(5)]
    model.buffers[1].data = numpy.frombuffer(numpy.eye(4, dtype=numpy.float32).tobytes(), numpy.uint8)
    model.buffers[2].data = numpy.frombuffer(numpy.zeros(4, numpy.float32).tobytes(), numpy.uint8)
    code = schema.OperatorCodeT()
    code.builtinCode = code.deprecatedBuiltinCode = schema.BuiltinOperator.CONV_2D
    code.version = 1
    model.operatorCodes = [code]
    operator = schema.OperatorT()
    operator.opcodeIndex, operator.inputs, operator.outputs = 0, [0, 1, 2], [3]
    operator.builtinOptionsType, operator.builtinOptions = schema.BuiltinOptions.Conv2DOptions, schema.Conv2DOptionsT()
    options = operator.builtinOptions
    options.padding, options.fusedActivationFunction = schema.Padding.VALID, schema.ActivationFunctionType.NONE
    options.strideW = options.strideH = options.dilationWFactor = options.dilationHFactor = 1
    graph = schema.SubGraphT()
    graph.name, graph.tensors, graph.operators = 'main', [], [operator]
    for name, shape, buffer in (('image', [1, height, width, 4], 3), ('weights', [4, 1, 1, 4], 1), ('bias', [4], 2),
                                ('copy', [1, height, width, 4], 4)):
        value = schema.TensorT()
        value.name, value.shape, value.buffer, value.type = name, shape, buffer, schema.TensorType.FLOAT32
        graph.tensors.append(value)
    graph.inputs, graph.outputs = [0], [3]
    model.subgraphs = [graph]
    add_metadata(model, 'identity', ['copy'], 0.0, 255.0)
    return packed(model, b'TFL3', 1024)


RECIPES = {
    'models/face/face_blendshapes.tflite': member(FACES, 'face_blendshapes.tflite'),
    'models/face/face_detection_full_range_metadata.tflite':
        normalized('models/face/face_detection_full_range.tflite', 127.5, 127.5, -1.0, 1.0),
    'models/face/face_detector_short_range_metadata.tflite': member(FACES, 'face_detector.tflite'),
    'models/face/face_landmarks_detector_256.tflite': member(FACES, 'face_landmarks_detector.tflite'),
    'models/hand_pose/canned_gesture_classifier.tflite': member(GESTURES, 'canned_gesture_classifier.tflite'),
    'models/hand_pose/gesture_embedder.tflite': member(GESTURES, 'gesture_embedder.tflite'),
    'models/segmentation/selfie_segmentation_256_metadata.tflite':
        normalized('models/segmentation/selfie_segmentation_256.tflite'),
    'tasks/models/hand_roi_refinement.tflite': normalized('models/hand_pose/hand_recrop.tflite'),
    'tasks/models/identity_1200x600.tflite': ((), lambda: copying(1200, 600)),
    'tasks/models/identity_257x257.tflite': ((), lambda: copying(257, 257)),
    'tasks/models/interactive_4channel.tflite': normalized('downloads/hair_segmentation.tflite'),
}
