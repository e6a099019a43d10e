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
  /// A regular expression, in the syntax of RE2, for what separates words; `nil` when the metadata names none.
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
