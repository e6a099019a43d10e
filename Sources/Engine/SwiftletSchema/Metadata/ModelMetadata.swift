package import SwiftletBase

/// What the maker of a model says about it: names, how to prepare inputs, how to read outputs.
///
/// - Source: the TFLite metadata schema (`M001`), version 1.5.0.
package struct ModelMetadata: Sendable {
  package var name: String?
  package var description: String?
  package var version: String?
  package var author: String?
  package var license: String?
  /// The oldest metadata reader that understands this, such as `1.5.0`; not newer than `supportedParserVersion`.
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

  /// What is known of the inputs of the model's first subgraph, by position.
  package var inputs: [TensorMetadata] { subgraphs.first?.inputs ?? [] }
  /// What is known of the outputs of the model's first subgraph, by position.
  package var outputs: [TensorMetadata] { subgraphs.first?.outputs ?? [] }

  /// Returns the bytes of a custom metadata entry of the first subgraph, or `nil` if there is none of this name.
  package func customMetadata(_ name: String) -> ByteRegion? {
    subgraphs.first?.customMetadata.first { $0.name == name }?.data
  }
}

package struct SubgraphMetadata: Sendable {
  package var name: String?
  package var description: String?
  /// One per subgraph input, by position; may be shorter or longer.
  package var inputs: [TensorMetadata]
  /// One per subgraph output, by position; may be longer where post-processing is part of the model.
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

/// Tensors that belong together, such as boxes, classes and scores of one head.
package struct TensorGroup: Sendable, Hashable {
  package var name: String?
  package var tensorNames: [String]

  package init(name: String? = nil, tensorNames: [String] = []) {
    self.name = name
    self.tensorNames = tensorNames
  }
}

/// A named blob in a format of its own, such as a detector's anchors.
package struct CustomMetadata: Sendable {
  package var name: String
  package var data: ByteRegion

  package init(name: String, data: ByteRegion) {
    self.name = name
    self.data = data
  }
}

/// A file that belongs to the model, usually in the archive appended to it.
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
  /// The language of its texts, such as `en`; empty if it does not say.
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

/// A step between the application's values and the tensor's.
package enum ProcessUnit: Sendable, Hashable {
  case normalization(Normalization)
  case scoreCalibration(ScoreCalibration)
  /// Scores below the threshold do not count.
  case scoreThresholding(threshold: Float)
  /// A text is cut into word pieces.
  case wordPieceTokenizer(vocabulary: [AssociatedFile])
  /// A text is cut by a SentencePiece model.
  case sentencePieceTokenizer
  /// A text is cut wherever a pattern matches.
  case patternTokenizer(PatternTokenizer)
  /// Something newer, by its tag in the schema.
  case other(tag: Int)
}

/// How a text becomes words, and words become numbers.
package struct PatternTokenizer: Sendable, Hashable {
  /// A regular expression, in the syntax of RE2, for what separates words; `nil` if the metadata names none.
  package var delimiter: String?
  package var vocabulary: [AssociatedFile]

  package init(delimiter: String?, vocabulary: [AssociatedFile] = []) {
    self.delimiter = delimiter
    self.vocabulary = vocabulary
  }
}

/// `(x - mean) / deviation`, per channel, or with the first entry for all channels.
package struct Normalization: Sendable, Hashable {
  package var mean: [Float]
  package var deviation: [Float]

  package init(mean: [Float] = [], deviation: [Float] = []) {
    self.mean = mean
    self.deviation = deviation
  }
}

/// How a score becomes a probability; the parameters per class are in an associated file.
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
