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

  /// A coordinate at rest.
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
