import SwiftletTestSupport
import Testing

@testable import SwiftletTracking

/// Checks parts of the tracker separately, at their limits.
@Suite("Parts of the tracker")
struct TrackerPartTests {
  private func candidate(
    _ x: Double = 0, _ y: Double = 0, _ width: Double = 10, _ height: Double = 10, score: Double = 0.5, index: Int = 0
  ) -> Candidate {
    Candidate(box: PixelRect(x: x, y: y, width: width, height: height), score: score, index: index)
  }

  // MARK: Candidates

  @Test("candidates are ordered by score, then by left, top, width, height, and index")
  func order() {
    let ordered = [
      candidate(9, 9, 9, 9, score: 0.9, index: 9), candidate(1, 9, 9, 9, index: 9), candidate(2, 1, 9, 9, index: 9),
      candidate(2, 2, 1, 9, index: 9), candidate(2, 2, 2, 1, index: 9), candidate(2, 2, 2, 2, index: 1),
      candidate(2, 2, 2, 2, index: 2),
    ]
    for (first, one) in ordered.enumerated() {
      for (second, other) in ordered.enumerated() {
        #expect(one.precedes(other) == (first < second), "\(first) \(second)")
      }
    }
    var candidates = Candidates(limit: 10)
    candidates.collect(
      ordered.reversed().map { BoxDetection(box: $0.box, score: $0.score) }, lowThreshold: 0, frameWidth: 20,
      frameHeight: 20)
    #expect(candidates.list.map(\.box) == ordered.map(\.box))
    // The two candidates that only differ in their index keep their order.
    #expect(candidates.list.map(\.index) == [6, 5, 4, 3, 2, 0, 1])
  }

  @Test("the best candidates are kept if there are more than the limit")
  func limit() {
    var candidates = Candidates(limit: 3)
    let scores = [0.2, 0.5, 0.1, 0.9, 0.4, 0.5]
    candidates.collect(
      scores.map { BoxDetection(box: PixelRect(x: 0, y: 0, width: 1, height: 1), score: $0) }, lowThreshold: 0,
      frameWidth: 20, frameHeight: 20)
    #expect(candidates.list.map(\.index) == [3, 1, 5])
    candidates.take(1)
    #expect(candidates.list.map(\.isTaken) == [false, true, false])
    candidates.collect([], lowThreshold: 0, frameWidth: 20, frameHeight: 20)
    #expect(candidates.list.isEmpty)
  }

  @Test("a score at the threshold passes, a score above 1 becomes 1, and a box must overlap the frame")
  func collected() {
    func collected(_ box: PixelRect, score: Double = 0.5) -> Candidate? {
      var candidates = Candidates(limit: 3)
      candidates.collect(
        [BoxDetection(box: box, score: score)], lowThreshold: 0.25, frameWidth: 20, frameHeight: 10)
      return candidates.list.first
    }
    let box = PixelRect(x: 1, y: 1, width: 5, height: 5)
    #expect(collected(box, score: 0.25)?.score == 0.25 && collected(box, score: 0.25.nextDown) == nil)
    #expect(collected(box, score: 7)?.score == 1 && collected(box, score: .nan) == nil)
    for (x, y) in [(-5.0, 0.0), (20, 0), (0, -5), (0, 10)] {
      #expect(collected(PixelRect(x: x, y: y, width: 5, height: 5)) == nil, "\(x) \(y)")
    }
    #expect(collected(PixelRect(x: 19, y: 9, width: 5, height: 5)) != nil)
    #expect(collected(PixelRect(x: 1, y: 1, width: 0, height: 5)) == nil)
  }

  @Test(
    "boxes are clipped at one frame size beyond the frame, for each side",
    arguments: [
      (-20, -10, 60, 30, -20, -10, 60, 30), (-21, 0, 40, 5, -20, 0, 39, 5), (0, -11, 5, 20, 0, -10, 5, 19),
      (0, 0, 41, 5, 0, 0, 40, 5), (0, 0, 5, 21, 0, 0, 5, 20), (0, 0, 40, 20, 0, 0, 40, 20),
      (-30, -30, 90, 90, -20, -10, 60, 30),
    ] as [(Double, Double, Double, Double, Double, Double, Double, Double)])
  func cut(x: Double, y: Double, width: Double, height: Double, left: Double, top: Double, across: Double, down: Double)
  {
    var candidates = Candidates(limit: 3)
    candidates.collect(
      [BoxDetection(box: PixelRect(x: x, y: y, width: width, height: height), score: 1)], lowThreshold: 0,
      frameWidth: 20, frameHeight: 10)
    #expect(candidates.list.map(\.box) == [PixelRect(x: left, y: top, width: across, height: down)])
  }

  // MARK: Tracks

  @Test("a track leaves if it moves out of the frame by a tenth of its size per second, for each side")
  func leaving() {
    // Boxes of 20 × 10 pixels in a frame of 200 × 100.
    func isLeaving(_ x: Double, _ y: Double, _ dx: Double, _ dy: Double, width: Double = 200, height: Double = 100)
      -> Bool
    {
      var track = TrackedBox(candidate(x, y, 20, 10), at: .zero)
      (track.motion.centerX.velocity, track.motion.centerY.velocity) = (dx, dy)
      return track.isLeaving(frameWidth: width, frameHeight: height)
    }
    // Within a fiftieth of its size from the edge.
    #expect(isLeaving(0.39, 50, -2.1, 0) && !isLeaving(0.41, 50, -2.1, 0) && !isLeaving(0.39, 50, -1.9, 0))
    #expect(isLeaving(179.61, 50, 2.1, 0) && !isLeaving(179.59, 50, 2.1, 0) && !isLeaving(179.61, 50, 1.9, 0))
    #expect(isLeaving(90, 0.19, 0, -1.1) && !isLeaving(90, 0.21, 0, -1.1) && !isLeaving(90, 0.19, 0, -0.9))
    #expect(isLeaving(90, 89.81, 0, 1.1) && !isLeaving(90, 89.79, 0, 1.1) && !isLeaving(90, 89.81, 0, 0.9))
    // Entering the image, or moving along the edge.
    #expect(
      !isLeaving(0, 50, 5, 0) && !isLeaving(180, 50, -5, 0) && !isLeaving(90, 0, 0, 5) && !isLeaving(90, 90, 0, -5))
    // In a portrait frame.
    #expect(
      isLeaving(79.7, 150, 2.1, 0, width: 100, height: 200) && !isLeaving(79.7, 89.9, 0, 1.1, width: 100, height: 200))
    #expect(isLeaving(50, 189.9, 0, 1.1, width: 100, height: 200))
  }

  @Test("a new track equals its detection, and a prediction clears the match")
  func newTrack() {
    var seen = candidate(1, 2, 20, 10, score: 0.75, index: 4)
    seen.appearance = Appearance(pixels: [1, 2, 3])
    var track = TrackedBox(seen, at: .seconds(3))
    #expect(track.phase == .tentative && track.id == -1 && track.score == 0.75 && track.standing == 0.75)
    #expect(track.firstSeen == .seconds(3) && track.lastSeen == .seconds(3) && track.detectionIndex == 4)
    #expect(track.sightings == 1 && track.hitsInARow == 1 && track.missesInARow == 0 && !track.hasSlot)
    #expect(track.match == -1 && track.appearance == seen.appearance && track.expected == seen.box)
    track.match = 3
    track.predict(seconds: 0, decay: 1)
    #expect(track.match == -1 && track.detectionIndex == nil)
    track.miss()
    #expect(track.hitsInARow == 0 && track.missesInARow == 1)
    track.miss()
    #expect(track.missesInARow == 2)
    track.update(candidate(1, 2, 20, 10, score: 0.25, index: 7), at: .milliseconds(3500), isWeak: false)
    #expect(track.hitsInARow == 1 && track.missesInARow == 0 && track.sightings == 2 && track.detectionIndex == 7)
    #expect(track.lastSeen == .milliseconds(3500) && track.firstSeen == .seconds(3) && track.score == 0.25)
    // The standing has a time constant of half a second: 0.25 + 0.5 / e.
    #expect(abs(track.standing - (0.25 + 0.5 * 0.367_879_441)) < 1e-9)
    // A detection without colors keeps the old ones.
    #expect(track.appearance == seen.appearance)
  }

  @Test("a reported box has at least a quarter of the predicted size")
  func expectation() {
    var track = TrackedBox(candidate(0, 0, 40, 40), at: .zero)
    track.phase = .tracked
    let (box, velocity) = track.expectation(after: 0, decay: .infinity)
    #expect(box == PixelRect(x: 0, y: 0, width: 40, height: 40) && velocity == .init(x: 0, y: 0))
    track.motion.centerX.velocity = 30
    track.motion.centerY.velocity = -10
    let later = track.expectation(after: 0.5, decay: .infinity)
    #expect(abs(later.box.center.x - 35) < 1e-9 && abs(later.box.center.y - 15) < 1e-9)
    #expect(later.velocity == .init(x: 30, y: -10))
    // A lost track slows down: 30 · 0.5 · (1 - 1/e) of the distance.
    track.phase = .lost
    let slowed = track.expectation(after: 0.5, decay: 0.5)
    #expect(
      abs(slowed.box.center.x - (20 + 15 * 0.632_120_559)) < 1e-6 && abs(slowed.velocity.x - 30 * 0.367_879_441) < 1e-6)
    track.update(candidate(0, 0, 1, 1), at: .zero, isWeak: false)
    let small = track.expectation(after: 0, decay: .infinity).box
    let filtered = track.motion.box
    #expect(small.width == max(filtered.width + 0.7 * (1 - filtered.width), filtered.width / 4))
    #expect(small.height == max(filtered.height + 0.7 * (1 - filtered.height), filtered.height / 4))
  }

  @Test("tracks differ beyond the tolerance, if both have colors under the same lighting")
  func unlike() {
    func track(_ pixels: [UInt8]?, light: Int = 0) -> TrackedBox {
      var seen = candidate()
      seen.appearance = pixels.map { Appearance(pixels: $0, light: light) }
      return TrackedBox(seen, at: .zero)
    }
    let (red, both) = (track([255, 0, 0]), track([255, 0, 0, 0, 255, 0]))
    #expect(
      red.isUnlike(both, tolerance: 0.49) && !red.isUnlike(both, tolerance: 0.51) && both.isUnlike(red, tolerance: 0.49)
    )
    #expect(!red.isUnlike(track(nil), tolerance: 0) && !track(nil).isUnlike(red, tolerance: 0))
    #expect(!red.isUnlike(track([0, 255, 0], light: 1), tolerance: 0))
    #expect(track([0, 255, 0]).isUnlike(red, tolerance: 0.999) && !track([0, 255, 0]).isUnlike(red, tolerance: 1))
  }

  // MARK: Filters

  @Test("a measurement updates position and velocity by their shares of the variance")
  func filter() {
    var filter = MotionFilter(position: 10, positionVariance: 4, velocityVariance: 9)
    #expect(filter.velocity == 0 && filter.covariance == 0)
    filter.predict(reach: 2, kept: 0.5, positionNoise: 1, velocityNoise: 3)
    // 4 + 2 · 2 · 9 + 1, 0.5 · 2 · 9, 0.25 · 9 + 3.
    #expect(filter.position == 10 && filter.positionVariance == 41 && filter.covariance == 9)
    #expect(filter.velocityVariance == 5.25 && filter.velocity == 0)
    let isUsed = filter.update(measured: 20, variance: 59)
    #expect(isUsed)
    #expect(abs(filter.position - 14.1) < 1e-12 && abs(filter.velocity - 0.9) < 1e-12)
    #expect(abs(filter.positionVariance - 24.19) < 1e-12 && abs(filter.covariance - 5.31) < 1e-12)
    #expect(abs(filter.velocityVariance - 4.44) < 1e-12)
    filter.predict(reach: 1, kept: 0.5, positionNoise: 0, velocityNoise: 0)
    #expect(abs(filter.position - 15) < 1e-12 && abs(filter.velocity - 0.45) < 1e-12)
    #expect(abs(filter.positionVariance - (24.19 + 2 * 5.31 + 4.44)) < 1e-12)
    #expect(abs(filter.covariance - 0.5 * (5.31 + 4.44)) < 1e-12)
  }

  @Test("invalid variances are rejected")
  func variances() {
    func update(_ position: Double, _ variance: Double) -> Bool {
      var filter = MotionFilter(position: 0, positionVariance: position, velocityVariance: 0)
      return filter.update(measured: 1, variance: variance)
    }
    #expect(update(1, 1) && update(0, 1) && update(1, 0))
    #expect(!update(0, 0) && !update(-1, 0) && !update(.infinity, 1) && !update(.nan, 1) && !update(1, .infinity))
    var filter = MotionFilter(position: 0, positionVariance: 1, velocityVariance: 1)
    #expect(filter.isFinite)
    filter.position = .nan
    #expect(!filter.isFinite)
    filter = MotionFilter(position: 0, positionVariance: .infinity, velocityVariance: 1)
    #expect(!filter.isFinite)
    filter = MotionFilter(position: 0, positionVariance: 1, velocityVariance: .infinity)
    #expect(!filter.isFinite)
    filter = MotionFilter(position: 0, positionVariance: 1, velocityVariance: 1)
    filter.velocity = .infinity
    #expect(!filter.isFinite)
  }

  @Test("a box's motion is finite if all of its filters are")
  func finite() {
    let box = PixelRect(x: 1, y: 2, width: 3, height: 4)
    #expect(BoxMotion(box).isFinite)
    for path in [\BoxMotion.centerX, \.centerY, \.aspect, \.height] {
      var motion = BoxMotion(box)
      motion[keyPath: path].velocity = .nan
      #expect(!motion.isFinite)
    }
    #expect(BoxMotion.minHeight == 2 && BoxMotion.aspects == 0.05...20)
    // Dimensions of low and narrow boxes are clamped to valid values.
    #expect(BoxMotion(PixelRect(x: 0, y: 0, width: 10, height: 1)).box.height == 2)
    #expect(abs(BoxMotion(PixelRect(x: 0, y: 0, width: 1, height: 100)).box.width - 5) < 1e-12)
    #expect(abs(BoxMotion(PixelRect(x: 0, y: 0, width: 1000, height: 10)).box.width - 200) < 1e-12)
  }

  @Test(
    "decay has an upper and a lower bound",
    arguments: [(0, 1), (-1, 1), (.nan, 0), (701, 0), (.infinity, 0), (-.infinity, 1)] as [(Double, Double)])
  func decayEnds(exponent: Double, expected: Double) { #expect(decayFactor(exponent) == expected) }

  @Test("decay supports exponents up to 700")
  func decay() {
    #expect(decayFactor(700) > 0 && decayFactor(700) < 1e-303 && decayFactor(700.0.nextUp) == 0)
    #expect(
      abs(decayFactor(1) - 0.367_879_441_171_442_3) < 1e-16 && abs(decayFactor(10) - 4.539_992_976_248_485e-5) < 1e-19)
  }

  @Test("timestamps within a microsecond are equal")
  func times() {
    #expect(Duration.milliseconds(1500).inSeconds == 1.5 && Duration.seconds(-2).inSeconds == -2)
    #expect(Duration.seconds(5).seconds(since: .milliseconds(1500)) == 3.5)
    #expect(!2.0.isLonger(than: .seconds(2)) && !2.000_000_9.isLonger(than: .seconds(2)))
    #expect(2.000_001_1.isLonger(than: .seconds(2)) && !1.9.isLonger(than: .seconds(2)))
  }

  // MARK: Tracker

  @Test(
    "a frame has sides of 1...1,000,000 pixels",
    arguments: [
      (1, 1, true), (1e6, 1e6, true), (0.999, 1, false), (1, 0.999, false), (1e6 + 1, 1, false), (1, 1e6 + 1, false),
    ]
      as [(Double, Double, Bool)])
  func frames(width: Double, height: Double, isFine: Bool) throws {
    #expect(BoxTracker.maxFrameSide == 1_000_000)
    let error: TaskError? = thrownError { try BoxTracker(frameWidth: width, frameHeight: height) }
    #expect((error == nil) == isFine && (error == nil || error?.code == .invalidArgument))
    #expect(
      error == nil
        || error?.message
          == "the frame is \(width) × \(height) pixels; both sides must be numbers in 1…1000000.0; give the upright frame's size"
    )
  }

  @Test("another frame size is clamped to the valid range")
  func resized() throws {
    var tracker = try BoxTracker(frameWidth: 200, frameHeight: 100)
    #expect(tracker.frameWidth == 200 && tracker.frameHeight == 100 && tracker.options == TrackingOptions())
    tracker.resize(frameWidth: 30, frameHeight: 40)
    #expect(tracker.frameWidth == 30 && tracker.frameHeight == 40)
    for (side, held) in [(1, 1), (0.5, 1), (-3, 1), (.nan, 1), (1e6, 1e6), (2e6, 1e6), (.infinity, 1e6)]
      as [(Double, Double)]
    {
      tracker.resize(frameWidth: side, frameHeight: 40)
      #expect(tracker.frameWidth == held && tracker.frameHeight == 40)
      tracker.resize(frameWidth: 40, frameHeight: side)
      #expect(tracker.frameWidth == 40 && tracker.frameHeight == held)
    }
  }

  static let edges:
    [(name: String, path: WritableKeyPath<TrackingOptions, Double> & Sendable, range: ClosedRange<Double>)] = [
      ("highThreshold", \.highThreshold, 0.1...1), ("lowThreshold", \.lowThreshold, 0...0.45),
      ("newTrackThreshold", \.newTrackThreshold, 0...1), ("duplicateIoU", \.duplicateIoU, 0...1),
      ("appearanceTolerance", \.appearanceTolerance, 0...1),
    ]

  @Test("options are valid up to their limits", arguments: 0..<5)
  func numbers(index: Int) {
    let (name, path, range) = Self.edges[index]
    for (value, isFine) in [
      (range.lowerBound, true), (range.upperBound, true), (range.lowerBound - 1e-9, false),
      (range.upperBound + 1e-9, false),
    ] {
      var options = TrackingOptions()
      options[keyPath: path] = value
      let error: TaskError? = thrownError { try options.validate() }
      #expect((error == nil) == isFine, "\(name) \(value)")
    }
  }

  @Test("counts and times are valid up to their limits")
  func counts() {
    func error(_ change: (inout TrackingOptions) -> Void) -> String? {
      var options = TrackingOptions()
      change(&options)
      return (thrownError { try options.validate() } as TaskError?)?.message
    }
    for path in [\TrackingOptions.minHits, \.tentativeMisses, \.maxTracks] {
      #expect(error { $0[keyPath: path] = 1000 } == nil && error { $0[keyPath: path] = 1001 } != nil)
      let least = error {
        $0.maxReportedTracks = 1
        $0[keyPath: path] = 1
      }
      #expect(least == nil && error { $0[keyPath: path] = 0 } != nil)
    }
    #expect(error { $0.maxReportedTracks = 20 } == nil && error { $0.maxReportedTracks = 1 } == nil)
    #expect(
      error { $0.maxReportedTracks = 21 }
        == "TrackingOptions.maxReportedTracks is 21; expected 1…20, the value of maxTracks; set a value in that range")
    #expect(
      error { $0.maxLost = .seconds(3600) } == nil && error { $0.maxLost = .seconds(3600) + .nanoseconds(1) } != nil)
    #expect(
      error { ($0.maxLost, $0.maxCoast) = (.zero, .zero) } == nil && error { $0.maxLost = .nanoseconds(-1) } != nil)
    #expect(error { $0.maxCoast = .seconds(1) } == nil && error { $0.maxCoast = .seconds(1) + .nanoseconds(1) } != nil)
    for path in [\TrackingOptions.resetGap] {
      #expect(error { $0[keyPath: path] = .seconds(3600) } == nil && error { $0[keyPath: path] = .zero } != nil)
      #expect(error { $0[keyPath: path] = .nanoseconds(1) } == nil)
      #expect(error { $0[keyPath: path] = .seconds(3601) } != nil)
    }
    #expect(error { $0.velocityDecay = nil } == nil && error { $0.velocityDecay = .seconds(3600) } == nil)
    #expect(error { $0.velocityDecay = .zero } != nil && error { $0.velocityDecay = .seconds(3601) } != nil)
    var options = TrackingOptions()
    #expect(options.decaySeconds == 0.5)
    options.velocityDecay = nil
    #expect(options.decaySeconds == .infinity)
  }

  @Test("tracks keep their values")
  func fields() {
    let box = PixelRect(x: 1, y: 2, width: 3, height: 4)
    let track = Track(
      id: 5, box: box, velocity: .init(x: 6, y: 7), score: 0.5, state: .coasting, detectionIndex: 8,
      firstSeen: .seconds(9), lastSeen: .seconds(10))
    #expect(track.id == 5 && track.box == box && track.velocity.x == 6 && track.velocity.y == 7 && track.score == 0.5)
    #expect(track.state == .coasting && track.detectionIndex == 8)
    #expect(track.firstSeen == .seconds(9) && track.lastSeen == .seconds(10))
    let detection = BoxDetection(box: box, score: 0.25)
    #expect(detection.box == box && detection.score == 0.25 && detection.appearance == nil)
  }
}
