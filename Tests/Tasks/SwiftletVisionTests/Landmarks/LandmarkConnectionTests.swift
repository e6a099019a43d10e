import Testing

@testable import SwiftletVision

@Suite("Landmark connections")
struct LandmarkConnectionTests {
  @Test("consecutive pairs of numbers are connections")
  func pairs() {
    #expect(LandmarkConnection.pairs([0, 1, 1, 2]) == [.init(start: 0, end: 1), .init(start: 1, end: 2)])
    #expect(LandmarkConnection.pairs([]).isEmpty)
    #expect(LandmarkConnection.pairs([4]).isEmpty)
  }
}
