import SwiftletEngine
@_spi(Facades) import SwiftletImage
import SwiftletTestSupport
import Testing

@_spi(Facades) @testable import SwiftletVision

@Suite("Inputs of vision models")
struct VisionModelInputTests {
  /// Returns a model that passes on its input, an image of 2 × 1 pixels.
  private func model(_ type: ElementType = .float32, scale: Float? = nil) -> PassingModel {
    PassingModel(type: type, scale: scale, width: 2, height: 1, outputs: [.init(shape: [1, 6])])
  }

  private func load(
    _ model: PassingModel, _ requirements: VisionModelInput.Requirements = .stretched,
    _ normalization: InputNormalization? = nil
  ) throws -> VisionModel {
    var base = model.base
    base.inputNormalization = normalization
    return try VisionModel(ModelContext(base), input: requirements)
  }

  private func error(
    _ model: PassingModel, _ requirements: VisionModelInput.Requirements = .stretched,
    _ normalization: InputNormalization? = nil
  ) -> TaskError? { thrownError { try load(model, requirements, normalization) } }

  /// Returns the model's input for these pixels.
  private func input(
    _ model: PassingModel, _ requirements: VisionModelInput.Requirements = .stretched,
    _ normalization: InputNormalization? = nil, pixels: [UInt8] = [10, 20, 30, 40, 50, 60]
  ) throws -> [Float] {
    let model = try load(model, requirements, normalization)
    _ = try model.run(InputImage(rgb: pixels, width: pixels.count / 3, height: 1))
    return try model.withRealOutput(0) { Array($0) }
  }

  // MARK: Shapes

  @Test(
    "an input is one color image",
    arguments: [
      ([1, 1, 2, 3], true), ([2, 1, 1, 3], false), ([1, 2, 3], false), ([1, 1, 1, 2, 3], false), ([1, 1, 6, 1], false),
      ([1, 1, 3, 2], false), ([6], false), ([1, 1, 1, 6], false),
    ])
  func shapes(shape: [Int], isImage: Bool) {
    var model = model()
    model.inputShape = shape
    let error = error(model)
    #expect((error == nil) == isImage)
    guard let error else { return }
    #expect(error.code == .invalidModel)
    #expect(error.message.hasSuffix("is not a color image; it must be [1 × height × width × 3]"))
  }

  @Test("four channels are supported only for tasks with alpha, and two or five never")
  func alpha() throws {
    var requirements = VisionModelInput.Requirements()
    requirements.acceptsAlpha = true
    for channels in 1...5 {
      var model = PassingModel(width: 2, height: 1, outputs: [.init(shape: [1, 2 * channels])])
      model.channels = channels
      #expect((error(model) == nil) == (channels == 3), "\(channels)")
      let error = error(model, requirements)
      #expect((error == nil) == (channels == 3 || channels == 4), "\(channels)")
      #expect(error == nil || error?.message.hasSuffix("× width × 3], or 4 with alpha") == true)
    }
    var model = PassingModel(width: 2, height: 1, outputs: [.init(shape: [1, 8])])
    model.channels = 4
    let input = try load(model, requirements).input
    #expect(input.hasAlpha && input.width == 2 && input.height == 1 && !input.clearsAlpha)
    #expect(try !load(self.model(), requirements).input.hasAlpha)
  }

  @Test("a vision model has one input")
  func inputCount() {
    var model = model()
    model.hasSecondInput = true
    let error = error(model)
    #expect(error?.code == .invalidModel)
    #expect(error?.message == "the model has 2 inputs, a vision task's model has one")
  }

  @Test("metadata with gray images is rejected, and color is optional")
  func colorSpaces() {
    for (space, isFine) in [(nil, true), (0, true), (1, true), (2, false)] as [(Int8?, Bool)] {
      var model = model(.uint8, scale: 1)
      model.colorSpace = space
      let error = error(model)
      #expect((error == nil) == isFine)
      #expect(isFine || error?.code == .invalidModel)
      #expect(isFine || error?.message == "the model requires gray images; only RGB models are supported")
    }
  }

  // MARK: Numbers

  @Test("normalization comes from the options, else from the metadata, else from the task")
  func normalizations() throws {
    var described = model()
    described.normalization = (10, 2)
    let own = VisionModelInput.Requirements(
      defaultNormalization: InputNormalization(mean: [0], standardDeviation: [10]))
    let given = InputNormalization(mean: [10, 20, 30], standardDeviation: [1, 2, 3])
    #expect(try input(described) == [0, 5, 10, 15, 20, 25])
    #expect(try input(described, own) == [0, 5, 10, 15, 20, 25])
    #expect(try input(described, own, given) == [0, 0, 0, 30, 15, 10])
    var bare = model()
    bare.normalization = nil
    for (found, expected) in zip(try input(bare, own), [1, 2, 3, 4, 5, 6] as [Float]) {
      #expect(abs(found - expected) < 1e-5)
    }
    let none = error(bare)
    #expect(none?.code == .missingMetadata)
    #expect(none?.message.contains("takes float32 but its metadata has no NormalizationOptions") == true)
    #expect(none?.message.hasSuffix("or set inputNormalization in the base options") == true)
    #expect(error(bare, .stretched, given) == nil)
    let broken = error(model(), .stretched, InputNormalization(mean: [1], standardDeviation: [0]))
    #expect(broken?.code == .invalidModel && broken?.message.contains("the model's input") == true)
  }

  @Test("uint8 inputs get the image's bytes, whatever the normalization")
  func bytes() throws {
    let normalization = InputNormalization(mean: [100], standardDeviation: [7])
    #expect(try input(model(.uint8, scale: 1), .stretched, normalization) == [10, 20, 30, 40, 50, 60])
  }

  @Test("int8 inputs get quantized normalized values if there are a normalization and one scale, or else shifted bytes")
  func signedBytes() throws {
    var model = model(.int8, scale: 0.5)
    model.normalization = nil
    model.zeroPoint = 3
    // The byte minus 128, dequantized.
    #expect(try input(model) == [10, 20, 30, 40, 50, 60].map { ($0 - 128 - 3) * 0.5 })
    let normalization = InputNormalization(mean: [30], standardDeviation: [2])
    #expect(try input(model, .stretched, normalization) == [-10, -5, 0, 5, 10, 15])
    let own = VisionModelInput.Requirements(
      defaultNormalization: InputNormalization(mean: [30], standardDeviation: [1]))
    #expect(try input(model, own) == [-20, -10, 0, 10, 20, 30])
  }

  @Test("other types of numbers are rejected")
  func otherTypes() {
    for type in [ElementType.int16, .int32] {
      let error = error(model(type))
      #expect(error?.code == .invalidModel && error?.message.hasSuffix("must be uint8, int8 or float32") == true)
    }
  }

  // MARK: Images

  @Test("an image is stretched, or letterboxed with zeros or its edge")
  func aspect() throws {
    let model = PassingModel(width: 2, height: 2, outputs: [.init(shape: [1, 12])])
    let pixels: [UInt8] = [8, 8, 8, 8, 8, 8]
    #expect(try input(model, pixels: pixels) == [Float](repeating: 8, count: 12))
    var requirements = VisionModelInput.Requirements()
    #expect(!requirements.keepsAspectRatio && !requirements.acceptsAlpha && requirements.border == .replicate)
    #expect(requirements.defaultNormalization == nil)
    requirements.keepsAspectRatio = true
    #expect(try input(model, requirements, pixels: pixels) == [Float](repeating: 8, count: 12))
    requirements.border = .zero
    let letterboxed = try input(model, requirements, pixels: pixels)
    #expect(letterboxed != [Float](repeating: 8, count: 12) && letterboxed.max() == 4)
  }

  @Test(
    "a region of interest has an area",
    arguments: [(0.5, 0.5, true), (0, 1, false), (1, 0, false), (-1, 1, false), (1, -0.25, false)]
      as [(Float, Float, Bool)])
  func regions(width: Float, height: Float, isFine: Bool) throws {
    let model = try load(model())
    let region = NormalizedRect(center: NormalizedPoint(x: 0.5, y: 0.5), width: width, height: height)
    let error = taskError {
      _ = try model.run(InputImage(rgb: [1, 2, 3], width: 1, height: 1), region: region)
    }
    #expect((error == nil) == isFine)
    guard let error else { return }
    #expect(error.code == .invalidRegion)
    #expect(
      error.message
        == "the region of interest is \(width) × \(height) of the image; both must be greater than 0")
  }

  // MARK: InputImage

  @Test("an image has the size of its pixels or of its source")
  func sizes() throws {
    let buffer = try ImageBuffer(bytes: [1, 2, 3, 4, 5, 6], width: 2, height: 1, pixelFormat: .rgb8)
    var image = InputImage(buffer)
    #expect(image.width == 2 && image.height == 1 && image.orientation == .up)
    #expect(InputImage(buffer, orientation: .left).orientation == .left)
    #expect(try InputImage(rgb: [1, 2, 3], width: 1, height: 1).orientation == .up)
    #expect(try InputImage(rgb: [1, 2, 3], width: 1, height: 1, orientation: .down).orientation == .down)
    image = InputImage(buffer, ofWidth: 20, height: 10)
    #expect(image.width == 20 && image.height == 10 && image.orientation == .up)
    let replaced = image.replacingPixels { $0 }
    #expect(replaced.width == 20 && replaced.height == 10)
    image.buffer = buffer
    #expect(image.width == 2 && image.height == 1)
  }

  #if !canImport(UIKit)
    @Test("a snapshot has the owner's orientation")
    func snapshot() throws {
      let buffer = try ImageBuffer(bytes: [1, 2, 3], width: 1, height: 1, pixelFormat: .rgb8)
      for orientation in ImageOrientation.allCases {
        let snapshot = try ImageSnapshot(ImageBufferSource(buffer), orientation: orientation)
        #expect(try snapshot.inputImage().orientation == orientation)
      }
    }
  #endif
}
