import SwiftletImage
import Testing

@Suite("Image orientation")
struct ImageOrientationTests {
  /// The images that a camera stores for each EXIF orientation of the following upright scene.
  ///
  /// ```
  /// 1 2 3
  /// 4 5 6
  /// ```
  static let stored: [(ImageOrientation, width: Int, bytes: [UInt8])] = [
    (.up, 3, [1, 2, 3, 4, 5, 6]),
    (.upMirrored, 3, [3, 2, 1, 6, 5, 4]),
    (.down, 3, [6, 5, 4, 3, 2, 1]),
    (.downMirrored, 3, [4, 5, 6, 1, 2, 3]),
    (.leftMirrored, 2, [1, 4, 2, 5, 3, 6]),
    (.right, 2, [3, 6, 2, 5, 1, 4]),
    (.rightMirrored, 2, [6, 3, 5, 2, 4, 1]),
    (.left, 2, [4, 1, 5, 2, 6, 3]),
  ]

  @Test("rotates every stored image upright", arguments: stored)
  func turnsUpright(orientation: ImageOrientation, width: Int, bytes: [UInt8]) throws {
    let image = try ImageBuffer(bytes: bytes, width: width, height: 6 / width, pixelFormat: .gray8)
    let upright = try image.oriented(orientation)
    #expect(upright.width == 3)
    #expect(upright.height == 2)
    #expect(upright.packedBytes() == [1, 2, 3, 4, 5, 6])
  }

  @Test("raw values are those of EXIF")
  func rawValuesAreEXIF() {
    #expect(ImageOrientation(rawValue: 6) == .right)
    #expect(ImageOrientation(rawValue: 8) == .left)
    #expect(ImageOrientation(rawValue: 5) == .leftMirrored)
    #expect(ImageOrientation(rawValue: 7) == .rightMirrored)
    #expect(ImageOrientation(rawValue: 0) == nil)
    #expect(ImageOrientation.allCases.map(\.rawValue) == Array(1...8))
  }

  @Test("is reverted by its inverse, in every format and with padded rows", arguments: ImageOrientation.allCases)
  func isUndoneByInverse(orientation: ImageOrientation) throws {
    for format in PixelFormat.allCases {
      let image = try TestImages.pattern(width: 7, height: 4, format: format, rowPadding: 3)
      let turned = try image.oriented(orientation)
      #expect((turned.width, turned.height) == (orientation.swapsWidthAndHeight ? (4, 7) : (7, 4)))
      #expect(try turned.oriented(orientation.inverse).packedBytes() == image.packedBytes())
    }
  }

  @Test("maps points like pixels", arguments: stored)
  func mapsPointsLikePixels(orientation: ImageOrientation, width: Int, bytes: [UInt8]) {
    let height = 6 / width
    for row in 0..<2 {
      for column in 0..<3 {
        let upright = NormalizedPoint(x: (Float(column) + 0.5) / 3, y: (Float(row) + 0.5) / 2)
        let point = orientation.uprightToStored(upright)
        let index = Int(point.y * Float(height)) * width + Int(point.x * Float(width))
        #expect(bytes[index] == UInt8(3 * row + column + 1))
        let back = orientation.storedToUpright(point)
        #expect(abs(back.x - upright.x) < 1e-6 && abs(back.y - upright.y) < 1e-6)
      }
    }
  }

  @Test("a single pixel survives every orientation", arguments: ImageOrientation.allCases)
  func singlePixelSurvives(orientation: ImageOrientation) throws {
    let image = try ImageBuffer(bytes: [1, 2, 3, 4], width: 1, height: 1, pixelFormat: .bgra8)
    #expect(try image.oriented(orientation).packedBytes() == [1, 2, 3, 4])
  }
}
