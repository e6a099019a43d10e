"""A model in the form of language detectors. Its weights are random: it tests whether both sides compute the same result for a text."""
import zipfile

LANGUAGES = ('en', 'de', 'fr', 'ru', 'ja', 'ar', 'hi', 'ko', 'zh', 'el', 'th', 'unknown')
# The lengths of n-grams, and the vocabulary size for each length.
LENGTHS = ((1, 500), (2, 2000), (3, 3000))
BLOCKS, CODES, SIZE = 4, 64, 4


def language_detector(path, seed=1):
    """Hashed n-grams, the mean of their vectors for each length, a matrix product, and probabilities."""
    import flatbuffers
    import numpy as np
    from mediapipe.tasks.metadata import metadata_schema_py_generated as metadata
    from mediapipe.tasks.metadata import schema_py_generated as schema
    from . import word_models
    numbers = np.random.default_rng(seed)
    graph = Graph(schema)
    text = graph.tensor('text', [1], schema.TensorType.STRING)
    means = []
    for length, count in LENGTHS:
        hashes = graph.tensor('hashes', [1, 1, 1], schema.TensorType.INT32)
        graph.add('NGramHash', [text], [hashes], hash_options(length, count))
        row = graph.tensor('row', [1, 1], schema.TensorType.INT32)
        graph.add(schema.BuiltinOperator.RESHAPE, [hashes, graph.constant(np.array([1, -1], np.int32), schema.TensorType.INT32)], [row])
        mean = graph.tensor('mean', [1, BLOCKS * SIZE], schema.TensorType.FLOAT32)
        encodings = numbers.integers(0, CODES, (count + 1, BLOCKS), np.uint8)
        codes = numbers.standard_normal((CODES, SIZE), np.float32)
        graph.add('KmeansEmbeddingLookup', [row, graph.constant(encodings, schema.TensorType.UINT8), graph.constant(codes, schema.TensorType.FLOAT32)], [mean])
        means.append(mean)
    width = len(LENGTHS) * BLOCKS * SIZE
    all_means, sums, scores = (graph.tensor(name, [1, n], schema.TensorType.FLOAT32)
                               for name, n in (('means', width), ('sums', len(LANGUAGES)), ('probability', len(LANGUAGES))))
    joined, dense, softmax = schema.ConcatenationOptionsT(), schema.FullyConnectedOptionsT(), schema.SoftmaxOptionsT()
    joined.axis, softmax.beta = 1, 3.0
    graph.add(schema.BuiltinOperator.CONCATENATION, means, [all_means], (schema.BuiltinOptions.ConcatenationOptions, joined))
    weights = numbers.standard_normal((len(LANGUAGES), width), np.float32)
    bias = numbers.standard_normal(len(LANGUAGES)).astype(np.float32)
    graph.add(schema.BuiltinOperator.FULLY_CONNECTED, [all_means, graph.constant(weights, schema.TensorType.FLOAT32), graph.constant(bias, schema.TensorType.FLOAT32)],
              [sums], (schema.BuiltinOptions.FullyConnectedOptions, dense))
    graph.add(schema.BuiltinOperator.SOFTMAX, [sums], [scores], (schema.BuiltinOptions.SoftmaxOptions, softmax))
    described, output, file = metadata.SubGraphMetadataT(), metadata.TensorMetadataT(), metadata.AssociatedFileT()
    file.name, file.type = 'labels.txt', metadata.AssociatedFileType.TENSOR_AXIS_LABELS
    output.name, output.associatedFiles = 'probability', [file]
    described.inputTensorMetadata, described.outputTensorMetadata = [metadata.TensorMetadataT()], [output]
    with open(path, 'wb') as target:
        target.write(word_models.packed(flatbuffers, word_models.with_metadata(graph.model([text], [scores]), described, flatbuffers), b'TFL3'))
    with zipfile.ZipFile(path, 'a', zipfile.ZIP_STORED) as archive:
        archive.writestr('labels.txt', '\n'.join(LANGUAGES))


def hash_options(length, count):
    from flatbuffers import flexbuffers
    builder = flexbuffers.Builder()
    with builder.Map():
        builder.Int('seed', 6)
        builder.Int('max_splits', 128)
        # MediaPipe only reads typed lists.
        builder.TypedVectorFromElements('ngram_lengths', [length])
        builder.TypedVectorFromElements('vocab_sizes', [count])
    return bytes(builder.Finish())


class Graph:
    """The tensors and operators, in the order in which they are added."""

    def __init__(self, schema):
        self.schema, self.graph, self.codes = schema, schema.SubGraphT(), []
        self.buffers = [schema.BufferT()]
        self.graph.tensors, self.graph.operators = [], []

    def tensor(self, name, shape, kind, buffer=0):
        tensor = self.schema.TensorT()
        tensor.name, tensor.shape, tensor.type, tensor.buffer = '%s%d' % (name, len(self.graph.tensors)), shape, kind, buffer
        self.graph.tensors.append(tensor)
        return len(self.graph.tensors) - 1

    def constant(self, values, kind):
        buffer = self.schema.BufferT()
        buffer.data = list(values.tobytes())
        self.buffers.append(buffer)
        return self.tensor('constant', list(values.shape), kind, len(self.buffers) - 1)

    def add(self, code, inputs, outputs, options=None):
        """code: a built-in operator, or the name of a custom one, whose options are bytes."""
        operator, described = self.schema.OperatorT(), self.schema.OperatorCodeT()
        described.version = 1
        if isinstance(code, str):
            described.builtinCode = described.deprecatedBuiltinCode = self.schema.BuiltinOperator.CUSTOM
            described.customCode = code
            operator.customOptions = None if options is None else list(options)
        else:
            described.builtinCode = described.deprecatedBuiltinCode = code
            if options is not None:
                operator.builtinOptionsType, operator.builtinOptions = options
        operator.opcodeIndex, operator.inputs, operator.outputs = len(self.codes), inputs, outputs
        self.codes.append(described)
        self.graph.operators.append(operator)

    def model(self, inputs, outputs):
        model = self.schema.ModelT()
        self.graph.inputs, self.graph.outputs = inputs, outputs
        model.version, model.operatorCodes, model.subgraphs, model.buffers = 3, self.codes, [self.graph], self.buffers
        return model
