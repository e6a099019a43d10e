"""An audio model that returns its input samples."""
WINDOW, RATE = 15600, 16000


def samples(path):
    import flatbuffers
    import numpy as np
    from mediapipe.tasks.metadata import metadata_schema_py_generated as metadata
    from mediapipe.tasks.metadata import schema_py_generated as schema
    from . import language_models, word_models
    graph = language_models.Graph(schema)
    sound, scores = (graph.tensor(name, [1, WINDOW], schema.TensorType.FLOAT32) for name in ('sound', 'scores'))
    shape = graph.constant(np.array([1, WINDOW], np.int32), schema.TensorType.INT32)
    graph.add(schema.BuiltinOperator.RESHAPE, [sound, shape], [scores])
    described, taken, given = metadata.SubGraphMetadataT(), metadata.TensorMetadataT(), metadata.TensorMetadataT()
    content, properties = metadata.ContentT(), metadata.AudioPropertiesT()
    properties.sampleRate, properties.channels = RATE, 1
    content.contentPropertiesType, content.contentProperties = metadata.ContentProperties.AudioProperties, properties
    taken.content, given.name = content, 'scores'
    described.inputTensorMetadata, described.outputTensorMetadata = [taken], [given]
    with open(path, 'wb') as file:
        file.write(word_models.packed(flatbuffers, word_models.with_metadata(graph.model([sound], [scores]), described, flatbuffers), b'TFL3'))
