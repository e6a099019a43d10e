"""The shared code for MediaPipe's tasks."""
import os


def base_options(model):
    from mediapipe.tasks import python as tasks
    return tasks.BaseOptions(model_asset_path=model)


def processing(rotation, region=None):
    """Returns the angle for MediaPipe, which counts clockwise rotations of the image, as --rotate does. Three quarter turns are one to the left, as in
    MediaPipe's iOS tasks: the same angle, but not bit for bit, which affects resampled bytes."""
    from mediapipe.tasks.python import vision
    from mediapipe.tasks.python.components.containers import rect
    area = rect.RectF(left=region[0], top=region[1], right=region[2], bottom=region[3]) if region else None
    return vision.ImageProcessingOptions(region_of_interest=area, rotation_degrees=rotation if rotation < 270 else rotation - 360)


def region(edges):
    """Returns the same angle for Swiftlet's tool."""
    return ['--roi', ','.join(map(str, edges))]


def described(model, folder, mean, deviation):
    """Returns a copy of a model with metadata about the normalization of its input."""
    import flatbuffers
    from mediapipe.tasks.metadata import metadata_schema_py_generated as metadata
    from mediapipe.tasks.metadata import schema_py_generated as schema
    with open(model, 'rb') as file:
        content = file.read()
    graph = schema.ModelT.InitFromObj(schema.Model.GetRootAsModel(content, 0))
    for buffer in graph.buffers:
        # Data after the FlatBuffer would no longer be at its offset.
        if buffer.offset > 1:
            buffer.data = list(content[buffer.offset:buffer.offset + buffer.size])
            buffer.offset = buffer.size = 0
    subgraph = metadata.SubGraphMetadataT()
    subgraph.inputTensorMetadata = [tensor(metadata, mean, deviation)]
    # MediaPipe's classifier crashes on outputs without a name.
    subgraph.outputTensorMetadata = [named(metadata, 'output%d' % index) for index, _ in enumerate(graph.subgraphs[0].outputs)]
    description = metadata.ModelMetadataT()
    description.subgraphMetadata = [subgraph]
    builder = flatbuffers.Builder(0)
    builder.Finish(description.Pack(builder), b'M001')
    buffer = schema.BufferT()
    buffer.data = list(builder.Output())
    graph.buffers.append(buffer)
    entry = schema.MetadataT()
    entry.name, entry.buffer = 'TFLITE_METADATA', len(graph.buffers) - 1
    graph.metadata = [other for other in graph.metadata or [] if name_of(other) != entry.name] + [entry]
    builder = flatbuffers.Builder(0)
    builder.Finish(graph.Pack(builder), b'TFL3')
    path = os.path.join(folder, os.path.basename(model))
    with open(path, 'wb') as file:
        file.write(builder.Output())
    return path


def name_of(entry):
    return entry.name.decode() if isinstance(entry.name, bytes) else entry.name


def named(metadata, name):
    tensor = metadata.TensorMetadataT()
    tensor.name = name
    return tensor


def tensor(metadata, mean, deviation):
    options = metadata.NormalizationOptionsT()
    options.mean, options.std = [mean], [deviation]
    unit = metadata.ProcessUnitT()
    unit.optionsType, unit.options = metadata.ProcessUnitOptions.NormalizationOptions, options
    described = named(metadata, 'image')
    described.processUnits = [unit]
    return described


class Task:
    """A task with its models, and the comparison of its runs."""
    # (model, None) for an unchanged model, or (model, (mean, deviation)) for one that needs metadata first.
    MODELS = ()
    # Directories of frames on which a tracking task also runs.
    SEQUENCES = ()

    def __init__(self, models, folder, only=''):
        self.models, self.folder, self.only = models, folder, only

    def cases(self):
        """Returns the names of models, the paths of both sides' inputs, and the options of the run."""
        for model, normalization in self.MODELS:
            if self.only not in model:
                continue
            path = os.path.join(self.models, model)
            if normalization is not None:
                path = described(path, self.folder, *normalization)
            for option in self.OPTIONS:
                yield os.path.basename(model) + (' (described)' if normalization else ''), path, option
