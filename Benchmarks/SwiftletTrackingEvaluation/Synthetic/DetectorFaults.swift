/// How a synthetic detector differs from one that sees everything as it is.
struct DetectorFaults: Sendable {
  /// The standard deviation of each edge, as a share of the box's width or height.
  var noise = 0.01
  /// Its uniform error in pixels, on top.
  var jitter = 0.0
  var scores = 0.6...0.95
  /// How likely an object is missed in a frame.
  var missRate = 0.0
  /// How many boxes there are in a frame, on average, where there is nothing; 0…1.
  var falseRate = 0.0
  var falseScores = 0.3...0.8
  /// Whether each object is found twice.
  var doubles = false
  /// Of each period, in frames, how many the score is low.
  var dips: (frames: Int, period: Int, score: Double)?
  /// The share of its area from which an object that is hidden by others is not found.
  var hiddenShare = 0.6
}
