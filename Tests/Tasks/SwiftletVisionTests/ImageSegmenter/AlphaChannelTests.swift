import SwiftletImage
import SwiftletEngine
import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("Segmentation models with an alpha channel")
struct AlphaChannelTests {
  private func model(labels: [String]? = nil) -> PassingModel {
    var model = PassingModel(width: 2, height: 2, outputs: [.init(shape: [1, 2, 4, 2], labels: labels)])
    model.channels = 4
    return model
  }

  /// Returns the model's input, with interleaved channels.
  private func input(_ model: PassingModel, _ image: InputImage) throws -> [Float] {
    let segmenter = try ImageSegmenter(options: ImageSegmenterOptions(baseOptions: model.base, maskResolution: .model))
    let masks = try segmenter.segmentation(of: image).confidenceMasks.map(\.pixels)
    return (0..<16).map { masks[$0 % 2][$0 / 2] }
  }

  private func makeImage(width: Int, height: Int, format: PixelFormat = .rgba8) throws -> ImageBuffer {
    try ImageBuffer(
      bytes: (0..<width * height * format.bytesPerPixel).map { UInt8(truncatingIfNeeded: $0 * 29) }, width: width,
      height: height, pixelFormat: format)
  }

  @Test("get all four channels of the image")
  func sameSize() throws {
    let buffer = try makeImage(width: 2, height: 2)
    #expect(try input(model(), InputImage(buffer)) == buffer.packedBytes().map(Float.init))
  }

  @Test("get opaque images if there is no alpha")
  func opaque() throws {
    let buffer = try makeImage(width: 2, height: 2, format: .rgb8)
    let values = try input(model(), InputImage(buffer))
    #expect(stride(from: 3, to: 16, by: 4).allSatisfy { values[$0] == 255 })
    #expect(values[0..<3] == ArraySlice(buffer.packedBytes()[0..<3].map(Float.init)))
  }

  @Test("downscale by area means, and interpolate otherwise")
  func resizing() throws {
    let larger = try makeImage(width: 4, height: 6)
    #expect(
      try input(model(), InputImage(larger)) == larger.averaged(width: 2, height: 2).packedBytes().map(Float.init))
    let wider = try makeImage(width: 5, height: 2)
    #expect(try input(model(), InputImage(wider)) == wider.resized(width: 2, height: 2).packedBytes().map(Float.init))
  }

  @Test("ignore orientations")
  func orientation() throws {
    let buffer = try makeImage(width: 2, height: 2)
    #expect(try input(model(), InputImage(buffer, orientation: .right)) == input(model(), InputImage(buffer)))
  }

  @Test("for hair get an image without alpha")
  func hair() throws {
    let buffer = try makeImage(width: 2, height: 2)
    let values = try input(model(labels: ["background", "hair"]), InputImage(buffer))
    let plain = buffer.packedBytes().map(Float.init)
    for index in 0..<16 { #expect(values[index] == (index % 4 == 3 ? 0 : plain[index])) }
    #expect(try input(model(labels: ["hair", "background"]), InputImage(buffer)) == plain)
  }

  @Test("accept three equal normalization values for all channels")
  func normalization() throws {
    var model = model()
    model.hasMetadata = false
    let buffer = try makeImage(width: 2, height: 2)
    var base = model.base
    base.inputNormalization = InputNormalization(mean: [1, 1, 1], standardDeviation: [1, 1, 1])
    let segmenter = try ImageSegmenter(options: ImageSegmenterOptions(baseOptions: base, maskResolution: .model))
    let mask = try #require(try segmenter.segmentation(of: InputImage(buffer)).confidenceMasks.first)
    #expect(mask.withPixels { $0[0] } == Float(buffer.packedBytes()[0]) - 1)
    base.inputNormalization = InputNormalization(mean: [1, 2, 1], standardDeviation: [1, 1, 1])
    #expect(
      taskError { _ = try ImageSegmenter(options: ImageSegmenterOptions(baseOptions: base)) }?.code == .invalidModel)
  }
}
