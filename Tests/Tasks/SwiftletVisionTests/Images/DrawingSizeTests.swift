import Foundation
@_spi(Facades) import SwiftletImage
import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("Sizes of rendered images")
struct DrawingSizeTests {
  private func size(_ width: Int, _ height: Int) -> [Int] {
    let size = DrawingSize(bitmapWidth: width, bitmapHeight: height)
    return [size.width, size.height]
  }

  @Test("are unchanged up to 16.8 million pixels")
  func ordinary() {
    for (width, height) in [(4096, 4096), (4032, 3024), (1, 1), (1 << 20, 16)] {
      #expect(size(width, height) == [width, height])
    }
  }

  @Test("never exceed that number of pixels")
  func parts() {
    #expect(size(8192, 8192) == [4096, 4096])
    #expect(size(8064, 6048) == [4729, 3547])
    #expect(size(4097, 4096) == [4096, 4095])
    let strip = size(1 << 24, 2)
    #expect(strip == [11_863_283, 1])
    let huge = size(.max, .max)
    #expect(abs(huge[0] - 4096) <= 1 && abs(huge[1] - 4096) <= 1)
  }

  @Test("don't affect results, which refer to the original image")
  func results() throws {
    let objects = [BoxReadingModel.Object(left: 51, top: 102, right: 153, bottom: 204, score: 250)]
    let drawn = try ImageBuffer(
      bytes: BoxReadingModel.pixels(objects, width: 50, height: 100), width: 50, height: 100, pixelFormat: .rgb8)
    let image = InputImage(drawn, ofWidth: 5000, height: 10000)
    #expect(image.width == 5000 && image.height == 10000 && image.orientation == .up)
    let detector = try ObjectDetector(.bytes(BoxReadingModel.bytes))
    let small = try #require(try detector.objects(in: InputImage(drawn)).first).box
    let large = try #require(try detector.objects(in: image).first).box
    #expect(abs(large.x - 1000) <= 1 && abs(large.bottom - 8000) <= 1, "\(large)")
    #expect(abs(large.x - 100 * small.x) <= 100 && abs(large.bottom - 100 * small.bottom) <= 100)
    // Different pixels mean another image, unless they are annotations in the same image.
    var other = image
    other.buffer = try ImageBuffer(bytes: [1, 2, 3], width: 1, height: 1, pixelFormat: .rgb8)
    #expect(other.width == 1 && image.replacingPixels { $0 }.width == 5000)
  }
}
