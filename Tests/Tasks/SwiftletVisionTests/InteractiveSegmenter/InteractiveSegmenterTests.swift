import SwiftletImage
import SwiftletEngine
import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("Interactive segmenter")
struct InteractiveSegmenterTests {
  /// Returns a model whose four masks are the four channels of the image.
  private func model(width: Int = 8, height: Int = 6) -> PassingModel {
    var model = PassingModel(width: width, height: height, outputs: [.init(shape: [1, height, width, 4])])
    model.channels = 4
    return model
  }

  private func makeImage(width: Int = 8, height: Int = 6, format: PixelFormat = .rgb8) throws -> InputImage {
    InputImage(
      try ImageBuffer(
        bytes: (0..<width * height * format.bytesPerPixel).map { UInt8(truncatingIfNeeded: $0 * 37) }, width: width,
        height: height, pixelFormat: format))
  }

  /// Returns the marked pixels of the fourth channel, a line of `#` and `.` per row.
  private func marks(_ region: InteractiveRegion, _ image: InputImage? = nil) throws -> [String] {
    let image = try image ?? makeImage()
    let segmenter = try InteractiveSegmenter(
      options: InteractiveSegmenterOptions(baseOptions: model(width: image.width, height: image.height).base))
    let mask = try segmenter.segmentation(of: image, region: region).confidenceMasks[3].pixels
    #expect(mask.allSatisfy { $0 == 0 || $0 == 255 })
    return (0..<image.height).map { row in
      String(mask[row * image.width..<(row + 1) * image.width].map { $0 == 255 ? "#" : "." })
    }
  }

  private static func at(_ x: Float, _ y: Float) -> NormalizedPoint { NormalizedPoint(x: x, y: y) }

  @Test("a point is a disc in the fourth channel, and the colors come from the image")
  func point() throws {
    #expect(
      try marks(.point(Self.at(0.5, 0.5))) == ["........", "........", "....#...", "...###..", "....#...", "........"])
    let segmenter = try InteractiveSegmenter(.bytes(model().bytes))
    let image = try makeImage()
    let masks = try segmenter.segmentation(of: image, region: .point(Self.at(0, 0))).confidenceMasks
    let bytes = image.buffer.packedBytes()
    for channel in 0..<3 {
      #expect(masks[channel].pixels == stride(from: channel, to: bytes.count, by: 3).map { Float(bytes[$0]) })
    }
  }

  @Test("the image's own alpha is ignored", arguments: [PixelFormat.rgba8, .bgra8])
  func alpha(format: PixelFormat) throws {
    let plain = try marks(.point(Self.at(0.5, 0.5)))
    #expect(try marks(.point(Self.at(0.5, 0.5)), makeImage(format: format)) == plain)
  }

  @Test("marks are clipped at the edges")
  func clipping() throws {
    let none = [String](repeating: "........", count: 6)
    #expect(try marks(.point(Self.at(0, 0))) == ["##......", "#......."] + none[2...])
    #expect(try marks(.point(Self.at(1, 0.5)))[3] == ".......#")
    #expect(try marks(.point(Self.at(1, 1))) == none)
    #expect(try marks(.point(Self.at(-0.05, 0))) == ["##......", "#......."] + none[2...])
    for far: Float in [-1, 2, -1e30, 1e30, .greatestFiniteMagnitude] {
      #expect(try marks(.point(Self.at(far, 0.5))) == none)
      #expect(try marks(.point(Self.at(0.5, far))) == none)
    }
  }

  @Test("positions are rounded to the nearest pixel, half away from zero")
  func rounding() throws {
    #expect(try marks(.point(Self.at(0.3125, 0)))[0] == "..###...")
    #expect(try marks(.point(Self.at(0.3, 0)))[0] == ".###....")
  }

  @Test("a scribble is a disc for each of its points, without connections")
  func scribble() throws {
    #expect(try marks(.scribble([Self.at(0, 0), Self.at(0.75, 0)]))[0] == "##...###")
    let point = Self.at(0.5, 0.5)
    #expect(try marks(.scribble([point, point])) == marks(.point(point)))
  }

  @Test("the cost of a scribble with a million points depends on the area it covers")
  func manyPoints() throws {
    let points = (0..<1_000_000).map { Self.at(Float($0 % 1000) / 1000, Float($0 / 1000) / 1000) }
    #expect(try marks(.scribble(points)) == [String](repeating: "########", count: 6))
  }

  @Test("regions without a valid position are rejected, and the next call succeeds")
  func hostileRegions() throws {
    let segmenter = try InteractiveSegmenter(.bytes(model().bytes))
    let image = try makeImage()
    let empty = taskError { _ = try segmenter.segmentation(of: image, region: .scribble([])) }
    #expect(empty?.code == .invalidRegion && empty?.message.contains("no points") == true)
    for bad: Float in [.nan, .infinity, -.infinity] {
      for point in [Self.at(bad, 0), Self.at(0, bad)] {
        let error = taskError { _ = try segmenter.segmentation(of: image, region: .scribble([Self.at(0, 0), point])) }
        #expect(error?.code == .invalidRegion && error?.message.contains("point 1 ") == true)
      }
    }
    #expect(try segmenter.segmentation(of: image, region: .point(Self.at(0, 0))).confidenceMasks.count == 4)
  }

  @Test("models without a channel for the region are rejected")
  func threeChannels() {
    let model = PassingModel(width: 4, height: 3, outputs: [.init(shape: [1, 3, 4, 3])])
    let error = taskError { _ = try InteractiveSegmenter(.bytes(model.bytes)) }
    #expect(error?.code == .invalidModel && error?.message.contains("no channel for the region") == true)
  }

  @Test("options equal those of an image segmenter")
  func options() throws {
    let image = try makeImage(width: 16, height: 12)
    let region = InteractiveRegion.point(Self.at(0.5, 0.5))
    let segmenter = try InteractiveSegmenter(.bytes(model().bytes)) {
      $0.outputs.remove(.confidenceMasks)
      $0.outputs.insert(.categoryMask)
    }
    let result = try segmenter.segmentation(of: image, region: region)
    #expect(result.confidenceMasks.isEmpty && result.categoryMask?.width == 16 && result.qualityScores.count == 4)
    let small = try InteractiveSegmenter(.bytes(model().bytes)) { $0.maskResolution = .model }
    #expect(try small.segmentation(of: image, region: region).confidenceMasks[0].width == 8)
    let error = taskError {
      _ = try InteractiveSegmenter(.bytes(model().bytes)) { $0.outputs.remove(.confidenceMasks) }
    }
    #expect(error?.code == .invalidOption)
  }

  @Test("calls can be awaited")
  func awaited() async throws {
    let segmenter = try InteractiveSegmenter(.bytes(model().bytes))
    let image = try makeImage()
    let masks = try await segmenter.segmentation(of: image, region: .point(Self.at(0, 0)), priority: .userInitiated)
      .confidenceMasks
    #expect(masks[3].pixels.prefix(3) == [255, 255, 0])
    await #expect(throws: TaskError.self) {
      try await segmenter.segmentation(of: image, region: .scribble([]), priority: .userInitiated)
    }
  }

  @Test("labels come from the model, and the region is marked in the stored image, whatever its orientation")
  func labelsAndOrientation() throws {
    var named = model()
    named.outputs[0].labels = ["a", "b", "c", "d"]
    let segmenter = try InteractiveSegmenter(.bytes(named.bytes))
    #expect(segmenter.labels == ["a", "b", "c", "d"] && segmenter.displayNames.isEmpty)
    var image = try makeImage()
    image.orientation = .upMirrored
    let mask = try segmenter.segmentation(of: image, region: .point(Self.at(0, 0))).confidenceMasks[3]
    #expect(mask[0, 0] == 255 && mask[image.width - 1, 0] == 0)
  }
}
