/// A step between the application's values and the tensor's.
package enum ProcessUnit: Sendable, Hashable {
  case normalization(Normalization)
  case scoreCalibration(ScoreCalibration)
  /// Scores below the threshold do not count.
  case scoreThresholding(threshold: Float)
  /// A tokenizer or something newer, by its tag in the schema.
  case other(tag: Int)
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
