import SwiftletBase
import SwiftletImage

/// Creates masks of one size from a model's output. It reuses its memory for the next image.
///
/// - Thread safety: one caller at a time.
final class MaskMaker {
  let width: Int
  let height: Int
  private let planes: PlaneResizer?
  private let categories: CategoryResampler?
  private let bands: RowBands
  private let labels: [String]
  private let floatPool: MaskPool<Float>
  private let bytePool: MaskPool<UInt8>
  private var floatScratch: [Float]
  private var wordScratch: [UInt16]
  /// The start of each mask of the current image.
  private var targets: [UnsafeMutablePointer<Float>] = []

  /// The maximum size of the scratch memory for interpolated rows, of all threads together.
  private static let maximumScratchBytes = 1 << 30

  /// Charges the masks of an image that are about to be created: one mask per class of a large image adds up.
  ///
  /// - Throws: `TaskError` (`limitExceeded`) if there is no room for them.
  static func charge(
    _ decoder: SegmentationOutputDecoder, width: Int, height: Int, confidences: Bool, categories: Bool,
    to results: ResultBudget
  ) throws(TaskError) {
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    let count = (confidences ? decoder.channels : 0) + (categories ? 1 : 0)
    let size = (confidences ? MemoryLayout<Float>.size * decoder.channels : 0) + (categories ? 1 : 0)
    try results.charge(
      // If the pixel count overflows, so does the byte count.
      overflow ? .max : pixels, each: overflow ? 2 : size,
      for: "\(count) masks of \(width) × \(height) pixels",
      advice: "use a smaller image, the category mask alone, or maskResolution .model")
  }

  /// Creates a mask maker.
  ///
  /// - Throws: `TaskError` if there is not enough memory for the masks, or there are more classes than values of a
  ///   byte.
  init(
    _ decoder: SegmentationOutputDecoder, width: Int, height: Int, confidences: Bool, categories wantsCategories: Bool,
    threads: Int
  ) throws {
    self.width = width
    self.height = height
    labels = decoder.labels?.labels ?? []
    let pixels = width.multipliedReportingOverflow(by: height)
    let numbers = pixels.partialValue.multipliedReportingOverflow(by: confidences ? decoder.channels : 1)
    planes =
      try confidences
      ? PlaneResizer(
        sourceWidth: decoder.width, sourceHeight: decoder.height, channels: decoder.channels, width: width,
        height: height,
        activation: decoder.activation) : nil
    categories =
      try wantsCategories
      ? CategoryResampler(
        sourceWidth: decoder.width, sourceHeight: decoder.height, channels: decoder.channels, width: width,
        height: height,
        appliesSigmoid: decoder.activation == .sigmoid) : nil
    bands = RowBands(rowCount: height, threads: threads)
    // Each band needs at most three rows of every channel; masks with few rows may be very wide.
    let scratch = (planes?.scratchCount ?? 0).multipliedReportingOverflow(by: bands.count)
    let floats = numbers.partialValue.addingReportingOverflow(scratch.partialValue)
    guard !pixels.overflow, !numbers.overflow, !scratch.overflow, scratch.partialValue <= Self.maximumScratchBytes / 4,
      !floats.overflow, floats.partialValue <= Int.max / 4, AvailableMemory.has(4 * floats.partialValue)
    else {
      throw TaskError(
        .limitExceeded,
        "cannot allocate \(decoder.channels) masks of \(width) × \(height) pixels; use a smaller image, or maskResolution .model"
      )
    }
    floatPool = MaskPool(count: width * height, maximumBlocks: decoder.channels)
    bytePool = MaskPool(count: width * height, maximumBlocks: 1)
    floatScratch = [Float](repeating: 0, count: (planes?.scratchCount ?? 0) * bands.count)
    wordScratch = [UInt16](repeating: 0, count: (categories?.scratchCount ?? 0) * bands.count)
  }

  /// Returns one mask per channel of the model's output; none if they are not requested.
  func confidenceMasks(_ scores: UnsafeBufferPointer<Float>) throws -> [ConfidenceMask] {
    guard let planes else { return [] }
    targets.removeAll(keepingCapacity: true)
    let masks = (0..<planes.channels).map { _ in
      let pixels = MaskPixels(from: floatPool)
      if let start = pixels.memory.baseAddress { targets.append(start) }
      return ConfidenceMask(pixels, width: width, height: height)
    }
    try floatScratch.withUnsafeMutableBufferPointer { scratch in
      try targets.withUnsafeBufferPointer { targets in
        try bands.forEach { band, rows in
          let start = band * planes.scratchCount
          try planes.resize(
            scores, targetRows: rows, into: targets,
            scratch: UnsafeMutableBufferPointer(rebasing: scratch[start..<start + planes.scratchCount]))
        }
      }
    }
    return masks
  }

  /// Returns the category of every pixel; `nil` if it is not requested.
  func categoryMask(_ scores: UnsafeBufferPointer<Float>) throws -> CategoryMask? {
    guard let categories else { return nil }
    let pixels = MaskPixels(from: bytePool)
    try wordScratch.withUnsafeMutableBufferPointer { scratch in
      try bands.forEach { band, rows in
        let start = band * categories.scratchCount
        try categories.resample(
          scores, targetRows: rows, into: pixels.memory,
          scratch: UnsafeMutableBufferPointer(rebasing: scratch[start..<start + categories.scratchCount]))
      }
    }
    return CategoryMask(pixels, width: width, height: height, labels: labels)
  }
}
