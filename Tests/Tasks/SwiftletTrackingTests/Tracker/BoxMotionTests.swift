import SwiftletTestSupport
import Testing

@testable import SwiftletTracking

@Suite("Box motion")
struct BoxMotionTests {
  private static func filters(_ motion: BoxMotion) -> [MotionFilter] {
    [motion.centerX, motion.centerY, motion.aspect, motion.height]
  }

  @Test("equals the eight-dimensional filter to 1e-9 for any frame interval", arguments: 0..<20)
  func equalsDenseFilter(seed: UInt64) {
    var generator = SplitMix64(state: seed)
    var box = PixelRect(centerX: 300, centerY: 200, width: 80, height: 120)
    var motion = BoxMotion(box)
    var dense = DenseKalmanFilter(centerX: 300, centerY: 200, aspect: 80.0 / 120, height: 120)
    for _ in 0..<200 {
      let seconds = Double.random(in: 0.001...0.3, using: &generator)
      motion.predict(seconds: seconds, decay: nil)
      dense.predict(seconds: seconds)
      expectEqual(motion, dense)
      guard Double.random(in: 0...1, using: &generator) < 0.8 else { continue }
      box.x += .random(in: -20...20, using: &generator)
      box.y += .random(in: -20...20, using: &generator)
      box.height = min(max(box.height * .random(in: 0.9...1.1, using: &generator), 50), 300)
      box.width = box.height * .random(in: 0.5...0.8, using: &generator)
      let score = Bool.random(using: &generator) ? Double.random(in: 0.1...0.45, using: &generator) : nil
      motion.update(box, weakness: score.map { 2 - $0 } ?? 1)
      dense.update([box.center.x, box.center.y, box.width / box.height, box.height], score: score)
      expectEqual(motion, dense)
    }
  }

  private func expectEqual(_ motion: BoxMotion, _ dense: DenseKalmanFilter) {
    for (index, filter) in Self.filters(motion).enumerated() {
      let pairs = [
        (filter.position, dense.state[index]), (filter.velocity, dense.state[index + 4]),
        (filter.positionVariance, dense.covariance[index][index]),
        (filter.covariance, dense.covariance[index][index + 4]),
        (filter.velocityVariance, dense.covariance[index + 4][index + 4]),
      ]
      for (ours, reference) in pairs { #expect(abs(ours - reference) <= 1e-9 * max(1, abs(reference))) }
      // Coordinates stay independent of each other.
      for other in 0..<8 where other % 4 != index { #expect(dense.covariance[index][other] == 0) }
    }
  }

  @Test(
    "estimates the constant velocity of a box in pixels per second at any frame rate",
    arguments: [5.0, 30, 120])
  func findsSpeed(rate: Double) {
    var motion = BoxMotion(PixelRect(x: 0, y: 0, width: 50, height: 50))
    for frame in 1...Int(4 * rate) {
      motion.predict(seconds: 1 / rate, decay: nil)
      let x = 90 * Double(frame) / rate
      motion.update(PixelRect(x: x, y: 0, width: 50, height: 50), weakness: 1)
    }
    #expect(abs(motion.centerX.velocity - 90) < 0.5)
    #expect(abs(motion.centerY.velocity) < 1e-9)
  }

  @Test("decelerates without detections, equally in one step and in many")
  func decays() {
    var motion = BoxMotion(PixelRect(x: 0, y: 0, width: 50, height: 50))
    motion.centerX.velocity = 100
    motion.height.velocity = 40
    var single = motion
    single.predict(seconds: 1, decay: 0.5)
    for _ in 0..<10 { motion.predict(seconds: 0.1, decay: 0.5) }
    for result in [motion, single] {
      // A fraction e^-2 of the speed is left; the distance is its integral.
      #expect(abs(result.centerX.velocity - 13.533528323661270) < 1e-9)
      #expect(abs(result.centerX.position - (25 + 43.233235838169365)) < 1e-9)
      #expect(result.height.velocity == 0)
      #expect(result.height.position == 50)
    }
  }

  @Test("is limited by the minimum height and the aspect-ratio bounds, in predictions and updates")
  func holdsInRange() {
    let box = PixelRect(centerX: 0, centerY: 0, width: 50, height: 50)
    var (falling, narrow, wide) = (BoxMotion(box), BoxMotion(box), BoxMotion(box))
    falling.height.velocity = -1000
    narrow.aspect.velocity = -1000
    wide.aspect.velocity = 1000
    for seconds in [1.0, 0.01] {
      falling.predict(seconds: seconds, decay: nil)
      narrow.predict(seconds: seconds, decay: nil)
      wide.predict(seconds: seconds, decay: nil)
      #expect(falling.height.position == BoxMotion.minHeight && falling.height.velocity == 0)
      #expect(narrow.aspect.position == BoxMotion.aspects.lowerBound && narrow.aspect.velocity == 0)
      #expect(wide.aspect.position == BoxMotion.aspects.upperBound && wide.aspect.velocity == 0)
    }
    var flat = BoxMotion(box)
    (flat.height.position, flat.height.velocity) = (1, -3)
    (flat.aspect.position, flat.aspect.velocity) = (30, 3)
    flat.update(PixelRect(centerX: 0, centerY: 0, width: 60, height: 1), weakness: 1)
    #expect(flat.height.position == BoxMotion.minHeight && flat.height.velocity == 0)
    #expect(flat.aspect.position == BoxMotion.aspects.upperBound && flat.aspect.velocity == 0)
    // At exactly the limit, the speed is kept.
    var atEnd = BoxMotion(box)
    (atEnd.aspect.position, atEnd.aspect.velocity) = (BoxMotion.aspects.upperBound, 0.25)
    (atEnd.height.position, atEnd.height.velocity) = (BoxMotion.minHeight, 0.25)
    atEnd.predict(seconds: 0, decay: nil)
    #expect(atEnd.aspect.velocity == 0.25 && atEnd.height.velocity == 0.25)
  }

  @Test("keeps its velocity without detections if requested")
  func keepsSpeed() {
    var motion = BoxMotion(PixelRect(x: 0, y: 0, width: 50, height: 50))
    motion.centerX.velocity = 100
    motion.predict(seconds: 1, decay: .infinity)
    #expect(motion.centerX.position == 125)
    #expect(motion.centerX.velocity == 100)
  }

  @Test("clamps height and aspect ratio, and resets the velocity that exceeded the bounds")
  func holdsRange() {
    var shrinking = BoxMotion(PixelRect(x: 0, y: 0, width: 20, height: 20))
    shrinking.height.velocity = -100
    shrinking.aspect.velocity = 100
    shrinking.predict(seconds: 1, decay: nil)
    #expect(shrinking.height.position == 2 && shrinking.height.velocity == 0)
    #expect(shrinking.aspect.position == 20 && shrinking.aspect.velocity == 0)
    #expect(BoxMotion(PixelRect(x: 0, y: 0, width: 0.001, height: 400)).aspect.position == 0.05)
    #expect(BoxMotion(PixelRect(x: 0, y: 0, width: 400, height: 0.001)).box.height == 2)
  }

  @Test("gives a weak detection less weight")
  func weakness() {
    var trusting = BoxMotion(PixelRect(x: 0, y: 0, width: 50, height: 50))
    trusting.predict(seconds: 0.1, decay: nil)
    var doubting = trusting
    trusting.update(PixelRect(x: 10, y: 0, width: 50, height: 50), weakness: 1)
    doubting.update(PixelRect(x: 10, y: 0, width: 50, height: 50), weakness: 1.8)
    #expect(trusting.centerX.position > doubting.centerX.position)
    #expect(doubting.centerX.position > 25)
  }

  @Test("restarts from a measurement if its variances become invalid")
  func recovers() {
    var motion = BoxMotion(PixelRect(x: 0, y: 0, width: 50, height: 50))
    motion.centerX = MotionFilter(position: 25, positionVariance: -1e9, velocityVariance: 1)
    motion.update(PixelRect(x: 100, y: 100, width: 20, height: 40), weakness: 1)
    #expect(motion.isFinite)
    #expect(motion.box == PixelRect(x: 100, y: 100, width: 20, height: 40))
  }

  @Test("has a decay factor that equals the exponential function to the last digits")
  func decayFactorValues() {
    #expect(decayFactor(0) == 1)
    #expect(decayFactor(-3) == 1)
    #expect(decayFactor(.nan) == 0)
    #expect(decayFactor(.infinity) == 0)
    #expect(decayFactor(701) == 0)
    let known = [
      (0.1, 0.9048374180359595), (0.5, 0.6065306597126334), (1, 0.36787944117144233), (2, 0.1353352832366127),
      (10, 4.5399929762484854e-05), (100, 3.720075976020836e-44), (600, 2.6503965530043108e-261),
    ]
    for (exponent, expected) in known {
      #expect(abs(decayFactor(exponent) - expected) <= 4e-16 * 2 * expected, "\(exponent)")
    }
  }
}
