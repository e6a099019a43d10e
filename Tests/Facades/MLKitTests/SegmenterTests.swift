import Foundation
import MLKit
import SwiftletTestSupport
import Testing

import struct SwiftletImage.InputImage
import class SwiftletVision.ImageSegmenter

@Suite("ML Kit's segmenter", .enabled(if: TestData.isAvailable, "\(TestData.skipReason)"), .timeLimit(.minutes(30)))
struct SegmenterTests {
  private static var model: LocalModel {
    LocalModel(path: TestData.path("models/segmentation/selfie_segmentation_256_metadata.tflite"))
  }

  private func options(_ change: (SelfieSegmenterOptions) -> Void = { _ in }) -> SelfieSegmenterOptions {
    let options = SelfieSegmenterOptions()
    options.model = Self.model
    options.completionQueue = DispatchQueue(label: "completions")
    change(options)
    return options
  }

  private func buffer() throws -> ImageBuffer {
    try MediaPipeImage.decode(path: TestData.path("images/grace_hopper.jpg"))
  }

  @Test("returns the native task's mask, with every form of the call and in both modes")
  func mask() async throws {
    let buffer = try buffer(), image = VisionImage(imageBuffer: buffer)
    let native = try ImageSegmenter(.file(Self.model.path)).segmentation(of: InputImage(buffer)).confidenceMasks
    #expect(native.count == 1)
    for mode in [SegmenterMode.stream, .singleImage] {
      let segmenter = try Segmenter.make(options: options { $0.segmenterMode = mode })
      func blocking() throws -> SegmentationMask { try segmenter.results(in: image) }
      #expect(try blocking().confidenceMask == native[0])
      #expect(try await segmenter.process(image).confidenceMask == native[0])
      let told = await withCheckedContinuation { continuation in
        segmenter.process(image) { mask, error in continuation.resume(returning: error == nil ? mask : nil) }
      }
      #expect(told?.confidenceMask == native[0])
    }
    #expect(native[0].width == 517 && native[0].height == 606)
    // Her face, and the upper corner of the background.
    #expect(native[0][260, 220].map { $0 > 0.9 } == true && native[0][5, 5].map { $0 < 0.1 } == true)
    #expect(native[0].pixels.allSatisfy { (0...1).contains($0) })
  }

  @Test("a raw mask has the size of the model's output")
  func rawSize() throws {
    let segmenter = Segmenter.segmenter(options: options { $0.shouldEnableRawSizeMask = true })
    let mask = try segmenter.results(in: VisionImage(imageBuffer: try buffer())).confidenceMask
    #expect(mask.width == 256 && mask.height == 256)
    #expect(mask[128, 90].map { $0 > 0.9 } == true && mask[2, 2].map { $0 < 0.1 } == true)
  }

  @Test("masks have the orientation of the stored image", arguments: ImageOrientation.allCases, [false, true])
  func oriented(orientation: ImageOrientation, isRaw: Bool) throws {
    let segmenter = Segmenter.segmenter(options: options { $0.shouldEnableRawSizeMask = isRaw })
    let upright = try buffer(), stored = try upright.oriented(orientation.inverse)
    let image = VisionImage(imageBuffer: stored)
    image.orientation = orientation
    let expected = try segmenter.results(in: VisionImage(imageBuffer: upright)).confidenceMask
    let mask = try segmenter.results(in: image).confidenceMask
    let isSwapped = orientation.swapsWidthAndHeight
    #expect(mask.width == (isSwapped ? expected.height : expected.width))
    #expect(mask.height == (isSwapped ? expected.width : expected.height))
    if !isRaw { #expect(mask.width == stored.width && mask.height == stored.height) }
    // Rotating an image and its mask is the same as rotating the image first.
    let map = orientation.storedToUpright
    var differences = 0
    for y in stride(from: 0, to: mask.height, by: 3) {
      for x in stride(from: 0, to: mask.width, by: 3) {
        let (across, down) = ((Float(x) + 0.5) / Float(mask.width), (Float(y) + 0.5) / Float(mask.height))
        let column = Int((map.xx * across + map.xy * down + map.x0) * Float(expected.width))
        let row = Int((map.yx * across + map.yy * down + map.y0) * Float(expected.height))
        if mask[x, y] != expected[column, row] { differences += 1 }
      }
    }
    #expect(differences == 0)
  }

  @Test("invalid options and models are errors")
  func invalidOptions() throws {
    func code(_ change: (SelfieSegmenterOptions) -> Void) -> MLKitError.Code? {
      mlKitError { _ = try Segmenter.make(options: options(change)) }?.code
    }
    for value in [Int.min, -1, 2, .max] {
      #expect(code { $0.segmenterMode = SegmenterMode(rawValue: value) } == .invalidArgument)
    }
    #expect(code { $0.threadCount = 0 } == .invalidArgument)
    #expect(code { $0.model = LocalModel(path: "/nowhere.tflite") } == .notFound)
    #expect(code { _ in } == nil)
    let several = LocalModel(path: TestData.path("models/segmentation/deeplabv3_257_metadata.tflite"))
    let segmenter = Segmenter.segmenter(options: options { $0.model = several })
    let error = mlKitError { _ = try segmenter.results(in: VisionImage(imageBuffer: try buffer())) }
    #expect(error?.code == .invalidArgument && error?.message.contains("'selfie-segmenter'") == true, "\(error as Any)")
  }
}

@Suite("Values of ML Kit's segmentation")
struct SegmentationValueTests {
  @Test("options have ML Kit's defaults, and modes its raw values")
  func defaults() {
    let options = SelfieSegmenterOptions()
    #expect(options.segmenterMode == .stream && !options.shouldEnableRawSizeMask)
    #expect(SegmenterMode.singleImage.rawValue == 0 && SegmenterMode.stream.rawValue == 1)
  }

  @Test("a mask is rotated back to the stored image", arguments: ImageOrientation.allCases)
  func rotatedBack(orientation: ImageOrientation) throws {
    // A model that returns the bytes of an image of 2 × 3 pixels as a mask of 6 × 3.
    let model = PassingModel(
      type: .uint8, scale: 1 / 255, width: 2, height: 3, outputs: [.init(shape: [1, 3, 6, 1])])
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".tflite")
    try Data(model.bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let options = SelfieSegmenterOptions()
    (options.model, options.shouldEnableRawSizeMask) = (LocalModel(path: file.path), true)
    let bytes = (0..<18).map { UInt8(10 * $0) }
    let upright = try ImageBuffer(bytes: bytes, width: 2, height: 3, pixelFormat: .rgb8)
    let image = VisionImage(imageBuffer: try upright.oriented(orientation.inverse))
    image.orientation = orientation
    let mask = try Segmenter.make(options: options).results(in: image).confidenceMask
    // The same rotation of an image whose pixels are the numbers of the mask.
    let numbers = bytes.flatMap { byte -> [UInt8] in [byte, 0, 0] }
    let expected = try ImageBuffer(bytes: numbers, width: 6, height: 3, pixelFormat: .rgb8).oriented(
      orientation.inverse)
    #expect(mask.width == expected.width && mask.height == expected.height)
    let reds = stride(from: 0, to: 54, by: 3).map { expected.packedBytes()[$0] }
    #expect(mask.pixels.map { UInt8(($0 * 255).rounded()) } == reds)
  }
}

/// Serialized, because the default model belongs to the process.
@Suite("The default model of ML Kit's segmenters", .serialized, .timeLimit(.minutes(10)))
struct DefaultSegmenterModelTests {
  @Test("a missing model is an error that names a published one")
  func missingModel() throws {
    let error = mlKitError { _ = try Segmenter.make(options: SelfieSegmenterOptions()) }
    #expect(error?.code == .notFound && error?.message.contains("'swiftlet models fetch selfie-segmenter'") == true)
    #expect(error?.message.contains("Segmenter.defaultModel") == true)
  }

  @Test("an MLImage, and an app's service", .enabled(if: TestData.isAvailable, "\(TestData.skipReason)"))
  func client() async throws {
    Segmenter.defaultModel = LocalModel(
      path: TestData.path("models/segmentation/selfie_segmentation_256_metadata.tflite"))
    defer { Segmenter.defaultModel = nil }
    let service = PortraitService()
    let buffer = try MediaPipeImage.decode(path: TestData.path("images/grace_hopper.jpg"))
    let image = VisionImage(imageBuffer: buffer)
    #expect(try service.isSegmented(image) && service.isSegmented(MLImage(imageBuffer: buffer)))
    #expect(await service.isSegmentedLater(image))
  }
}
