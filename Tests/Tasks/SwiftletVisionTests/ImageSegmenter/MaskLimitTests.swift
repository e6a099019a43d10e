import SwiftletEngine
import SwiftletImage
import SwiftletKernels
import SwiftletTestSupport
import Testing

@testable @_spi(Facades) import SwiftletVision

@Suite("Limits of masks")
struct MaskLimitTests {
  private func error<Value>(_ body: () throws -> Value) -> TaskError? { thrownError(body) }

  private func options(_ model: GivingModel) -> ImageSegmenterOptions {
    ImageSegmenterOptions(baseOptions: model.base, outputs: .categoryMask)
  }

  /// Returns a model of one pixel whose last class has the highest score.
  private func model(classes: Int) -> GivingModel {
    GivingModel([((0..<classes).map { Float($0) }, [1, 1, 1, classes])])
  }

  @Test("a category is a byte: 256 classes are supported, and 257 are rejected unless only confidences are requested")
  func classes() throws {
    let most = try ImageSegmenter(options: options(model(classes: 256))).segmentation(of: GivingModel.image(3, 2))
    #expect(most.categoryMask?.pixels == [255, 255, 255, 255, 255, 255])
    var options = options(model(classes: 257))
    let error = error { try ImageSegmenter(options: options) }
    #expect(error?.code == .invalidOption)
    #expect(
      error?.message
        == "the model has 257 classes, but a pixel of the category mask is a byte; ask for confidence masks only")
    options.outputs = .confidenceMasks
    let confidences = try ImageSegmenter(options: options).segmentation(of: GivingModel.image(3, 2)).confidenceMasks
    #expect(confidences.count == 257 && confidences.last?.pixels == [Float](repeating: 256, count: 6))
  }

  @Test("the sizes of resamplers have separate limits")
  func resamplers() {
    let most = PixelLayout.maximumDimension
    #expect(most == 1 << 20)
    func code(_ sourceWidth: Int, _ sourceHeight: Int, _ channels: Int, _ width: Int, _ height: Int) -> [ImageError
      .Code?]
    {
      let planes: ImageError? = thrownError {
        try PlaneResizer(
          sourceWidth: sourceWidth, sourceHeight: sourceHeight, channels: channels, width: width, height: height)
      }
      let categories: ImageError? = thrownError {
        try CategoryResampler(
          sourceWidth: sourceWidth, sourceHeight: sourceHeight, channels: channels, width: width, height: height,
          appliesSigmoid: false)
      }
      return [planes?.code, categories?.code]
    }
    #expect(code(most, 1, 1, 1, 1) == [nil, nil] && code(1, most, 1, 1, 1) == [nil, nil])
    #expect(code(1, 1, 256, 1, 1) == [nil, nil] && code(1, 1, 257, 1, 1) == [nil, .invalidSize])
    for sizes in [
      [0, 1, 1, 1, 1], [1, 0, 1, 1, 1], [1, 1, 0, 1, 1], [1, 1, 1, 0, 1], [1, 1, 1, 1, 0], [most + 1, 1, 1, 1, 1],
      [1, most + 1, 1, 1, 1], [1, 1, most + 1, 1, 1], [1, 1, 1, most + 1, 1], [1, 1, 1, 1, most + 1],
    ] {
      let found = code(sizes[0], sizes[1], sizes[2], sizes[3], sizes[4])
      #expect(found == [.invalidSize, .invalidSize], "\(sizes)")
    }
    // The number of elements in a row of the source, and in a row of the result.
    #expect(code(1 << 11, 1, 1 << 20, 1, 1)[0] == .invalidSize && code(1, 1, 1 << 20, 1 << 11, 1)[0] == .invalidSize)
    #expect(code((1 << 11) - 1, 1, 1 << 20, 1, 1)[0] == nil)
  }

  @Test("buffers of exactly the required size are accepted", arguments: 0..<7)
  func buffers(missing: Int) throws {
    let resizer = try PlaneResizer(sourceWidth: 3, sourceHeight: 2, channels: 2, width: 5, height: 4)
    var scores = [Float](repeating: 1, count: 12 - (missing == 1 ? 1 : 0))
    var scratch = [Float](repeating: 0, count: resizer.scratchCount - (missing == 2 ? 1 : 0))
    var target = [Float](repeating: 0, count: 40)
    let rows = missing == 3 ? 0..<5 : missing == 4 ? -1..<4 : 0..<4
    let error: ImageError? = thrownError {
      try scores.withUnsafeMutableBufferPointer { scores in
        try scratch.withUnsafeMutableBufferPointer { scratch in
          try target.withUnsafeMutableBufferPointer { target in
            let first = try #require(target.baseAddress)
            let planes = Array([first, first + 20, first].prefix(missing == 5 ? 1 : missing == 6 ? 3 : 2))
            try planes.withUnsafeBufferPointer {
              try resizer.resize(UnsafeBufferPointer(scores), targetRows: rows, into: $0, scratch: scratch)
            }
          }
        }
      }
    }
    #expect(error?.code == (missing == 0 ? nil : .tooFewBytes))
    #expect(target.allSatisfy { $0 == (missing == 0 ? 1 : 0) })
  }

  @Test("category buffers of exactly the required size are accepted", arguments: 0..<6)
  func categoryBuffers(missing: Int) throws {
    let resampler = try CategoryResampler(
      sourceWidth: 3, sourceHeight: 2, channels: 2, width: 5, height: 4, appliesSigmoid: false)
    #expect(resampler.scratchCount == 9)
    let scores = [Float]((0..<(missing == 1 ? 11 : 12)).map { Float($0 % 2) })
    var scratch = [UInt16](repeating: 0, count: missing == 2 ? 8 : 9)
    var target = [UInt8](repeating: 7, count: missing == 3 ? 19 : 20)
    let rows = missing == 4 ? 0..<5 : missing == 5 ? -1..<4 : 0..<4
    let error: ImageError? = thrownError {
      try scores.withUnsafeBufferPointer { scores in
        try scratch.withUnsafeMutableBufferPointer { scratch in
          try target.withUnsafeMutableBufferPointer {
            try resampler.resample(scores, targetRows: rows, into: $0, scratch: scratch)
          }
        }
      }
    }
    #expect(error?.code == (missing == 0 ? nil : .tooFewBytes))
    #expect(target.allSatisfy { $0 == (missing == 0 ? 1 : 7) })
  }

  // MARK: Taps

  @Test("half-pixel taps clamp at both ends, and aligned taps coincide with both ends")
  func taps() {
    func numbers(_ taps: [LinearTap]) -> [[Float]] { taps.map { [Float($0.index0), Float($0.index1), $0.weight] } }
    // Positions -0.25, 0.25, 0.75, 1.25.
    #expect(numbers(LinearTap.table(from: 2, to: 4)) == [[0, 0, 0], [0, 1, 0.25], [0, 1, 0.75], [1, 1, 0]])
    // 0.5 and 2.5.
    #expect(numbers(LinearTap.table(from: 4, to: 2)) == [[0, 1, 0.5], [2, 3, 0.5]])
    #expect(numbers(LinearTap.table(from: 3, to: 3)) == [[0, 1, 0], [1, 2, 0], [2, 2, 0]])
    #expect(numbers(LinearTap.table(from: 1, to: 2)) == [[0, 0, 0], [0, 0, 0]])
    // 0, 2/3, 4/3, 2.
    let aligned = LinearTap.alignedTable(from: 3, to: 4)
    #expect(aligned.map(\.index0) == [0, 0, 1, 2] && aligned.map(\.index1) == [1, 1, 2, 2])
    for (tap, weight) in zip(aligned, [0, 2.0 / 3, 1.0 / 3, 0]) { #expect(abs(Double(tap.weight) - weight) < 1e-6) }
    #expect(numbers(LinearTap.alignedTable(from: 5, to: 1)) == [[0, 1, 0]])
    #expect(numbers(LinearTap.alignedTable(from: 1, to: 3)) == [[0, 0, 0], [0, 0, 0], [0, 0, 0]])
    #expect(numbers(LinearTap.alignedTable(from: 5, to: 3)) == [[0, 1, 0], [2, 3, 0], [4, 4, 0]])
  }

  // MARK: Memory

  private func decoder(channels: Int = 1) throws -> SegmentationOutputDecoder {
    try SegmentationOutputDecoder(
      VisionModel(
        ModelContext(GivingModel([([Float](repeating: 0, count: channels), [1, 1, 1, channels])]).base),
        input: .stretched),
      displayNamesLocale: "en")
  }

  @Test("masks of all classes count together before they are allocated, and impossible sizes are rejected")
  func memory() throws {
    let three = try decoder(channels: 3)
    func charge(_ width: Int, _ height: Int, _ confidences: Bool, _ categories: Bool, _ bytes: Int) -> TaskError? {
      var limits = RuntimeOptions.Limits()
      limits.resultBytes = bytes
      return error {
        try MaskMaker.charge(
          three, width: width, height: height, confidences: confidences, categories: categories,
          to: ResultBudget(limits))
      }
    }
    for (confidences, categories, size) in [(true, true, 13), (true, false, 12), (false, true, 1)] {
      #expect(charge(5, 7, confidences, categories, 35 * size) == nil)
      let error = charge(5, 7, confidences, categories, 35 * size - 1)
      #expect(error?.code == .limitExceeded)
      let count = (confidences ? 3 : 0) + (categories ? 1 : 0)
      #expect(error?.message.hasPrefix("\(count) masks of 5 × 7 pixels bring the results of a call") == true)
    }
    #expect(charge(.max, 2, false, true, .max)?.code == .limitExceeded)
    #expect(charge(1 << 40, 1 << 20, true, false, .max)?.code == .limitExceeded)
    // With the default limit, all classes of DeepLab fit for 12 megapixels.
    #expect(RuntimeOptions.Limits().resultBytes == 1 << 30 && 4032 * 3024 * (21 * 4 + 1) < 1 << 30)
    let huge = error {
      try MaskMaker(three, width: 1 << 20, height: 1 << 20, confidences: true, categories: true, threads: 1)
    }
    #expect(
      huge?.message
        == "cannot allocate 3 masks of 1048576 × 1048576 pixels; use a smaller image, or maskResolution .model"
    )
  }

  @Test("a mask maker has the requested values")
  func maker() throws {
    let decoder = try decoder(channels: 2)
    for (confidences, categories) in [(true, false), (false, true), (true, true)] {
      let maker = try MaskMaker(
        decoder, width: 3, height: 70, confidences: confidences, categories: categories, threads: 2)
      #expect(maker.width == 3 && maker.height == 70)
      let scores: [Float] = [0.25, 0.75]
      let masks = try scores.withUnsafeBufferPointer { try maker.confidenceMasks($0) }
      #expect(
        masks.map(\.pixels) == (confidences ? [0.25, 0.75].map { [Float](repeating: $0, count: 210) } : []))
      let mask = try scores.withUnsafeBufferPointer { try maker.categoryMask($0) }
      #expect(mask?.pixels == (categories ? [UInt8](repeating: 1, count: 210) : nil))
      #expect(mask == nil || mask?.width == 3 && mask?.height == 70)
    }
  }

  // MARK: Outputs

  @Test(
    "a mask has two to four nonempty dimensions and one image",
    arguments: [
      ([3, 4], [3, 4, 1]), ([3, 4, 2], [3, 4, 2]), ([1, 3, 4, 2], [3, 4, 2]), ([2, 3, 4, 1], nil), ([24], nil),
      ([1, 1, 3, 4, 2], nil),
    ] as [([Int], [Int]?)])
  func shapes(shape: [Int], expected: [Int]?) throws {
    let model = GivingModel([([Float](repeating: 0, count: shape.reduce(1, *)), shape)])
    let load = {
      try SegmentationOutputDecoder(
        VisionModel(ModelContext(model.base), input: .stretched), displayNamesLocale: "en")
    }
    guard let expected else {
      let error = error(load)
      #expect(error?.code == .invalidModel)
      #expect(
        error?.message.hasSuffix(
          "is not a mask; it must be [height × width], [height × width × classes] or [1 × height × width × classes]")
          == true)
      return
    }
    let decoder = try load()
    #expect([decoder.height, decoder.width, decoder.channels] == expected)
    #expect(decoder.qualityOutput == nil && decoder.maskOutput == 0 && decoder.activation == .none)
    #expect(decoder.labels == nil && !decoder.looksForHair)
  }

  @Test("the mask's labels come from the second output, and the first output's labels are ignored")
  func labels() throws {
    let files = FlatValue.tables([[0: .string("labels.txt"), 2: .byte(2)]])
    var model = GivingModel([([0.5], [1, 1]), ([0, 0], [1, 1, 1, 2])], described: [[:], [6: files]])
    model.files = [("labels.txt", "background\nhair\n")]
    func decoder() throws -> SegmentationOutputDecoder {
      try SegmentationOutputDecoder(VisionModel(ModelContext(model.base), input: .stretched), displayNamesLocale: "en")
    }
    let found = try decoder()
    #expect(found.labels?.labels == ["background", "hair"] && found.looksForHair)
    #expect(found.qualityOutput == 0 && found.maskOutput == 1)
    model.files = [("labels.txt", "background\nhair\nface\n")]
    #expect(try !decoder().looksForHair)
    model.files = [("labels.txt", "hair\nbackground\n")]
    #expect(try !decoder().looksForHair)
    model.described = [[6: files], [:]]
    #expect(try decoder().labels == nil)
    // Only a missing file is tolerated.
    model.described = [[:], [6: files]]
    model.files = [("labels.txt", "")]
    #expect(error(decoder)?.code == .invalidModel)
  }

  // MARK: Masks

  @Test("masks can borrow values, and provide their own without a copy")
  func borrowed() throws {
    let numbers: [Float] = [1, 2, 3]
    try numbers.withUnsafeBufferPointer { numbers in
      let first = try #require(numbers.baseAddress)
      let pixels = MaskPixels(borrowing: first, count: 3)
      #expect(Array(pixels.numbers) == [1, 2, 3] && pixels.first == first && pixels.memory.isEmpty)
      let mask = ConfidenceMask(pixels, width: 3, height: 1)
      #expect(mask.withPixels { $0.baseAddress } == first && mask.pixels == [1, 2, 3])
    }
  }

  @Test("masks differ by size or confidences")
  func equality() throws {
    let mask = try ConfidenceMask([1, 2, 3, 4, 5, 6], width: 3, height: 2)
    #expect(try mask == ConfidenceMask([1, 2, 3, 4, 5, 6], width: 3, height: 2))
    #expect(try mask != ConfidenceMask([1, 2, 3, 4, 5, 7], width: 3, height: 2))
    #expect(try mask != ConfidenceMask([1, 2, 3, 4, 5, 6], width: 2, height: 3))
    #expect(try mask != ConfidenceMask([1, 2, 3, 4, 5, 6, 7, 8, 9], width: 3, height: 3))
    let error: TaskError? = thrownError { try ConfidenceMask([1, 2], width: 2, height: 2) }
    #expect(error == TaskError(.invalidArgument, "a mask of 2 × 2 pixels requires one number per pixel, got 2"))
  }
}
