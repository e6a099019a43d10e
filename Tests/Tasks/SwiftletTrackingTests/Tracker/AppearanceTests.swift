import Testing

@testable import SwiftletTracking

@Suite("Object appearance")
struct AppearanceTests {
  private static let orange = paint(220, 140, 40)
  private static let blue = paint(30, 60, 200)

  /// Returns the appearance of an object of one color.
  private static func paint(_ red: UInt8, _ green: UInt8, _ blue: UInt8, light: Int = 0) -> Appearance {
    Appearance(pixels: (0..<100).flatMap { _ in [red, green, blue] }, light: light)
  }

  private func found(_ x: Double, _ y: Double, _ look: Appearance?, score: Double = 0.9) -> BoxDetection {
    BoxDetection(box: PixelRect(x: x, y: y, width: 60, height: 80), score: score, appearance: look)
  }

  @Test("the distance of equal colors is 0 anywhere in the box, of other colors 1, and of half as many one half")
  func differences() throws {
    let (red, green): ([UInt8], [UInt8]) = ([255, 0, 0], [0, 255, 0])
    let both = Appearance(pixels: red + green)
    #expect(both.difference(from: Appearance(pixels: green + red)) == 0)
    #expect(Appearance(pixels: red).difference(from: Appearance(pixels: green)) == 1)
    #expect(abs(try #require(both.difference(from: Appearance(pixels: green))) - 0.5) < 1e-4)
    #expect(Self.orange.difference(from: Self.blue) == Self.blue.difference(from: Self.orange))
  }

  @Test("slightly brighter light makes a small difference for every color")
  func isSmooth() throws {
    for value in stride(from: UInt8(0), to: 250, by: 5) {
      let difference = Self.paint(value, 128, 90).difference(from: Self.paint(value + 5, 128, 90))
      #expect(try #require(difference) < 0.08, "from \(value)")
    }
  }

  @Test("boxes without pixels don't differ")
  func empty() {
    #expect(Appearance(pixels: []).difference(from: Appearance(pixels: [1, 2])) == 0)
  }

  @Test("appearances under different lighting are not compared")
  func light() {
    #expect(Self.paint(200, 200, 200).difference(from: Self.paint(20, 20, 20, light: 1)) == nil)
  }

  @Test("an object that replaces another gets a new ID if its colors differ")
  func replaced() throws {
    for (look, isSame) in [(Self.orange, true), (Self.blue, false), (nil, true)] {
      var tracker = try makeTracker()
      let before = tracker.run([[found(100, 100, Self.orange)], [found(100, 100, Self.orange)]])
      let after = tracker.run((0..<10).map { _ in [found(100, 100, look)] }, from: 2)
      #expect((after[9].map(\.id) == before[1].map(\.id)) == isSame)
      #expect(after[9].map(\.state) == [.confirmed])
    }
  }

  @Test("two crossing objects keep their IDs, although each box is closer to the other's track")
  func meeting() throws {
    // The objects swap positions and stop while they are hidden from the detector for three frames.
    func ids(tolerance: Double) throws -> [Int] {
      var tracker = try makeTracker { $0.appearanceTolerance = tolerance }
      let apart = (0..<10).map {
        [found(100 + 2 * Double($0), 100, Self.orange), found(160 - 2 * Double($0), 100, Self.blue)]
      }
      let before = tracker.run(apart)
      _ = tracker.run([[], [], []], from: 10)
      let after = tracker.run([[found(150, 100, Self.orange), found(110, 100, Self.blue)]], from: 13)
      let ids = before[9].map(\.id)
      return after[0].sorted { $0.box.x > $1.box.x }.compactMap { ids.firstIndex(of: $0.id) }
    }
    #expect(try ids(tolerance: 0.3) == [0, 1])
    #expect(try ids(tolerance: 1) == [1, 0])
  }

  @Test("an object may change its colors slowly, or all at once if the lighting changes")
  func changing() throws {
    var tracker = try makeTracker()
    let fading = (0..<60).map { frame in [found(100, 100, Self.paint(250 - 4 * UInt8(frame), 100, 4 * UInt8(frame)))] }
    let results = tracker.run(fading) + tracker.run([[found(100, 100, Self.paint(255, 255, 255, light: 1))]], from: 60)
    #expect(Set(results.flatMap { $0.map(\.id) }).count == 1)
    #expect(results.allSatisfy { $0.map(\.state) == [.confirmed] })
  }

  @Test("a single detection without colors doesn't erase the track's appearance")
  func remembers() throws {
    var tracker = try makeTracker()
    let before = tracker.run([[found(100, 100, Self.orange)], [found(100, 100, nil)]])
    let after = tracker.run([[found(100, 100, Self.blue)]], from: 2)
    #expect(before[1].map(\.id) == after[0].map(\.id) && after[0].map(\.state) == [.coasting])
  }
}
