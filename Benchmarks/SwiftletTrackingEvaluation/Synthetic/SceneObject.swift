import SwiftletTracking

/// An object of a synthetic scene: its position at any time.
struct SceneObject: Sendable {
  /// The identity in the ground truth. If an object returns after such a long absence that a tracker should treat it as
  /// another one, it has a new identity here too.
  var identity: Int
  /// The complete box, including parts outside the image; `nil` while the object is absent.
  var place: @Sendable (Double) -> PixelRect?
  /// The times at which the detector doesn't see it, in seconds.
  var hidden: [Range<Double>] = []
  /// Whether it is behind the following objects, so that they hide it.
  var isBehind = false
  /// Whether it is part of the ground truth. Other objects must not be reported.
  var isEvaluated = true

  /// Returns an object that moves uniformly from one center to another between two times, and rests before and after.
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

  /// Returns an object that oscillates on a line, fastest in the middle.
  static func swinging(
    _ identity: Int, around center: (x: Double, y: Double), by reach: (x: Double, y: Double),
    size: (width: Double, height: Double),
    period: Double, phase: Double
  ) -> SceneObject {
    SceneObject(identity: identity) { time in
      let turns = time / period + phase
      let share = turns - turns.rounded(.down)
      // A parabola for each half period: it approximates a sine and has the same bits on every platform.
      let half = share < 0.5 ? share : share - 0.5
      let wave = (share < 0.5 ? 1 : -1) * 16 * half * (0.5 - half)
      return PixelRect(
        centerX: center.x + wave * reach.x, centerY: center.y + wave * reach.y, width: size.width, height: size.height)
    }
  }
}
