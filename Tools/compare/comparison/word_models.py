"""Models that return their input token IDs as outputs, with tokenizers in their metadata."""
import zipfile


def write(path, inputs, length, unit, vocabulary, is_first_tensors):
    """Returns a model of `inputs` by name, each `[1, length]` int32 and cast to float32.

    unit: the process unit of the tokenizer, for the first input if `is_first_tensors`, otherwise for all inputs. vocabulary: the bytes of its file.
    """
    import flatbuffers
    from mediapipe.tasks.metadata import metadata_schema_py_generated as metadata
    from mediapipe.tasks.metadata import schema_py_generated as schema
    model, graph = schema.ModelT(), schema.SubGraphT()
    code = schema.OperatorCodeT()
    code.builtinCode = code.deprecatedBuiltinCode = schema.BuiltinOperator.CAST
    code.version = 1
    model.version, model.operatorCodes, model.subgraphs = 3, [code], [graph]
    model.buffers = [schema.BufferT()]
    graph.tensors, graph.inputs, graph.outputs, graph.operators = [], [], [], []
    described = metadata.SubGraphMetadataT()
    described.inputTensorMetadata, described.outputTensorMetadata = [], []
    for name in inputs:
        cast = schema.OperatorT()
        cast.opcodeIndex, cast.inputs, cast.outputs = 0, [len(graph.tensors)], [len(graph.tensors) + 1]
        for kind, ends in ((schema.TensorType.INT32, graph.inputs), (schema.TensorType.FLOAT32, graph.outputs)):
            ends.append(len(graph.tensors))
            tensor = schema.TensorT()
            tensor.shape, tensor.type, tensor.buffer, tensor.name = [1, length], kind, 0, '%s%d' % (name, len(graph.tensors))
            graph.tensors.append(tensor)
        graph.operators.append(cast)
        for group in (described.inputTensorMetadata, described.outputTensorMetadata):
            group.append(metadata.TensorMetadataT())
            group[-1].name = name
    if is_first_tensors:
        described.inputTensorMetadata[0].processUnits = [unit]
    else:
        described.inputProcessUnits = [unit]
    with open(path, 'wb') as file:
        file.write(packed(flatbuffers, with_metadata(model, described, flatbuffers), b'TFL3'))
    with zipfile.ZipFile(path, 'a', zipfile.ZIP_STORED) as archive:
        archive.writestr('vocab.txt', vocabulary)


def with_metadata(model, described, flatbuffers):
    """Returns the model with metadata of its graph."""
    from mediapipe.tasks.metadata import metadata_schema_py_generated as metadata
    from mediapipe.tasks.metadata import schema_py_generated as schema
    about, entry, buffer = metadata.ModelMetadataT(), schema.MetadataT(), schema.BufferT()
    about.subgraphMetadata = [described]
    buffer.data = list(packed(flatbuffers, about, b'M001'))
    entry.name, entry.buffer = 'TFLITE_METADATA', len(model.buffers)
    model.metadata = [entry]
    model.buffers.append(buffer)
    return model


def packed(flatbuffers, table, identifier):
    builder = flatbuffers.Builder(0)
    builder.Finish(table.Pack(builder), identifier)
    return bytes(builder.Output())


def vocabulary_file(metadata):
    file = metadata.AssociatedFileT()
    file.name, file.type = 'vocab.txt', metadata.AssociatedFileType.VOCABULARY
    return [file]


def word_pieces(path, length, pieces):
    from mediapipe.tasks.metadata import metadata_schema_py_generated as metadata
    unit, options = metadata.ProcessUnitT(), metadata.BertTokenizerOptionsT()
    options.vocabFile = vocabulary_file(metadata)
    unit.optionsType, unit.options = metadata.ProcessUnitOptions.BertTokenizerOptions, options
    write(path, ('ids', 'mask', 'segment_ids'), length, unit, '\n'.join(pieces).encode(), False)


def pattern(path, length, expression, words):
    from mediapipe.tasks.metadata import metadata_schema_py_generated as metadata
    unit, options = metadata.ProcessUnitT(), metadata.RegexTokenizerOptionsT()
    options.delimRegexPattern, options.vocabFile = expression, vocabulary_file(metadata)
    unit.optionsType, unit.options = metadata.ProcessUnitOptions.RegexTokenizerOptions, options
    write(path, ('input_text',), length, unit, ''.join('%s %d\n' % item for item in words.items()).encode(), True)
