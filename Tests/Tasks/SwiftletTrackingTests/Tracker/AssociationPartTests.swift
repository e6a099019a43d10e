import Testing

@testable import SwiftletTracking

/// Checks the matching of tracks and detections separately.
@Suite("Parts of the association")
struct AssociationPartTests {
  private func track(_ x: Double, _ y: Double = 0, _ width: Double = 10, _ height: Double = 10, look: Appearance? = nil)
    -> TrackedBox
  {
    var seen = Candidate(box: PixelRect(x: x, y: y, width: width, height: height), score: 1, index: 0)
    seen.appearance = look
    return TrackedBox(seen, at: .zero)
  }

  private func seen(
    _ x: Double, _ y: Double = 0, _ width: Double = 10, _ height: Double = 10, score: Double = 1,
    look: Appearance? = nil
  ) -> Candidate {
    var seen = Candidate(box: PixelRect(x: x, y: y, width: width, height: height), score: score, index: 0)
    seen.appearance = look
    return seen
  }

  private func stage(
    limit: Double, weighsScore: Bool = false, scores: Range<Double> = 0..<10, tolerance: Double = 0.25
  ) -> BoxAssociation.Stage {
    .init(limit: limit, weighsScore: weighsScore, scores: scores, tolerance: tolerance)
  }

  private func pairs(
    _ tracks: [TrackedBox], _ candidates: [Candidate], _ stage: BoxAssociation.Stage,
    where isEligible: (TrackedBox) -> Bool = { _ in true }
  ) -> [BoxAssociation.Pair] {
    var association = BoxAssociation()
    association.match(tracks, candidates, stage, where: isEligible)
    return association.pairs
  }

  @Test("a cost at the limit matches, whether weighted by the score or not")
  func costs() {
    // The boxes share half of their area, a third of the union, offset along either axis.
    for other in [seen(5), seen(0, 5)] {
      #expect(pairs([track(0)], [other], stage(limit: 0.667)) == [.init(track: 0, candidate: 0)])
      #expect(pairs([track(0)], [other], stage(limit: 0.666)).isEmpty)
    }
    let weak = seen(5, score: 0.75)
    #expect(pairs([track(0)], [weak], stage(limit: 0.667)).count == 1)
    #expect(pairs([track(0)], [weak], stage(limit: 0.751, weighsScore: true)).count == 1)
    #expect(pairs([track(0)], [weak], stage(limit: 0.749, weighsScore: true)).isEmpty)
    // Boxes that only touch don't match at any limit.
    #expect(pairs([track(0)], [seen(10)], stage(limit: 10)).isEmpty)
  }

  @Test("scores from the lower bound up to, but not including, the upper bound are candidates if unmatched")
  func candidates() {
    for (score, isOne) in [(0.5, true), (0.5.nextDown, false), (0.75.nextDown, true), (0.75, false)] {
      #expect(pairs([track(0)], [seen(0, score: score)], stage(limit: 1, scores: 0.5..<0.75)).isEmpty != isOne)
    }
    var taken = seen(0)
    taken.isTaken = true
    #expect(pairs([track(0)], [taken], stage(limit: 1)).isEmpty)
    var matched = track(0)
    matched.match = 0
    #expect(pairs([matched, track(0)], [seen(0)], stage(limit: 1)) == [.init(track: 1, candidate: 0)])
    let ineligible = pairs([track(0), track(5)], [seen(0)], stage(limit: 1)) { $0.box.x > 1 }
    #expect(ineligible == [.init(track: 1, candidate: 0)])
  }

  @Test("pair indices refer to the whole lists")
  func indices() {
    var taken = seen(0)
    taken.isTaken = true
    let found = pairs([track(100), track(0), track(50)], [taken, seen(50), seen(0)], stage(limit: 0.5))
    #expect(found == [.init(track: 1, candidate: 2), .init(track: 2, candidate: 1)])
  }

  @Test("colors beyond the tolerance cost three times their distance")
  func colors() {
    let (red, mixed) = (Appearance(pixels: [255, 0, 0]), Appearance(pixels: [255, 0, 0, 0, 255, 0]))
    // A difference of 0.5 in one bin costs 3 · (0.5 - tolerance).
    for (tolerance, cost) in [(0.25, 0.75), (0.4, 0.3), (0.5, 0), (1, 0)] {
      let tracks = [track(0, look: red)]
      #expect(
        pairs(tracks, [seen(0, look: mixed)], stage(limit: cost + 1e-3, tolerance: tolerance)).count == 1,
        "\(tolerance)")
      guard cost > 0 else { continue }
      #expect(
        pairs(tracks, [seen(0, look: mixed)], stage(limit: cost - 1e-3, tolerance: tolerance)).isEmpty, "\(tolerance)")
    }
    #expect(pairs([track(0)], [seen(0, look: mixed)], stage(limit: 0.01, tolerance: 0)).count == 1)
    #expect(pairs([track(0, look: red)], [seen(0)], stage(limit: 0.01, tolerance: 0)).count == 1)
  }

  private func nearby(
    _ tracks: [TrackedBox], _ candidates: [Candidate], limit: Double = 0.9, growth: Double = 0.5, ratio: Double = 2
  ) -> [BoxAssociation.Pair] {
    var association = BoxAssociation()
    association.matchNearby(
      tracks, candidates, stage(limit: limit), growth: growth, maxAreaRatio: ratio, where: { _ in true })
    return association.pairs
  }

  @Test("nearby boxes of similar size are compared as if they were larger")
  func growth() {
    // A gap of 2 pixels: enlarged by half, the boxes are 20 × 20 and share 8 of 32 columns, 0.25.
    #expect(nearby([track(0)], [seen(12)], limit: 0.751).count == 1)
    #expect(nearby([track(0)], [seen(12)], limit: 0.749).isEmpty)
    #expect(nearby([track(0)], [seen(12)], growth: 0.05).isEmpty)
    // An area ratio of exactly two, and slightly more or less, in both directions.
    #expect(nearby([track(0)], [seen(0, 0, 20, 10)]).count == 1 && nearby([track(0)], [seen(0, 0, 20.1, 10)]).isEmpty)
    #expect(nearby([track(0, 0, 20, 10)], [seen(0)]).count == 1 && nearby([track(0, 0, 20.1, 10)], [seen(0)]).isEmpty)
  }

  @Test("nearby boxes match only if each is the other's best")
  func mutual() {
    // The second candidate is the best match for both tracks, and it matches the second track better.
    let found = nearby([track(0), track(20)], [seen(-6), seen(14)])
    #expect(found == [.init(track: 0, candidate: 0), .init(track: 1, candidate: 1)])
    #expect(nearby([track(0), track(22)], [seen(13)]) == [.init(track: 1, candidate: 0)])
    #expect(nearby([track(9), track(30)], [seen(13)]) == [.init(track: 0, candidate: 0)])
    #expect(nearby([track(0)], [seen(13), seen(2), seen(-12)]) == [.init(track: 0, candidate: 1)])
    #expect(nearby([], [seen(0)]).isEmpty && nearby([track(0)], []).isEmpty)
  }

  // MARK: Colors

  @Test("colors are shared between the two nearest levels of each channel")
  func levels() throws {
    func difference(_ one: [UInt8], _ other: [UInt8]) throws -> Double {
      try #require(Appearance(pixels: one).difference(from: Appearance(pixels: other)))
    }
    func isClose(_ one: [UInt8], _ other: [UInt8], _ expected: Double) throws -> Bool {
      abs(try difference(one, other) - expected) < 1e-3
    }
    for channel in 0..<3 {
      func pixel(_ value: UInt8) -> [UInt8] { (0..<3).map { $0 == channel ? value : 0 } }
      // Four levels are 85 apart; 43 of 255 are 8 of 16 steps.
      for (one, other, expected) in [
        (0, 85, 1), (85, 255, 1), (170, 255, 1), (255, 255, 0), (0, 43, 0.5), (85, 43, 0.5), (43, 22, 0.25),
        (0, 213, 1),
        (255, 213, 0.5), (170, 213, 0.5),
      ] as [(UInt8, UInt8, Double)] {
        #expect(try isClose(pixel(one), pixel(other), expected), "\(channel): \(one) \(other)")
      }
    }
    // Channels are distinguished.
    #expect(try isClose([85, 0, 0], [0, 85, 0], 1))
    #expect(try isClose([0, 85, 0], [0, 0, 85], 1))
    // Bytes beyond complete triples are ignored.
    #expect(try difference([255, 0, 0, 9, 9], [255, 0, 0]) == 0)
  }

  @Test("an appearance is updated by a fifth per detection, and immediately if the lighting changes")
  func follows() {
    let (red, green) = (Appearance(pixels: [255, 0, 0], light: 3), Appearance(pixels: [0, 255, 0], light: 3))
    #expect(red.light == 3 && Appearance(pixels: []).light == 0)
    var known = red
    func difference(_ other: Appearance, _ expected: Double) -> Bool {
      known.difference(from: other).map { abs($0 - expected) < 1e-3 } ?? false
    }
    known.follow(green)
    #expect(difference(red, 0.2) && difference(green, 0.8))
    known.follow(green)
    #expect(difference(green, 0.64))
    let bright = Appearance(pixels: [0, 0, 255], light: 4)
    known.follow(bright)
    #expect(known == bright && known.difference(from: red) == nil)
  }
}
