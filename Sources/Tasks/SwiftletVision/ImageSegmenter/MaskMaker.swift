import SwiftletImage

/// Makes masks of one size from a model's output, with memory that it keeps for the next picture.
///
/// One caller at a time.
final class MaskMaker {
  let width: Int
  let height: Int
  private let planes: PlaneResizer?
  private let categories: CategoryResampler?
  private let bands: RowBands
  private let floatPool: MaskPool<Float>
  private let bytePool: MaskPool<UInt8>
  private var floatScratch: [Float]
  private var wordScratch: [UInt16]
  /// Where the masks of the picture at hand begin.
  private var targets: [UnsafeMutablePointer<Float>] = []

  /// The most bytes of masks for one picture: a mask per class of a large picture adds up.
  static let mostBytes = 1 << 32

  /// - Throws: `TaskError` when the masks would be too large, or there are more classes than a byte can say.
  init(
    _ decoder: SegmentationOutputDecoder, width: Int, height: Int, confidences: Bool, categories wantsCategories: Bool,
    threads: Int
  ) throws {
    self.width = width
    self.height = height
    let pixels = width.multipliedReportingOverflow(by: height)
    let numbers = pixels.partialValue.multipliedReportingOverflow(by: confidences ? decoder.channels : 1)
    guard !pixels.overflow, !numbers.overflow, numbers.partialValue <= Self.mostBytes / 4 else {
      throw TaskError(
        .limitExceeded,
        "\(decoder.channels) masks of \(width) × \(height) pixels take more than \(Self.mostBytes) bytes; use a smaller picture, the category mask alone, or maskResolution .model"
      )
    }
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
    // At most three rows of every channel for each band, where masks of few rows are very wide.
    let scratch = (planes?.scratchCount ?? 0).multipliedReportingOverflow(by: bands.count)
    guard !scratch.overflow, scratch.partialValue <= Self.mostBytes / 4,
      AvailableMemory.has(4 * (numbers.partialValue + scratch.partialValue))
    else {
      throw TaskError(
        .limitExceeded,
        "there is no memory for \(decoder.channels) masks of \(width) × \(height) pixels; use a smaller picture, or maskResolution .model"
      )
    }
    floatPool = MaskPool(count: width * height, mostBlocks: decoder.channels)
    bytePool = MaskPool(count: width * height, mostBlocks: 1)
    floatScratch = [Float](repeating: 0, count: (planes?.scratchCount ?? 0) * bands.count)
    wordScratch = [UInt16](repeating: 0, count: (categories?.scratchCount ?? 0) * bands.count)
  }

  /// One mask per channel of the model's output; `nil` when they are not wanted.
  func confidenceMasks(_ scores: UnsafeBufferPointer<Float>) throws -> [Mask]? {
    guard let planes else { return nil }
    targets.removeAll(keepingCapacity: true)
    let masks = (0..<planes.channels).map { _ in
      let pixels = MaskPixels(from: floatPool)
      if let start = pixels.memory.baseAddress { targets.append(start) }
      return Mask(.float32(pixels), width: width, height: height)
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

  /// The class of every pixel; `nil` when it is not wanted.
  func categoryMask(_ scores: UnsafeBufferPointer<Float>) throws -> Mask? {
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
    return Mask(.uInt8(pixels), width: width, height: height)
  }
}
