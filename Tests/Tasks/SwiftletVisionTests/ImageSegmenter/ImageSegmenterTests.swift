import SwiftletImage
import SwiftletEngine
import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("Image segmenter")
struct ImageSegmenterTests {
  /// Returns a model of three classes whose scores are the red, green, and blue of an image of 4 × 3.
  private func model(_ outputs: [PassingModel.Output]? = nil) -> PassingModel {
    PassingModel(
      width: 4, height: 3, outputs: outputs ?? [.init(shape: [1, 3, 4, 3], labels: ["red", "green", "blue"])])
  }

  private func makeImage(width: Int = 4, height: Int = 3, seed: UInt64 = 1) throws -> ImageBuffer {
    var random = SplitMix64(state: seed)
    return try ImageBuffer(
      bytes: (0..<width * height * 3).map { _ in UInt8.random(in: 0...255, using: &random) }, width: width,
      height: height,
      pixelFormat: .rgb8)
  }

  private func segment(
    _ model: PassingModel, _ image: InputImage, category: Bool = true, confidence: Bool = true,
    _ change: (inout ImageSegmenterOptions) -> Void = { _ in }
  ) throws -> Segmentation {
    var options = ImageSegmenterOptions(baseOptions: model.base, outputs: [])
    if category { options.outputs.insert(.categoryMask) }
    if confidence { options.outputs.insert(.confidenceMasks) }
    change(&options)
    return try ImageSegmenter(options: options).segmentation(of: image)
  }

  @Test("returns a confidence mask per class and the class of every pixel, in the image's size")
  func masks() throws {
    let buffer = try makeImage()
    let bytes = buffer.packedBytes()
    let result = try segment(model(), InputImage(buffer))
    let masks = result.confidenceMasks
    #expect(masks.count == 3)
    for channel in 0..<3 {
      #expect(masks[channel].pixels == stride(from: channel, to: 36, by: 3).map { Float(bytes[$0]) })
      #expect(masks[channel].width == 4 && masks[channel].height == 3)
    }
    let classes = stride(from: 0, to: 36, by: 3).map { first -> UInt8 in
      let pixel = bytes[first..<first + 3]
      return UInt8((pixel.firstIndex(of: pixel.max() ?? 0) ?? first) - first)
    }
    #expect(result.categoryMask?.pixels == classes)
    #expect(result.qualityScores == [1, 1, 1])
  }

  @Test("only requested outputs are returned, and at least one is required")
  func choice() throws {
    let image = InputImage(try makeImage())
    #expect(try segment(model(), image, category: false).categoryMask == nil)
    #expect(try segment(model(), image, confidence: false).confidenceMasks.isEmpty)
    let error = taskError { _ = try segment(model(), image, category: false, confidence: false) }
    #expect(error?.code == .invalidOption)
    #expect(error?.message.contains("outputs must name at least one kind of mask") == true)
  }

  @Test("confidence masks use half-pixel centers, and the category mask aligned corners")
  func resampling() throws {
    // Two pixels: red 0 and 200, green 100 and 100.
    var model = PassingModel(width: 2, height: 1, outputs: [.init(shape: [1, 1, 2, 3])])
    model.normalization = (0, 1)
    var pixels: [UInt8] = []
    // The image is sampled without smoothing, so only every fourth pixel has an effect.
    for column in 0..<8 { pixels += [column < 4 ? 0 : 200, 100, 0] }
    let result = try segment(model, try InputImage(rgb: pixels, width: 8, height: 1))
    #expect(result.confidenceMasks[0].pixels == [0, 0, 25, 75, 125, 175, 200, 200])
    #expect(result.categoryMask?.pixels == [1, 1, 1, 1, 0, 0, 0, 0])
  }

  @Test("masks in the model's resolution equal its output")
  func modelResolution() throws {
    let result = try segment(model(), InputImage(try makeImage(width: 40, height: 30))) { $0.maskResolution = .model }
    #expect(result.categoryMask?.width == 4 && result.categoryMask?.height == 3)
    #expect(result.confidenceMasks.allSatisfy { $0.width == 4 && $0.height == 3 })
  }

  @Test(
    "activations change confidences, and only sigmoid the category of one channel", arguments: [0, 1, 2] as [Int8])
  func activations(activation: Int8) throws {
    // One row of six scores: 0, 0.25, …
    var model = PassingModel(width: 2, height: 1, outputs: [.init(shape: [1, 1, 6, 1])])
    model.normalization = (100, 100)
    model.activation = activation
    let image = try InputImage(rgb: [0, 100, 120, 140, 200, 255], width: 2, height: 1)
    let result = try segment(model, image) { $0.maskResolution = .model }
    let scores: [Float] = [-1, 0, 0.2, 0.4, 1, 1.55]
    let expected: [Float] =
      switch activation {
      case 0: scores
      case 1: [0.26894143, 0.5, 0.549834, 0.59868765, 0.7310586, 0.8249137]
      default: [1, 1, 1, 1, 1, 1]
      }
    let confidences = try #require(result.confidenceMasks.first).pixels
    #expect(zip(confidences, expected).allSatisfy { abs($0 - $1) < 1e-5 })
    #expect(
      result.categoryMask?.pixels
        == (activation == 1 ? [255, 255, 0, 0, 0, 0] : [255, 255, 255, 255, 0, 0]))
  }

  @Test("softmax applies over a pixel's classes")
  func softmax() throws {
    var model = model()
    model.normalization = (127.5, 10)
    model.activation = 2
    let masks = try segment(model, InputImage(try makeImage())).confidenceMasks.map(\.pixels)
    for pixel in 0..<12 { #expect(abs(masks[0][pixel] + masks[1][pixel] + masks[2][pixel] - 1) < 1e-5) }
  }

  @Test("the first of two outputs is the quality of the masks")
  func qualityScores() throws {
    let buffer = try makeImage()
    let model = model([.init(shape: [1, 36]), .init(shape: [3, 4, 3])])
    let result = try segment(model, InputImage(buffer))
    #expect(result.qualityScores == buffer.packedBytes().map(Float.init))
    #expect(result.confidenceMasks.count == 3)
  }

  @Test("masks with two and three dimensions are supported")
  func dimensions() throws {
    let image = InputImage(try makeImage())
    #expect(try segment(model([.init(shape: [3, 12])]), image).confidenceMasks.count == 1)
    #expect(try segment(model([.init(shape: [3, 4, 3])]), image).confidenceMasks.count == 3)
    #expect(
      try segment(model([.init(shape: [3, 4, 3])]), image).categoryMask
        == segment(model([.init(shape: [1, 3, 4, 3])]), image).categoryMask)
  }

  @Test("quantized masks are dequantized", arguments: [ElementType.uint8, .int8])
  func quantized(type: ElementType) throws {
    var model = model()
    model.normalization = nil
    model.type = type
    model.scale = 0.5
    model.zeroPoint = type == .uint8 ? 10 : -118
    let buffer = try makeImage()
    let result = try segment(model, InputImage(buffer))
    #expect(result.confidenceMasks[1].pixels[0] == (Float(buffer.packedBytes()[1]) - 10) * 0.5)
    #expect(try result.categoryMask == segment(self.model(), InputImage(buffer)).categoryMask)
  }

  @Test(
    "masks of a rotated image show the upright content in the stored size",
    arguments: [
      (ImageOrientation.up, [0, 1, 0, 1] as [UInt8]), (.down, [1, 0, 1, 0]), (.right, [0, 0, 1, 1]),
      (.left, [1, 1, 0, 0]),
    ])
  func orientations(orientation: ImageOrientation, corners: [UInt8]) throws {
    // Red on the left, green on the right.
    let pixels = (0..<24 * 12).flatMap { $0 % 24 < 12 ? [200, 0, 0] : [0, 200, 0] as [UInt8] }
    let image = InputImage(
      try ImageBuffer(bytes: pixels, width: 24, height: 12, pixelFormat: .rgb8), orientation: orientation)
    let mask = try #require(try segment(model(), image).categoryMask)
    #expect(mask.width == 24 && mask.height == 12)
    let classes = mask.pixels
    let found = [classes[0], classes[23], classes[264], classes[287]]
    #expect(found == corners)
  }

  @Test("every number of threads gives the same masks")
  func threads() throws {
    let image = InputImage(try makeImage(width: 150, height: 130))
    let one = try segment(model(), image)
    for threads in [2, 3] {
      #expect(try segment(model(), image) { $0.baseOptions.threads = threads } == one)
    }
  }

  @Test("a segmenter accepts images of different sizes")
  func sizes() throws {
    let segmenter = try ImageSegmenter(
      options: ImageSegmenterOptions(baseOptions: model().base, outputs: [.categoryMask, .confidenceMasks]))
    for (width, height) in [(4, 3), (9, 2), (1, 1), (300, 100), (4, 3)] {
      let result = try segmenter.segmentation(of: InputImage(try makeImage(width: width, height: height)))
      #expect(result.categoryMask?.width == width && result.categoryMask?.height == height)
      #expect(result.confidenceMasks.allSatisfy { $0.width == width && $0.height == height })
    }
  }

  @Test("results are unchanged when the segmenter continues or is released")
  func lifetime() throws {
    var segmenter: ImageSegmenter? = try ImageSegmenter(options: ImageSegmenterOptions(baseOptions: model().base))
    let first = try #require(try segmenter?.segmentation(of: InputImage(try makeImage())).confidenceMasks.first)
    let numbers = first.pixels
    _ = try segmenter?.segmentation(of: InputImage(try makeImage(seed: 2)))
    segmenter = nil
    #expect(first.pixels == numbers)
  }

  @Test("labels belong to the mask, with display names if the language is available")
  func labels() throws {
    var output = PassingModel.Output(shape: [1, 3, 4, 3], labels: ["red", "green", "blue"])
    output.displayNames = [("de", ["Rot", "Grün", "Blau"])]
    let german = try ImageSegmenter(
      options: ImageSegmenterOptions(baseOptions: model([output]).base, displayNamesLocale: "de"))
    #expect(german.labels == ["red", "green", "blue"])
    #expect(german.displayNames == ["Rot", "Grün", "Blau"])
    let bare = try ImageSegmenter(
      options: ImageSegmenterOptions(baseOptions: model([.init(shape: [1, 3, 4, 3])]).base))
    #expect(bare.labels.isEmpty && bare.displayNames.isEmpty)
  }

  @Test("a label file that is in the metadata but not in the model leaves the masks without names")
  func missingLabels() throws {
    var model = model()
    model.hasFiles = false
    let segmenter = try ImageSegmenter(options: ImageSegmenterOptions(baseOptions: model.base))
    #expect(segmenter.labels.isEmpty)
    #expect(try segmenter.segmentation(of: InputImage(try makeImage())).confidenceMasks.count == 3)
  }

  @Test("models other than segmentation models are rejected with the reason")
  func refusals() {
    func error(_ model: PassingModel) -> TaskError? {
      taskError { _ = try ImageSegmenter(options: ImageSegmenterOptions(baseOptions: model.base)) }
    }
    let three = Array(repeating: PassingModel.Output(shape: [1, 3, 4, 3]), count: 3)
    #expect(error(model(three))?.message.contains("this one has 3") == true)
    for shape in [[36], [2, 3, 2, 3], [1, 1, 3, 4, 3]] {
      #expect(error(model([.init(shape: shape)]))?.message.contains("is not a mask") == true)
    }
    var gray = model([.init(shape: [1, 3, 4, 1])])
    gray.channels = 1
    #expect(error(gray)?.code == .invalidModel)
    var integers = model()
    integers.type = .int32
    #expect(error(integers)?.code == .invalidModel)
    var activated = model()
    activated.activation = 9
    #expect(error(activated)?.code == .invalidModel)
  }

  @Test("masks that would exhaust memory are rejected before they are allocated")
  func tooLarge() throws {
    let image = try InputImage(makeImage())
    // Three classes and a category for each pixel, and the label file.
    let exact = image.width * image.height * (3 * 4 + 1) + 15 + 48 * 4
    for missing in 0...1 {
      var options = ImageSegmenterOptions(
        baseOptions: model().base, outputs: [.categoryMask, .confidenceMasks])
      options.baseOptions.limits.resultBytes = exact - missing
      let segmenter = try ImageSegmenter(options: options)
      for _ in 0..<2 {
        let error = taskError {
          let found = try segmenter.segmentation(of: image).confidenceMasks.count
          #expect(found == 3)
        }
        #expect(error?.code == (missing == 0 ? nil : .limitExceeded))
        #expect(error == nil || error?.message.contains("maskResolution .model") == true)
      }
    }
  }
}
