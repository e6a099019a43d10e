import SwiftletImage
import Testing

@testable import SwiftletDrawing

@Suite("Skeletons and masks on a canvas")
struct CanvasSkeletonTests {
  @Test("edges connect only known points")
  func edges() throws {
    var canvas = try Canvas(width: 6, height: 3)
    let places: [Canvas.Place?] = [.init(x: 0, y: 0), .init(x: 3, y: 0), nil, .init(x: 5, y: 2), .init(x: .max, y: 0)]
    canvas.strokeEdges(
      [(0, 1), (1, 2), (2, 3), (3, 3), (3, 4), (0, 9), (-1, 0)], between: places, lineWidth: 1, color: .white)
    #expect(try canvas.whiteRows() == ["####..", "......", ".....#"])
  }

  @Test("dots have a white edge")
  func dots() throws {
    var canvas = try Canvas(width: 5, height: 5)
    canvas.fillDots([.init(x: 2, y: 2), nil, .init(x: .min, y: .max)], color: .black)
    #expect(try canvas.whiteRows() == ["..#..", ".#.#.", "#...#", ".#.#.", "..#.."])
  }

  @Test("a confidence mask blends a color by its values")
  func strengths() throws {
    var canvas = try Canvas(width: 5, height: 1)
    try canvas.tint(strengths: [0, 0.5, 1, 7, .nan], opacity: 0.5, color: .white)
    let bytes = try canvas.image().packedBytes()
    #expect(stride(from: 0, to: 15, by: 3).map { bytes[$0] } == [0, 64, 128, 128, 0])
    #expect(throws: ImageError.self) { try canvas.tint(strengths: [1], opacity: 1, color: .white) }
  }
}
