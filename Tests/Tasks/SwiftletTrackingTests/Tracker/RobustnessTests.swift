import SwiftletTestSupport
import Testing

@testable import SwiftletTracking

@Suite("Robustness of the tracker")
struct RobustnessTests {
  private static let strangeNumbers: [Double] = [
    .nan, .infinity, -.infinity, 0, -0.0, 1e308, -1e308, 1e-308, Double.leastNonzeroMagnitude, -5, 0.5, 3, 17, 50, 200,
    639, 1e6, -1e6,
  ]

  @Test("invalid boxes are skipped among valid ones")
  func passesOver() throws {
    var tracker = try makeTracker()
    let bad = [
      found(.nan, 10), found(10, .infinity), found(10, 10, 0, 40), found(10, 10, 40, -3), found(10, 10, .nan, 40),
      found(1e308, 10, 1e308, 10),
      found(700, 10), found(-100, 10), found(10, 10, score: .nan), found(10, 10, score: -1),
    ]
    let tracks = tracker.update(detections: bad + [found(100, 100)], at: .zero)
    #expect(tracks.map(\.detectionIndex) == [bad.count])
  }

  @Test("a box far larger than the frame is clipped to the frame, and a score above 1 becomes 1")
  func hugeBox() throws {
    var tracker = try makeTracker()
    let tracks = tracker.update(detections: [found(-1e9, -1e9, 2e9, 2e9, score: 7)], at: .zero)
    #expect(tracks.map(\.box) == [PixelRect(x: 0, y: 0, width: 640, height: 480)])
    #expect(tracks.map(\.score) == [1])
  }

  @Test("for any input, tracks are finite boxes inside the frame with increasing IDs", arguments: 0..<8)
  func hostileInput(seed: UInt64) throws {
    var generator = SplitMix64(state: seed)
    func strange() -> Double { Self.strangeNumbers.randomElement(using: &generator) ?? 0 }
    var tracker = try makeTracker {
      $0.maxTracks = 8
      $0.maxReportedTracks = 8
    }
    var time = 0.0
    var highest = -1
    for _ in 0..<3000 {
      let detections = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
        Bool.random(using: &generator)
          ? BoxDetection(
            box: PixelRect(x: strange(), y: strange(), width: strange(), height: strange()), score: strange())
          : found(
            .random(in: -50...650, using: &generator), .random(in: -50...500, using: &generator),
            .random(in: 0.001...900, using: &generator))
      }
      let isStrange = Int.random(in: 0..<20, using: &generator) == 0
      time = isStrange || !(abs(time) < 1e19) ? strange() : time + .random(in: 1e-9...0.2, using: &generator)
      let tracks =
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: tracker.predict(to: Duration(holding: time))
        case 1:
          tracker.update(
            detections: detections,
            from: Duration(holding: isStrange ? strange() : time - .random(in: 0...0.3, using: &generator)),
            at: Duration(holding: time))
        default: tracker.update(detections: detections, at: Duration(holding: time))
        }
      #expect(tracks.count <= 8)
      for (track, next) in zip(tracks, tracks.dropFirst()) { #expect(track.id < next.id) }
      for track in tracks {
        let box = track.box
        #expect(
          box.isUsable && box.x >= 0 && box.y >= 0 && box.x + box.width <= 640.000001
            && box.y + box.height <= 480.000001)
        #expect(
          track.velocity.x.isFinite && track.velocity.y.isFinite && (0...1).contains(track.score)
            && track.lastSeen >= track.firstSeen)
        if let index = track.detectionIndex { #expect(detections.indices.contains(index)) }
      }
      highest = max(highest, tracks.last?.id ?? -1)
    }
    #expect(highest >= 0)
  }

  @Test("only the best of very many detections are processed")
  func crowd() throws {
    var generator = SplitMix64(state: 5)
    var tracker = try makeTracker()
    for frame in 0..<3 {
      let detections = (0..<20_000).map { _ in
        found(
          .random(in: 0...600, using: &generator), .random(in: 0...400, using: &generator),
          score: .random(in: 0...1, using: &generator))
      }
      #expect(tracker.update(detections: detections, at: .seconds(Double(frame) / 30)).count <= 5)
    }
  }

  @Test("the order of a frame's detections does not matter", arguments: 0..<5)
  func permutation(seed: UInt64) throws {
    var generator = SplitMix64(state: seed)
    var (ordered, shuffled) = (try makeTracker(), try makeTracker())
    var positions = (0..<9).map { _ in
      (Double.random(in: 0...560, using: &generator), Double.random(in: 0...400, using: &generator))
    }
    var firstIDs: (ours: Int, theirs: Int)?
    for frame in 0..<120 {
      var detections: [BoxDetection] = []
      for index in positions.indices {
        positions[index].0 += .random(in: -6...6, using: &generator)
        positions[index].1 += .random(in: -6...6, using: &generator)
        // Few distinct scores, so that many are equal.
        let score = (Double.random(in: 0...1, using: &generator) * 5).rounded() / 5
        if Double.random(in: 0...1, using: &generator) < 0.85 {
          detections.append(found(positions[index].0, positions[index].1, score: score))
        }
      }
      let mixed = detections.shuffled(using: &generator)
      let time = Duration.seconds(Double(frame) / 30)
      let (ours, theirs) = (
        ordered.update(detections: detections, at: time), shuffled.update(detections: mixed, at: time)
      )
      #expect(ours.count == theirs.count)
      for (track, other) in zip(ours, theirs) {
        firstIDs = firstIDs ?? (track.id, other.id)
        var renamed = other
        renamed.id = track.id
        renamed.detectionIndex = track.detectionIndex
        #expect(renamed == track)
        #expect(track.detectionIndex.map { detections[$0] } == other.detectionIndex.map { mixed[$0] })
      }
    }
  }

  @Test("IDs are unique over a million births in two trackers")
  func uniqueIDs() throws {
    var trackers = try [makeTracker { $0.maxReportedTracks = 20 }, makeTracker { $0.maxReportedTracks = 20 }]
    let detections = (0..<20).map { (index: Int) -> BoxDetection in
      found(10 + 120 * Double(index % 5), 10 + 110 * Double(index / 5))
    }
    var seen: Set<Int> = []
    seen.reserveCapacity(1_000_000)
    var tracks: [Track] = []
    for round in 0..<50_000 {
      trackers[round % 2].reset()
      trackers[round % 2].update(detections: detections, at: .zero, into: &tracks)
      for track in tracks { seen.insert(track.id) }
    }
    #expect(seen.count == 1_000_000)
    #expect(seen.allSatisfy { $0 >= 0 })
  }

  @Test("ten thousand frames without objects leak nothing")
  func emptyStream() throws {
    var tracker = try makeTracker()
    _ = tracker.run([[found(100, 100)]])
    for frame in 1...10_000 {
      let tracks = tracker.update(detections: [], at: .seconds(Double(frame) / 30))
      #expect(tracks.isEmpty || frame <= 6)
    }
    #expect(tracker.run([[found(100, 100)], [found(100, 100)]], from: 10_001).map(\.count) == [0, 1])
  }

  @Test("a copy is independent")
  func copies() throws {
    var tracker = try makeTracker()
    _ = tracker.run([[found(100, 100)]])
    var copy = tracker
    _ = copy.run([[], []], from: 1)
    #expect(tracker.run([[found(100, 100)]], from: 1)[0].map(\.state) == [.confirmed])
  }
}
