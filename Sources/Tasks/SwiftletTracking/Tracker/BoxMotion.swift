/// Where a box is and how it moves: one filter each for its center, its aspect ratio and its height.
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

  /// Creates a box at rest.
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

/// A Kalman filter of one coordinate that moves with a constant velocity.
///
/// Where neither the noise nor the measurement ties coordinates together, the covariance of several of them stays in
/// blocks of two by two, and filters of one coordinate each give what one filter of all of them gives.
///
/// - Source: R. E. Kalman, "A New Approach to Linear Filtering and Prediction Problems" (1960).
struct MotionFilter: Sendable, Hashable {
  var position: Double
  /// Per second.
  var velocity: Double
  private(set) var positionVariance: Double
  private(set) var covariance: Double
  private(set) var velocityVariance: Double

  /// Creates a coordinate at rest.
  init(position: Double, positionVariance: Double, velocityVariance: Double) {
    self.position = position
    velocity = 0
    self.positionVariance = positionVariance
    covariance = 0
    self.velocityVariance = velocityVariance
  }

  var isFinite: Bool {
    position.isFinite && velocity.isFinite && positionVariance.isFinite && covariance.isFinite
      && velocityVariance.isFinite
  }

  /// Moves the state on in time: the position by `reach` times the velocity, the velocity to `kept` of itself.
  ///
  /// At constant velocity `reach` is the time and `kept` is 1.
  mutating func predict(reach: Double, kept: Double, positionNoise: Double, velocityNoise: Double) {
    position += reach * velocity
    velocity *= kept
    positionVariance += reach * (2 * covariance + reach * velocityVariance) + positionNoise
    covariance = kept * (covariance + reach * velocityVariance)
    velocityVariance = kept * kept * velocityVariance + velocityNoise
  }

  /// Updates the state with a measured position.
  ///
  /// - Returns: false, with the state left as it was, when the variances do not allow it.
  mutating func update(measured: Double, variance: Double) -> Bool {
    let total = positionVariance + variance
    guard total > 0, total.isFinite else { return false }
    let positionGain = positionVariance / total
    let velocityGain = covariance / total
    let surprise = measured - position
    position += positionGain * surprise
    velocity += velocityGain * surprise
    velocityVariance -= velocityGain * covariance
    covariance *= variance / total
    positionVariance *= variance / total
    return true
  }
}

/// `e` to the power of minus `exponent`, with the same bits on every platform, as the C library's function need not
/// have.
///
/// The exponent is cut into whole powers of two, which scale exactly, and a rest of at most half of ln 2, for which a
/// Taylor series of 14 terms is as good as the type: the relative error is below 1e-15.
///
/// - Parameter exponent: not negative. More than 700, and what is not a number, gives 0.
func decayFactor(_ exponent: Double) -> Double {
  guard exponent > 0 else { return exponent.isNaN ? 0 : 1 }
  guard exponent <= 700 else { return 0 }
  // ln 2 in two parts, the first with so few digits that its products with small whole numbers are exact.
  let (upper, lower) = (0x1.62e42fefa3800p-1, 0x1.ef35793c76730p-45)
  let halvings = (exponent / (upper + lower)).rounded()
  let rest = halvings * upper - exponent + halvings * lower
  var sum = 1.0
  var term = 14.0
  while term > 0 {
    sum = 1 + sum * rest / term
    term -= 1
  }
  return Double(sign: .plus, exponent: -Int(halvings), significand: sum)
}

extension Duration {
  /// The same in seconds, as filters and rates need it.
  var inSeconds: Double { self / .seconds(1) }

  /// The seconds from an earlier time to this one. Any two times have such a difference, which as a `Duration` could be
  /// too large.
  func seconds(since earlier: Duration) -> Double { inSeconds - earlier.inSeconds }
}

extension Double {
  /// Compares a number of seconds as cameras count them: the difference of two timestamps that should be a tenth of a
  /// second is a little more or a little less. The comparison with a limit of a tenth must have the same result for all
  /// of them.
  func isLonger(than limit: Duration) -> Bool { self > limit.inSeconds + 1e-6 }
}
