import Testing

@testable import SwiftletTracking

@Suite("Association")
struct AssociationTests {
  @Test("a moving object keeps its ID, and its track has the right position and velocity")
  func follows() throws {
    var tracker = try makeTracker()
    let results = tracker.run((0..<60).map { [found(20 + 5 * Double($0), 100)] })
    let ids = Set(results.flatMap { $0.map(\.id) })
    #expect(ids.count == 1)
    #expect(results.allSatisfy { $0.count == 1 && $0[0].state == .confirmed && $0[0].detectionIndex == 0 })
    let last = try #require(results.last?.first)
    #expect(abs(last.box.center.x - (50 + 5 * 59)) < 1)
    #expect(abs(last.velocity.x - 150) < 3 && abs(last.velocity.y) < 0.01)
    #expect(last.firstSeen == .zero && last.lastSeen == .seconds(59.0 / 30) && last.score == 0.9)
  }

  @Test("a strong detection recovers a lost track, and a weak one doesn't")
  func lostTracksNeedStrongDetections() throws {
    for (score, isFound) in [(0.9, true), (0.45, true), (0.44, false), (0.2, false)] {
      var tracker = try makeTracker()
      let before = tracker.run([[found(100, 100)], [found(100, 100)]])
      // One frame without the object makes the track lost.
      let after = tracker.run([[], [found(100, 100, score: score)]], from: 2)
      #expect(after[0].map(\.state) == [.coasting])
      #expect(after[1].map(\.id) == before[1].map(\.id))
      #expect(after[1].map(\.state) == [isFound ? .confirmed : .coasting], "score \(score)")
      #expect(after[1].map(\.detectionIndex) == [isFound ? 0 : nil])
    }
  }

  @Test(
    "weak detections keep a visible track: indefinitely above the mean of both thresholds, and for a limited time below"
  )
  func weakDetectionsHold() throws {
    for (score, frames) in [(0.3, 300), (0.28, 300), (0.27, 73), (0.2, 34), (0.1, 23), (0.09, 0)] {
      var tracker = try makeTracker()
      let first = tracker.run([[found(100, 100)]])
      let results = tracker.run((1...300).map { _ in [found(100, 100, score: score)] }, from: 1)
      let held = results.prefix { $0.map(\.state) == [.confirmed] }
      #expect(abs(held.count - frames) <= 1, "score \(score): \(held.count) frames")
      #expect(held.allSatisfy { $0.map(\.id) == first[0].map(\.id) })
    }
  }

  @Test("five bad frames don't disturb a track")
  func shortDips() throws {
    var tracker = try makeTracker()
    let results = tracker.run((0..<90).map { frame in [found(100, 100, score: frame % 10 < 5 ? 0.7 : 0.2)] })
    #expect(results.allSatisfy { $0.map(\.state) == [.confirmed] })
  }

  @Test("weak and medium detections start no track")
  func weakDetectionsStartNothing() throws {
    for (score, isBorn) in [(0.56, true), (0.55, true), (0.54, false), (0.3, false)] {
      var tracker = try makeTracker()
      let results = tracker.run((0..<10).map { _ in [found(100, 100, score: score)] })
      #expect(results[9].count == (isBorn ? 1 : 0), "score \(score)")
    }
  }

  @Test("a weak detection must overlap by half, a strong one by much less")
  func overlapLimits() throws {
    // Boxes of width 60 that are offset by d overlap by (60 - d) / (60 + d).
    for (move, score, isMatched) in [
      (19.0, 0.3, true), (21, 0.3, false), (35, 1.0, true), (41, 1.0, false), (29, 0.6, true), (31, 0.6, false),
    ] {
      var tracker = try makeTracker()
      _ = tracker.run([[found(100, 100)]])
      let result = tracker.update(detections: [found(100 + move, 100, score: score)], at: .seconds(1.0 / 30))
      #expect(result.map(\.state) == [isMatched ? .confirmed : .coasting], "moved \(move) at \(score)")
    }
  }

  @Test("frame rates below ten per second widen the first limit")
  func slowFrames() throws {
    // An overlap of 0.15: a cost of 0.85 for a score of 1.
    for (seconds, isMatched) in [(0.09, false), (0.12, true)] {
      var tracker = try makeTracker()
      _ = tracker.update(detections: [found(100, 100)], at: .zero)
      let result = tracker.update(detections: [found(100 + 60 * 0.85 / 1.15, 100, score: 1)], at: .seconds(seconds))
      #expect(result.map(\.state) == [isMatched ? .confirmed : .coasting])
    }
  }

  @Test("frames that are far apart match boxes that are only close, if sizes are similar and nothing else is closer")
  func sparseFrames() throws {
    func states(_ detections: [BoxDetection], after seconds: Double) throws -> [Track.State] {
      var tracker = try makeTracker()
      _ = tracker.update(detections: [found(100, 100)], at: .zero)
      return tracker.update(detections: detections, at: .seconds(seconds)).map(\.state)
    }
    #expect(try states([found(165, 100, score: 1)], after: 0.2) == [.confirmed])
    #expect(try states([found(165, 100, score: 1)], after: 0.14) == [.coasting])
    // Too far away even when enlarged, or enlarged less than their own size allows.
    #expect(try states([found(195, 100, score: 1)], after: 0.2) == [.coasting])
    // More than three times as large, next to it.
    #expect(try states([found(162, 60, 100, 160, score: 1)], after: 0.2) == [.coasting])
    // A detection with a low score isn't a candidate.
    #expect(try states([found(165, 100, score: 0.4)], after: 0.2) == [.coasting])
  }

  @Test("if two tracks are close to one detection after a long interval, the best match gets it")
  func sparseFramesAreMutual() throws {
    var tracker = try makeTracker()
    let before = tracker.update(detections: [found(100, 100, score: 0.9), found(240, 100, score: 0.8)], at: .zero)
    let after = tracker.update(detections: [found(168, 100, score: 1)], at: .seconds(0.2))
    #expect(after.map(\.id) == before.map(\.id))
    // The gap to the left box is 8 pixels, the gap to the right box 12.
    #expect(after.map(\.state) == [.confirmed, .coasting])
  }

  @Test("an unconfirmed track requires more overlap")
  func tentativeLimit() throws {
    // The limit of 0.7 on 1 - overlap · score: an overlap above 0.3 at a score of 1.
    for (move, isMatched) in [(31.0, true), (34.0, false)] {
      var tracker = try makeTracker()
      _ = tracker.update(detections: [], at: .zero)
      _ = tracker.update(detections: [found(100, 100, score: 1)], at: .seconds(0.03))
      let result = tracker.update(detections: [found(100 + move, 100, score: 1)], at: .seconds(0.06))
      #expect(result.count == (isMatched ? 1 : 0), "moved \(move)")
    }
  }

  @Test("confirmed tracks are matched before unconfirmed ones")
  func confirmedFirst() throws {
    var tracker = try makeTracker()
    let first = tracker.run([[found(100, 100)], [found(100, 100), found(150, 100)]])
    // Both tracks compete for the box between them, which matches the new track better.
    let result = tracker.update(detections: [found(128, 100)], at: .seconds(2.0 / 30))
    #expect(result.map(\.id) == first[0].map(\.id))
    #expect(result[0].state == .confirmed)
  }

  @Test("all objects are matched optimally together, not one by one")
  func global() throws {
    var tracker = try makeTracker()
    let before = tracker.run([[found(100, 100, score: 0.95), found(130, 100, score: 0.9)]])
    // The left track is also nearest to the right detection's position; together, the tracks move right by 20.
    let after = tracker.update(
      detections: [found(150, 100, score: 0.95), found(120, 100, score: 0.9)], at: .seconds(1.0 / 30))
    #expect(after.map(\.id) == before[0].map(\.id))
    #expect(after.map(\.detectionIndex) == [1, 0])
  }

  @Test("the reported box follows a jump immediately, but hardly the jitter of a detector")
  func reportedCenter() throws {
    for (move, share) in [(20.0, 0.93...1.0), (1, 0.3...0.7)] {
      var tracker = try makeTracker()
      _ = tracker.run((0..<60).map { _ in [found(100, 100)] })
      let result = tracker.update(detections: [found(100 + move, 100)], at: .seconds(60.0 / 30))
      #expect(share.contains((result[0].box.center.x - 130) / move), "moved by \(move): \(result[0].box.center.x)")
    }
  }

  @Test("a weak match has less weight, and reported sizes follow the detection closely")
  func reportedBox() throws {
    var tracker = try makeTracker()
    _ = tracker.run((0..<10).map { _ in [found(100, 100)] })
    let result = tracker.update(detections: [found(100, 100, 90, 120)], at: .seconds(10.0 / 30))
    // Seven tenths of the measured size plus three tenths of the filtered size, which is between the old and the new
    // size.
    #expect(result[0].box.height > 80 + 0.7 * 40 && result[0].box.height < 120)
    #expect(result[0].box.width > 60 + 0.7 * 30 && result[0].box.width < 90)
  }
}
