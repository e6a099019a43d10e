/// The position and motion of a box, with one filter for each coordinate of its center, its aspect ratio, and its
/// height.
///
/// Deviations are fractions of the height, so that a box twice as large may have twice the motion and error. The
/// constants are ByteTrack's for 30 frames per second, converted to values per second.
///
/// - Source: Zhang et al., "ByteTrack: Multi-Object Tracking by Associating Every Detection Box" (2022).
struct BoxMotion: Sendable, Hashable {
  static let minHeight = 2.0
  static let aspects = 0.05...20.0
  /// The frame rate that the deviations refer to, in frames per second.
  private static let referenceRate = 30.0
  private static let aspectDeviation = 0.01
  private static let aspectVelocityDeviation = 3e-4
  private static let measuredAspectDeviation = 0.1

  var centerX: MotionFilter
  var centerY: MotionFilter
  var aspect: MotionFilter
  var height: MotionFilter

  /// Creates a box without motion.
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

  /// The box that corresponds to the state.
  var box: PixelRect {
    PixelRect(
      centerX: centerX.position, centerY: centerY.position, width: aspect.position * height.position,
      height: height.position)
  }

  var isFinite: Bool { centerX.isFinite && centerY.isFinite && aspect.isFinite && height.isFinite }

  /// Predicts the state at a later time.
  ///
  /// - Parameters:
  ///   - seconds: The elapsed time; not negative.
  ///   - decay: The time constant, in seconds, with which the motion of an unseen box decays, while its size stays the
  ///     same; `nil` for constant velocities.
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
  /// - Parameter weakness: The factor by which the measurement deviations are increased; 1 for a reliable box.
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
      // The variances are not usable, so restart from the measurement.
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

  /// A box in the coordinates of the filters.
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

/// A Kalman filter for one coordinate with constant velocity.
///
/// If neither noise nor measurements correlate the coordinates, their joint covariance consists of 2 × 2 blocks. One
/// filter per coordinate then gives the same result as one filter for all.
///
/// - Source: R. E. Kalman, "A New Approach to Linear Filtering and Prediction Problems" (1960).
struct MotionFilter: Sendable, Hashable {
  var position: Double
  /// The velocity per second.
  var velocity: Double
  private(set) var positionVariance: Double
  private(set) var covariance: Double
  private(set) var velocityVariance: Double

  /// Creates a coordinate without motion.
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

  /// Predicts a later state: adds `reach` times the velocity to the position, and multiplies the velocity by `kept`.
  ///
  /// At constant velocity, `reach` is the elapsed time and `kept` is 1.
  mutating func predict(reach: Double, kept: Double, positionNoise: Double, velocityNoise: Double) {
    position += reach * velocity
    velocity *= kept
    positionVariance += reach * (2 * covariance + reach * velocityVariance) + positionNoise
    covariance = kept * (covariance + reach * velocityVariance)
    velocityVariance = kept * kept * velocityVariance + velocityNoise
  }

  /// Updates the state with a measured position.
  ///
  /// - Returns: `false`, with the state unchanged, if the variances are not usable.
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

/// Returns `e` to the power of minus `exponent`, with the same bits on every platform. The C library's function may
/// differ between platforms.
///
/// The exponent is split into a multiple of ln 2, for which the result is an exact power of two, and a remainder of at
/// most half of ln 2. For the remainder, a Taylor series of 14 terms has a relative error below 1e-15.
///
/// - Parameter exponent: A nonnegative number. Numbers above 700, and NaN, give 0.
func decayFactor(_ exponent: Double) -> Double {
  guard exponent > 0 else { return exponent.isNaN ? 0 : 1 }
  guard exponent <= 700 else { return 0 }
  // ln 2 in two parts. The first has so few digits that its products with small integers are exact.
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
  /// The duration in seconds, for filters and rates.
  var inSeconds: Double { self / .seconds(1) }

  /// Returns the seconds since an earlier time. The difference of any two times can be represented in seconds, whereas
  /// a `Duration` could overflow.
  func seconds(since earlier: Duration) -> Double { inSeconds - earlier.inSeconds }
}

extension Double {
  /// Compares a number of seconds with a limit. Differences of camera timestamps are rounded: a nominal tenth of a
  /// second is slightly more or less. The tolerance makes their comparison with a limit of a tenth consistent.
  func isLonger(than limit: Duration) -> Bool { self > limit.inSeconds + 1e-6 }
}
