"""TFLite metadata: the meaning of a model's input and outputs, and its label files."""
import io
import zipfile
from typing import NamedTuple

import flatbuffers
from ai_edge_litert import schema_py_generated as schema
from mediapipe.tasks.metadata import metadata_schema_py_generated as metadata

from training import model_file
from training.names import AUTHOR, LICENSE, VERSION

# The first version of the metadata schema with all fields that are written here.
PARSER_VERSION, CUSTOM_PARSER_VERSION = '1.5.0', '1.5.0'


class Labels(NamedTuple):
    """The names of the classes in English and German."""
    english: tuple[str, ...]
    german: tuple[str, ...]

    def files(self) -> dict[str, bytes]:
        return {'labels.txt': lines(self.english), 'labels_de.txt': lines(self.german)}


class Description(NamedTuple):
    """The description of a model; `outputs` in the order of the file."""
    name: str
    text: str
    outputs: list
    labels: Labels | None = None
    group: str | None = None
    # The name and content of the metadata that MediaPipe reads in addition to TFLite's own.
    custom: tuple[str, bytes] | None = None
    # The input if it is not an image, and the files that it requires.
    input: object | None = None
    files: dict[str, bytes] = {}


def lines(labels: tuple[str, ...]) -> bytes:
    return ''.join(label + '\n' for label in labels).encode()


def described(content: bytes, description: Description, side: int) -> bytes:
    """Returns the file with metadata, and with its labels in an archive at the end."""
    model = model_file.read(content)
    entry = schema.MetadataT()
    entry.name = 'TFLITE_METADATA'
    entry.buffer = model_file.add_buffer(model, packed(model_metadata(description, side), b'M001'))
    model.metadata = [entry]
    result = model_file.write(model)
    files = description.files | (description.labels.files() if description.labels else {})
    return archived(result, files) if files else result


def packed(table, identifier: bytes) -> bytes:
    builder = flatbuffers.Builder(0)
    builder.Finish(table.Pack(builder), identifier)
    return bytes(builder.Output())


def archived(content: bytes, files: dict[str, bytes]) -> bytes:
    """Returns the file with uncompressed files appended; the same files give the same bytes."""
    stream = io.BytesIO(content)
    with zipfile.ZipFile(stream, 'a', zipfile.ZIP_STORED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return stream.getvalue()


def model_metadata(description: Description, side: int):
    graph = metadata.SubGraphMetadataT()
    graph.name = description.name
    graph.inputTensorMetadata, graph.outputTensorMetadata = [description.input or image(side)], description.outputs
    if description.group:
        group = metadata.TensorGroupT()
        group.name, group.tensorNames = description.group, [output.name for output in description.outputs[:3]]
        graph.outputTensorGroups = [group]
    if description.custom:
        custom = CustomMetadata()
        custom.name, custom.data = description.custom
        graph.customMetadata = [custom]
    result = metadata.ModelMetadataT()
    result.name, result.description, result.version = description.name, description.text, VERSION
    result.author, result.license, result.minParserVersion = AUTHOR, LICENSE, PARSER_VERSION
    result.subgraphMetadata = [graph]
    return result


class CustomMetadata(metadata.CustomMetadataT):
    """Custom metadata whose bytes are aligned to 16, as its schema requires."""

    def Pack(self, builder):
        name = builder.CreateString(self.name)
        builder.StartVector(1, len(self.data), 16)
        builder.head -= len(self.data)
        builder.Bytes[builder.head:builder.head + len(self.data)] = self.data
        data = builder.EndVector()
        metadata.CustomMetadataStart(builder)
        metadata.CustomMetadataAddName(builder, name)
        metadata.CustomMetadataAddData(builder, data)
        return metadata.CustomMetadataEnd(builder)


def image(side: int):
    """The input: RGB, −1…1 in float32. Bytes are used unchanged, with the same meaning."""
    properties, size = metadata.ImagePropertiesT(), metadata.ImageSizeT()
    size.width = size.height = side
    properties.colorSpace, properties.defaultSize = metadata.ColorSpaceType.RGB, size
    options = metadata.NormalizationOptionsT()
    options.mean, options.std = [127.5], [127.5]
    result = output('image', 'The image, %d by %d pixels of red, green and blue.' % (side, side))
    result.content = content(metadata.ContentProperties.ImageProperties, properties)
    result.processUnits = [unit(metadata.ProcessUnitOptions.NormalizationOptions, options)]
    result.stats = metadata.StatsT()
    result.stats.min, result.stats.max = [-1.0], [1.0]
    return result


def sound(rate: int, length: int):
    """The input: one channel in -1…1."""
    properties = metadata.AudioPropertiesT()
    properties.sampleRate, properties.channels = rate, 1
    result = output('audio_clip', '%d samples of one channel, %d a second.' % (length, rate))
    result.content = content(metadata.ContentProperties.AudioProperties, properties)
    return result


def words(pattern: str, vocabulary: str):
    """The input: token IDs from a vocabulary file; the pattern matches the delimiters between words."""
    file = metadata.AssociatedFileT()
    file.name, file.description, file.type = vocabulary, 'Words and their numbers.', metadata.AssociatedFileType.VOCABULARY
    options = metadata.RegexTokenizerOptionsT()
    options.delimRegexPattern, options.vocabFile = pattern, [file]
    result = output('input_text', "Numbers of the text's words.")
    result.processUnits = [unit(metadata.ProcessUnitOptions.RegexTokenizerOptions, options)]
    return result


def output(name: str, text: str, files: list | None = None):
    result = metadata.TensorMetadataT()
    result.name, result.description, result.associatedFiles = name, text, files
    result.content = content(metadata.ContentProperties.FeatureProperties, metadata.FeaturePropertiesT())
    return result


def box_output(name: str, text: str):
    """Boxes as (top, left, bottom, right) relative to the image."""
    result = output(name, text)
    properties = metadata.BoundingBoxPropertiesT()
    properties.index, properties.type = [1, 0, 3, 2], metadata.BoundingBoxType.BOUNDARIES
    properties.coordinateType = metadata.CoordinateType.RATIO
    result.content = content(metadata.ContentProperties.BoundingBoxProperties, properties)
    return result


def content(kind: int, properties):
    result = metadata.ContentT()
    result.contentPropertiesType, result.contentProperties = kind, properties
    return result


def unit(kind: int, options):
    result = metadata.ProcessUnitT()
    result.optionsType, result.options = kind, options
    return result


def threshold(tensor, least: float):
    """Returns the tensor with the score threshold of its results."""
    options = metadata.ScoreThresholdingOptionsT()
    options.globalScoreThreshold = least
    tensor.processUnits = [unit(metadata.ProcessUnitOptions.ScoreThresholdingOptions, options)]
    return tensor


def label_files(kind: int) -> list:
    """English first: its file provides the names, and the display names in `en`; the other file provides the display names in `de`."""
    files = []
    for name, locale, text in (('labels.txt', 'en', 'Names of the classes.'), ('labels_de.txt', 'de', 'German names of the classes.')):
        file = metadata.AssociatedFileT()
        file.name, file.locale, file.description, file.type = name, locale, text, kind
        files.append(file)
    return files
