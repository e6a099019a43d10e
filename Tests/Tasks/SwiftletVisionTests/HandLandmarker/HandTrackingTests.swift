import SwiftletImage
import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable import SwiftletVision

@Suite("Hand tracking")
struct HandTrackingTests {
  private let middle = 8, corner = 0

  @Test("a hand is tracked without palm detection, and lost when its presence is low")
  func follows() throws {
    let (full, empty) = (try SyntheticHands.image([middle: SyntheticHands.palm()]), try SyntheticHands.image([:]))
    let landmarker = try SyntheticHands.landmarker().video()
    let counts = try [empty, full, empty, empty].enumerated().map { index, frame in
      try landmarker.hands(in: frame, at: .milliseconds(index * 33)).count
    }
    #expect(counts == [0, 1, 1, 1])
    let stillImages = try SyntheticHands.landmarker()
    #expect(try [full, empty].map { try stillImages.hands(in: $0).count } == [1, 0])
    let blind = try SyntheticHands.landmarker(
      SyntheticHands.bundle(landmarks: SyntheticHands.landmarks(presence: 0.5))
    ).video()
    #expect(try blind.hands(in: full, at: .zero).isEmpty)
  }

  @Test("the next frame's region covers the landmarks of this one")
  func nextRegion() throws {
    let landmarker = try SyntheticHands.landmarker().video()
    let image = try SyntheticHands.image([middle: SyntheticHands.palm()])
    let first = try #require(try landmarker.hands(in: image, at: .zero).first)
    let second = try #require(try landmarker.hands(in: image, at: .milliseconds(33)).first)
    let geometry = RegionGeometry(image)
    let region = HandGeometry.nextRegion(first.landmarks, geometry)
    #expect(abs(second.landmarks[9].x - region.center.x) < 1e-5 && abs(second.landmarks[9].y - region.center.y) < 1e-5)
    let span = geometry.distance(second.landmarks[0].point, second.landmarks[9].point)
    #expect(abs(span - 0.3 * region.height * geometry.height) < 1e-3)
  }

  @Test("new hands come after tracked ones, unless they overlap")
  func more() throws {
    let landmarker = try SyntheticHands.landmarker {
      $0.maxHands = 2
      $0.minTrackingConfidence = 0.3
    }.video()
    let first = try landmarker.hands(in: SyntheticHands.image([middle: SyntheticHands.palm(side: 3)]), at: .zero)
    #expect(first.count == 1)
    let again = try SyntheticHands.image([middle: SyntheticHands.palm(side: 3, score: 20)])
    #expect(try landmarker.hands(in: again, at: .milliseconds(33)).count == 1)
    let another = try SyntheticHands.image([corner: SyntheticHands.palm(side: 2, score: 20)])
    let both = try landmarker.hands(in: another, at: .milliseconds(66))
    try #require(both.count == 2)
    #expect(both[0].landmarks[9].x > both[1].landmarks[9].x)
    let none = try SyntheticHands.image([:])
    #expect(try landmarker.hands(in: none, at: .milliseconds(99)).count == 2)
  }

  @Test("landmarks are smoothed only if requested, per hand")
  func smoothing() throws {
    let frames = try [[middle: SyntheticHands.palm(side: 3)], [:], [corner: SyntheticHands.palm(side: 2)], [:]].map {
      try SyntheticHands.image($0)
    }
    func hands(_ smoothing: LandmarkSmoothing, _ count: Int) throws -> [[Hand]] {
      let landmarker = try SyntheticHands.landmarker { ($0.smoothing, $0.maxHands) = (smoothing, count) }.video()
      return try frames.enumerated().map { index, frame in
        try landmarker.hands(in: frame, at: .milliseconds(index * 33))
      }
    }
    let plain = try hands(.off, 2)
    #expect(plain.map(\.count) == [1, 1, 2, 2])
    #expect(try hands(.single, 2) == plain)
    let smooth = try hands(.all, 2)
    // The first frame isn't smoothed.
    #expect(smooth[0] == plain[0] && smooth[2][1] == plain[2][1])
    for (frame, hand) in [(1, 0), (2, 0), (3, 0), (3, 1)] {
      #expect(smooth[frame][hand].landmarks != plain[frame][hand].landmarks, "\(frame) \(hand)")
    }
    let one = try hands(.off, 1)
    #expect(try hands(.single, 1) == hands(.all, 1))
    #expect(try hands(.single, 1) != one)
    // Between the old and the new position.
    let places = try [one[0], hands(.single, 1)[1], one[1]].map { try #require($0.first).landmarks[12].y }
    #expect(places == places.sorted() || places == places.sorted(by: >))
  }

  @Test("hands with unusable regions are not tracked")
  func unusable() throws {
    for scale in [0, 1e9, .infinity, .nan] as [Float] {
      let bundle = SyntheticHands.bundle(landmarks: SyntheticHands.landmarks(scale: scale))
      let landmarker = try SyntheticHands.landmarker(bundle) { $0.smoothing = .all }.video()
      let found = try landmarker.hands(in: SyntheticHands.image([middle: SyntheticHands.palm()]), at: .zero)
      #expect(found.count == 1)
      #expect(try landmarker.hands(in: SyntheticHands.image([:]), at: .milliseconds(33)).isEmpty, "\(scale)")
    }
  }
}
