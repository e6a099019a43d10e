import SwiftletTracking

/// An object of a synthetic scene: where it is at which time.
struct SceneObject: Sendable {
  /// Whose box it is in the truth. An object that has been away for so long that it should be taken for another one is
  /// another one here too.
  var identity: Int
  /// The whole box, also where it reaches out of the image; nil while the object is not there.
  var place: @Sendable (Double) -> PixelRect?
  /// Times at which the detector does not see it, in seconds.
  var hidden: [Range<Double>] = []
  /// Whether it stands behind the objects that come after it, so that they hide it.
  var isBehind = false
  /// Whether the truth has it; what it does not have must not be reported.
  var isEvaluated = true

  /// An object that moves evenly from one center to another between two times, and rests before and after.
  static func moving(
    _ identity: Int, from start: (x: Double, y: Double), to end: (x: Double, y: Double),
    size: (width: Double, height: Double),
    during times: Range<Double>, exists: Range<Double> = 0..<1e9, growth: Double = 1
  ) -> SceneObject {
    SceneObject(identity: identity) { time in
      guard exists.contains(time) else { return nil }
      let share = min(max((time - times.lowerBound) / (times.upperBound - times.lowerBound), 0), 1)
      let scale = 1 + share * (growth - 1)
      return PixelRect(
        centerX: start.x + share * (end.x - start.x), centerY: start.y + share * (end.y - start.y),
        width: size.width * scale,
        height: size.height * scale)
    }
  }

  /// An object that swings back and forth on a line, fastest in its middle.
  static func swinging(
    _ identity: Int, around center: (x: Double, y: Double), by reach: (x: Double, y: Double),
    size: (width: Double, height: Double),
    period: Double, phase: Double
  ) -> SceneObject {
    SceneObject(identity: identity) { time in
      let turns = time / period + phase
      let share = turns - turns.rounded(.down)
      // A parabola for each half period: nearly a sine, and the same bits on every platform.
      let half = share < 0.5 ? share : share - 0.5
      let wave = (share < 0.5 ? 1 : -1) * 16 * half * (0.5 - half)
      return PixelRect(
        centerX: center.x + wave * reach.x, centerY: center.y + wave * reach.y, width: size.width, height: size.height)
    }
  }
}
