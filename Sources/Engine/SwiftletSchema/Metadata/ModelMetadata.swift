package import SwiftletBase

/// The metadata of a model: names, input normalization, and the meaning of outputs.
///
/// - Source: the TFLite metadata schema (`M001`), version 1.5.0.
package struct ModelMetadata: Sendable {
  package var name: String?
  package var description: String?
  package var version: String?
  package var author: String?
  package var license: String?
  /// The minimum version of the metadata reader, such as `1.5.0`; not newer than `supportedParserVersion`.
  package var minimumParserVersion: String?
  package var subgraphs: [SubgraphMetadata]
  package var associatedFiles: [AssociatedFile]

  package init(
    name: String? = nil, description: String? = nil, version: String? = nil, author: String? = nil,
    license: String? = nil, minimumParserVersion: String? = nil, subgraphs: [SubgraphMetadata] = [],
    associatedFiles: [AssociatedFile] = []
  ) {
    self.name = name
    self.description = description
    self.version = version
    self.author = author
    self.license = license
    self.minimumParserVersion = minimumParserVersion
    self.subgraphs = subgraphs
    self.associatedFiles = associatedFiles
  }

  /// The metadata of the inputs of the model's first subgraph, by position.
  package var inputs: [TensorMetadata] { subgraphs.first?.inputs ?? [] }
  /// The metadata of the outputs of the model's first subgraph, by position.
  package var outputs: [TensorMetadata] { subgraphs.first?.outputs ?? [] }

  /// Returns the bytes of a custom metadata entry of the first subgraph, or `nil` if there is no entry with this name.
  package func customMetadata(_ name: String) -> ByteRegion? {
    subgraphs.first?.customMetadata.first { $0.name == name }?.data
  }
}

package struct SubgraphMetadata: Sendable {
  package var name: String?
  package var description: String?
  /// The metadata of the subgraph inputs, by position. The array may be shorter or longer than the inputs.
  package var inputs: [TensorMetadata]
  /// The metadata of the subgraph outputs, by position. The array may be longer if postprocessing is part of the model.
  package var outputs: [TensorMetadata]
  package var associatedFiles: [AssociatedFile]
  package var inputProcessUnits: [ProcessUnit]
  package var outputProcessUnits: [ProcessUnit]
  package var inputGroups: [TensorGroup]
  package var outputGroups: [TensorGroup]
  package var customMetadata: [CustomMetadata]

  package init(
    name: String? = nil, description: String? = nil, inputs: [TensorMetadata] = [], outputs: [TensorMetadata] = [],
    associatedFiles: [AssociatedFile] = [], inputProcessUnits: [ProcessUnit] = [],
    outputProcessUnits: [ProcessUnit] = [], inputGroups: [TensorGroup] = [], outputGroups: [TensorGroup] = [],
    customMetadata: [CustomMetadata] = []
  ) {
    self.name = name
    self.description = description
    self.inputs = inputs
    self.outputs = outputs
    self.associatedFiles = associatedFiles
    self.inputProcessUnits = inputProcessUnits
    self.outputProcessUnits = outputProcessUnits
    self.inputGroups = inputGroups
    self.outputGroups = outputGroups
    self.customMetadata = customMetadata
  }
}

/// A group of tensors, such as the boxes, classes, and scores of one head.
package struct TensorGroup: Sendable, Hashable {
  package var name: String?
  package var tensorNames: [String]

  package init(name: String? = nil, tensorNames: [String] = []) {
    self.name = name
    self.tensorNames = tensorNames
  }
}

/// A named blob in a custom format, such as a detector's anchors.
package struct CustomMetadata: Sendable {
  package var name: String
  package var data: ByteRegion

  package init(name: String, data: ByteRegion) {
    self.name = name
    self.data = data
  }
}

/// A file associated with the model, usually in the archive appended to the model.
package struct AssociatedFile: Sendable, Hashable {
  package enum Kind: Int8, Sendable, Hashable {
    case unknown = 0
    case descriptions = 1
    case tensorAxisLabels = 2
    case tensorValueLabels = 3
    case tensorAxisScoreCalibration = 4
    case vocabulary = 5
    case scannIndex = 6
  }
  package var name: String
  package var description: String?
  package var kind: Kind
  /// The language of the file, such as `en`; empty if it isn't specified.
  package var locale: String
  package var version: String?

  package init(name: String, description: String? = nil, kind: Kind, locale: String, version: String? = nil) {
    self.name = name
    self.description = description
    self.kind = kind
    self.locale = locale
    self.version = version
  }
}

/// A conversion step between the application's values and the tensor's values.
package enum ProcessUnit: Sendable, Hashable {
  case normalization(Normalization)
  case scoreCalibration(ScoreCalibration)
  /// Scores below the threshold are dropped.
  case scoreThresholding(threshold: Float)
  /// Splits text into WordPiece tokens.
  case wordPieceTokenizer(vocabulary: [AssociatedFile])
  /// Splits text with a SentencePiece model.
  case sentencePieceTokenizer
  /// Splits text at the matches of a pattern.
  case patternTokenizer(PatternTokenizer)
  /// A newer kind of step, by its tag in the schema.
  case other(tag: Int)
}

/// A tokenizer that splits text with a regular expression and maps tokens to IDs.
package struct PatternTokenizer: Sendable, Hashable {
  /// A regular expression in RE2 syntax that matches delimiters; `nil` if the metadata has none.
  package var delimiter: String?
  package var vocabulary: [AssociatedFile]

  package init(delimiter: String?, vocabulary: [AssociatedFile] = []) {
    self.delimiter = delimiter
    self.vocabulary = vocabulary
  }
}

/// The normalization `(x - mean) / deviation`, per channel, or with the first entry for all channels.
package struct Normalization: Sendable, Hashable {
  package var mean: [Float]
  package var deviation: [Float]

  package init(mean: [Float] = [], deviation: [Float] = []) {
    self.mean = mean
    self.deviation = deviation
  }
}

/// The function that converts scores to probabilities. The parameters per class are in an associated file.
package struct ScoreCalibration: Sendable, Hashable {
  package enum Transformation: Int8, Sendable, Hashable {
    case identity = 0
    case logarithm = 1
    case inverseLogistic = 2
  }
  package var transformation: Transformation
  /// The score of classes without parameters.
  package var defaultScore: Float

  package init(transformation: Transformation, defaultScore: Float) {
    self.transformation = transformation
    self.defaultScore = defaultScore
  }
}
