import Foundation
import SwiftletImage
import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("Sizes in which pictures are drawn")
struct DrawingSizeTests {
  private func size(_ width: Int, _ height: Int, _ detail: PictureDetail = .parts) -> [Int] {
    let size = DrawingSize(bitmapWidth: width, bitmapHeight: height, for: detail)
    return [size.width, size.height]
  }

  @Test("are the pictures' own up to 16.8 million pixels, whatever the task needs")
  func ordinary() {
    let small = PictureDetail.input(width: 96, height: 96)
    for (width, height) in [(4096, 4096), (4032, 3024), (1, 1), (1 << 20, 16)] {
      #expect(size(width, height) == [width, height] && size(width, height, small) == [width, height])
    }
  }

  @Test("have no more pixels than that for tasks that look at parts")
  func parts() {
    #expect(size(8192, 8192) == [4096, 4096])
    #expect(size(8064, 6048) == [4729, 3547])
    #expect(size(4097, 4096) == [4096, 4095])
    let strip = size(1 << 24, 2)
    #expect(strip == [11_863_283, 1])
    let huge = size(.max, .max)
    #expect(abs(huge[0] - 4096) <= 1 && abs(huge[1] - 4096) <= 1)
  }

  @Test("have four pixels for each of the model's, or that of a region")
  func input() {
    let model = PictureDetail.input(width: 192, height: 256)
    // 6048 pixels of the shorter side for the longer one of the model, as either may be turned.
    #expect(size(8064, 6048, model) == [1365, 1024])
    let quarter = model.within(NormalizedRect(left: 0.25, top: 0, right: 0.5, bottom: 1))
    #expect(size(8064, 6048, quarter) == [4096, 3072])
    #expect(model.within(nil) == model && PictureDetail.parts.within(.fullImage) == .parts)
    // A region that is an error later, and one that reaches beyond the picture.
    for side in [0, -1, .nan] as [Float] {
      let region = NormalizedRect(center: NormalizedPoint(x: 0.5, y: 0.5), width: side, height: 0.5)
      #expect(size(8192, 8192, model.within(region)) == [4096, 4096])
    }
    let beyond = NormalizedRect(center: NormalizedPoint(x: 0.5, y: 0.5), width: 3, height: .infinity)
    #expect(size(8064, 6048, model.within(beyond)) == [1365, 1024])
    // A model with a large input.
    #expect(size(8192, 8192, .input(width: 4000, height: 4000)) == [4096, 4096])
  }

  @Test("do not show: results are those of the picture that was drawn")
  func results() throws {
    let objects = [BoxReadingModel.Object(left: 51, top: 102, right: 153, bottom: 204, score: 250)]
    let drawn = try ImageBuffer(
      bytes: BoxReadingModel.picture(objects, width: 50, height: 100), width: 50, height: 100, pixelFormat: .rgb8)
    let picture = MPImage(drawn, ofWidth: 5000, height: 10000)
    #expect(picture.width == 5000 && picture.height == 10000 && picture.orientation == .up)
    let detector = try ObjectDetector(model: .bytes(BoxReadingModel.bytes))
    let small = try #require(try detector.detect(MPImage(drawn)).detections.first).boundingBox
    let large = try #require(try detector.detect(picture).detections.first).boundingBox
    #expect(abs(large.minX - 1000) <= 1 && abs(large.maxY - 8000) <= 1, "\(large)")
    #expect(abs(large.minX - 100 * small.minX) <= 100 && abs(large.maxY - 100 * small.maxY) <= 100)
    #expect(detector.detail() == .input(width: 10, height: 10))
    // Other pixels are another picture, unless they are marks in the same.
    var other = picture
    other.buffer = try ImageBuffer(bytes: [1, 2, 3], width: 1, height: 1, pixelFormat: .rgb8)
    #expect(other.width == 1 && picture.replacingPixels { $0 }.width == 5000)
  }
}
