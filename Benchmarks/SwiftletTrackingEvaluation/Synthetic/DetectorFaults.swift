/// The faults of a synthetic detector.
struct DetectorFaults: Sendable {
  /// The standard deviation of each edge, relative to the box's width or height.
  var noise = 0.01
  /// The additional uniform error of each edge in pixels.
  var jitter = 0.0
  var scores = 0.6...0.95
  /// The probability that an object is missed in a frame.
  var missRate = 0.0
  /// The average number of false boxes per frame, 0…1.
  var falseRate = 0.0
  var falseScores = 0.3...0.8
  /// Whether each object is detected twice.
  var doubles = false
  /// The number of frames in each period with a low score.
  var dips: (frames: Int, period: Int, score: Double)?
  /// The share of an object's area from which it isn't detected if other objects hide it.
  var hiddenShare = 0.6
}
