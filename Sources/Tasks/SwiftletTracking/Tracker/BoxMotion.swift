/// Where a box is and how it moves: one filter each for its centre, its aspect ratio and its height.
///
/// Deviations are fractions of the height, so that a box twice as large may move and err twice as far. Constants are
/// those of ByteTrack for 30 frames a second, turned into ones per second.
///
/// - Source: Zhang et al., "ByteTrack: Multi-Object Tracking by Associating Every Detection Box" (2022).
struct BoxMotion: Sendable, Hashable {
  static let minHeight = 2.0
  static let aspects = 0.05...20.0
  /// The time between frames that the deviations are meant for, as frames a second.
  private static let referenceRate = 30.0
  private static let aspectDeviation = 0.01
  private static let aspectVelocityDeviation = 3e-4
  private static let measuredAspectDeviation = 0.1

  var centerX: MotionFilter
  var centerY: MotionFilter
  var aspect: MotionFilter
  var height: MotionFilter

  /// A box at rest.
  init(_ box: PixelRect) {
    let measured = Measurement(box)
    let (position, velocity) = Self.deviations(height: measured.height)
    func filter(_ value: Double) -> MotionFilter {
      MotionFilter(
        position: value, positionVariance: Self.square(2 * position), velocityVariance: Self.square(10 * velocity))
    }
    centerX = filter(measured.centerX)
    centerY = filter(measured.centerY)
    aspect = MotionFilter(
      position: measured.aspect, positionVariance: Self.square(Self.aspectDeviation),
      velocityVariance: Self.square(Self.aspectVelocityDeviation))
    height = filter(measured.height)
  }

  /// The box of the state.
  var box: PixelRect {
    PixelRect(
      centerX: centerX.position, centerY: centerY.position, width: aspect.position * height.position,
      height: height.position)
  }

  var isFinite: Bool { centerX.isFinite && centerY.isFinite && aspect.isFinite && height.isFinite }

  /// Moves the state on in time.
  ///
  /// - Parameters:
  ///   - seconds: not negative.
  ///   - decay: the time constant, in seconds, with which the box comes to rest and keeps its size, as one does that is
  ///     not seen; nil for constant velocities.
  mutating func predict(seconds: Double, decay: Double?) {
    var (reach, kept) = (seconds, 1.0)
    if let decay {
      height.velocity = 0
      aspect.velocity = 0
      if decay.isFinite {
        kept = decayFactor(seconds / decay)
        reach = decay * (1 - kept)
      }
    }
    let (position, velocity) = Self.deviations(height: height.position)
    let frames = max(seconds * Self.referenceRate, 0.1)
    let (positionNoise, velocityNoise) = (Self.square(position) * frames, Self.square(velocity) * frames)
    centerX.predict(reach: reach, kept: kept, positionNoise: positionNoise, velocityNoise: velocityNoise)
    centerY.predict(reach: reach, kept: kept, positionNoise: positionNoise, velocityNoise: velocityNoise)
    aspect.predict(
      reach: seconds, kept: 1, positionNoise: Self.square(Self.aspectDeviation) * frames,
      velocityNoise: Self.square(Self.aspectVelocityDeviation) * frames)
    height.predict(reach: seconds, kept: 1, positionNoise: positionNoise, velocityNoise: velocityNoise)
    holdInRange()
  }

  /// Updates the state with a detection's box.
  ///
  /// - Parameter weakness: by how much its deviations are larger than usual; 1 for a box to be trusted.
  mutating func update(_ box: PixelRect, weakness: Double) {
    let measured = Measurement(box)
    let (position, _) = Self.deviations(height: height.position)
    let variance = Self.square(position * weakness)
    guard
      centerX.update(measured: measured.centerX, variance: variance),
      centerY.update(measured: measured.centerY, variance: variance),
      aspect.update(measured: measured.aspect, variance: Self.square(Self.measuredAspectDeviation * weakness)),
      height.update(measured: measured.height, variance: variance)
    else {
      // The variances have lost their meaning, so that only the measurement can be believed.
      self = BoxMotion(box)
      return
    }
    holdInRange()
  }

  private mutating func holdInRange() {
    if !(height.position >= Self.minHeight) {
      height.position = Self.minHeight
      height.velocity = 0
    }
    if !Self.aspects.contains(aspect.position) {
      aspect.position = aspect.position > Self.aspects.upperBound ? Self.aspects.upperBound : Self.aspects.lowerBound
      aspect.velocity = 0
    }
  }

  private static func deviations(height: Double) -> (position: Double, velocity: Double) {
    (height / 20, height / 160 * referenceRate)
  }

  private static func square(_ value: Double) -> Double { value * value }

  /// A box in the filters' coordinates.
  private struct Measurement {
    var centerX: Double
    var centerY: Double
    var aspect: Double
    var height: Double

    init(_ box: PixelRect) {
      (centerX, centerY) = box.center
      height = max(box.height, BoxMotion.minHeight)
      aspect = min(max(box.width / height, BoxMotion.aspects.lowerBound), BoxMotion.aspects.upperBound)
    }
  }
}
