import SwiftletImage
import SwiftletTestSupport
import SwiftletVision
import Testing

@testable import SwiftletTracking

@Suite("Classification of detected objects")
struct AppearanceReaderTests {
  private typealias Color = (red: UInt8, green: UInt8, blue: UInt8)
  private static let box = PixelRect(x: 20, y: 30, width: 40, height: 20)
  private static let gray: Color = (128, 128, 128)

  /// Returns an image of 100 × 80 with ``box`` in a color.
  private func makeImage(_ color: Color, on ground: Color = gray, _ orientation: ImageOrientation = .up) throws
    -> InputImage
  {
    var bytes: [UInt8] = []
    for y in 0..<80 {
      for x in 0..<100 {
        let inside = (20..<60).contains(x) && (30..<50).contains(y)
        let color = inside ? color : ground
        bytes += [color.red, color.green, color.blue]
      }
    }
    let upright = try ImageBuffer(bytes: bytes, width: 100, height: 80, pixelFormat: .rgb8)
    return InputImage(try upright.oriented(orientation.inverse), orientation: orientation)
  }

  private func looks(_ reader: inout AppearanceReader, at boxes: [PixelRect], in image: InputImage) throws
    -> [Appearance?]
  {
    var detections = boxes.map { BoxDetection(box: $0, score: 0.9) }
    try reader.look(at: &detections, in: image)
    return detections.map(\.appearance)
  }

  @Test("colors come from inside the box, in all eight orientations")
  func insideTheBox() throws {
    let expected = Appearance(pixels: [200, 40, 40])
    for orientation in ImageOrientation.allCases {
      var reader = try #require(AppearanceReader())
      let look = try looks(&reader, at: [Self.box], in: try makeImage((200, 40, 40), orientation))[0]
      // Half a pixel at the edge can belong to the surroundings.
      #expect(try #require(look?.difference(from: expected)) < 0.1, "\(orientation)")
    }
  }

  @Test("objects that are cut off by the image edge are skipped, and objects after the twelfth too")
  func leftOut() throws {
    var reader = try #require(AppearanceReader())
    let cut = [
      PixelRect(x: 0, y: 30, width: 40, height: 20), PixelRect(x: 20, y: 0, width: 40, height: 20),
      PixelRect(x: 70, y: 30, width: 30, height: 20), PixelRect(x: 20, y: 60, width: 40, height: 20),
    ]
    #expect(
      try looks(&reader, at: cut + [Self.box], in: try makeImage((200, 40, 40))).map { $0 != nil } == [
        false, false, false, false, true,
      ])
    let many = [PixelRect](repeating: Self.box, count: 22)
    #expect(
      try looks(&reader, at: many, in: try makeImage((200, 40, 40))).map { $0 != nil } == (0..<22).map { $0 < 12 })
  }

  @Test("the lighting has changed if the whole image changes, but not if an object changes")
  func light() throws {
    var reader = try #require(AppearanceReader())
    func light(_ image: InputImage) throws -> Int? { try looks(&reader, at: [Self.box], in: image)[0]?.light }
    #expect(try light(try makeImage((200, 40, 40))) == 0)
    #expect(try light(try makeImage((40, 40, 200))) == 0)
    #expect(try light(try makeImage((40, 40, 200), on: (20, 20, 20))) == 1)
    #expect(try light(try makeImage((40, 40, 200), on: (20, 20, 20))) == 1)
  }
}
